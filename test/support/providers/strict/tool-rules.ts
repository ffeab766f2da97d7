import { z } from "zod";

const schema = z.looseObject({ type: z.unknown().optional() });

/** The keywords that vendors reject at the root of a tool's schema. */
const COMBINING = ["anyOf", "oneOf", "allOf", "enum", "not"];

/** What is wrong with the root of a tool's schema; undefined if nothing is. */
export function rootFault(value: unknown): "combining" | "no type" | undefined {
  const parsed = schema.parse(value);
  if (COMBINING.some((keyword) => keyword in parsed)) return "combining";
  return parsed.type === "object" ? undefined : "no type";
}

/** The paths of the objects in a schema that allow other properties, which no vendor's structured output does. */
export function openObjects(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => openObjects(each, `${path}/${index}`));
  if (typeof value !== "object" || value === null) return [];
  const own =
    "type" in value &&
    value.type === "object" &&
    !("additionalProperties" in value && value.additionalProperties === false);
  return [
    ...(own ? [path] : []),
    ...Object.entries(value).flatMap(([key, each]) => openObjects(each, `${path}/${key}`)),
  ];
}
