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

const ROOT_FAULTS = {
  combining: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
  "no type": "schema must be a JSON Schema of 'type: \"object\"', got 'type: null'.",
} as const;

/** What OpenAI says about a tool's schema; undefined if it accepts the schema. */
export function openAiFault(value: unknown): string | undefined {
  const fault = rootFault(value);
  if (fault !== undefined) return ROOT_FAULTS[fault];
  if (!("properties" in schema.parse(value))) return "In context=(), object schema missing properties.";
  const array = arrayWithoutItems(value);
  return array && `In context=('${array.join("', '")}'), array schema missing items.`;
}

/** The path of an array in a schema that does not say what its items are; undefined without one. */
function arrayWithoutItems(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("type" in value && value.type === "array" && !("items" in value)) return path;
  for (const [key, each] of Object.entries(value)) {
    const found = arrayWithoutItems(each, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a schema has beside a reference that Google does not accept there; undefined without such. */
export function besideReference(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("$ref" in value && typeof value.$ref === "string") {
    const others = Object.keys(value).filter((key) => !["$ref", "description", "default"].includes(key));
    if (others.length > 0) return value.$ref;
  }
  return Object.values(value)
    .map(besideReference)
    .find((found) => found !== undefined);
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
