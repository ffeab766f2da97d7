import { z } from "zod";
import { VERSION_2 } from "./describe-operation.ts";

const alternatives = z.looseObject({ anyOf: z.array(z.looseObject({ description: z.string().optional() })) });
/** An answer whose schema is that of version 2 already: the innermost values are visited first. */
const exemplified = z.looseObject({
  schema: z.looseObject({ description: z.literal(VERSION_2) }),
  example: z.json(),
});
const versionHeader = z.looseObject({ name: z.literal("X-API-Version"), in: z.literal("header") });

const META_EXAMPLE = { api_version: 2, request_id: "req_0d5c1f3a9b7e4a21", timestamp: "2026-11-22T12:00:00.000Z" };

/**
 * Narrows the OpenAPI document to one version of the API: bare data in version 1; `{data, meta}` in version 2, whose
 * header is then required. Parts without versions are unchanged.
 */
export function inVersion(document: object, version: "1" | "2"): object {
  return z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(JSON.stringify(document), (_, value: unknown) => narrowed(value, version)));
}

/** Most of the 33,000 values fit no schema. To parse all of them took five times as long. */
function narrowed(value: unknown, version: "1" | "2"): unknown {
  if (typeof value !== "object" || value === null) return value;
  const header = "in" in value ? versionHeader.safeParse(value).data : undefined;
  if (header !== undefined)
    return { ...header, required: version === "2", schema: { type: "string", enum: [version] } };
  const content = version === "2" && "example" in value ? exemplified.safeParse(value).data : undefined;
  if (content !== undefined) return { ...content, example: wrappedExample(content.example) };
  const data = "anyOf" in value ? alternatives.safeParse(value).data : undefined;
  const wrapped = data?.anyOf.find(({ description }) => description === VERSION_2);
  if (data === undefined || wrapped === undefined) return value;
  if (version === "2") return wrapped;
  const [first, ...others] = data.anyOf.filter((option) => option !== wrapped);
  return others.length === 0 ? first : { ...data, anyOf: [first, ...others] };
}

/** An answer of version 1 in the form of version 2. */
function wrappedExample(example: unknown): object {
  const data = Array.isArray(example) ? { items: example, next_cursor: null, has_more: false } : example;
  return { data, meta: META_EXAMPLE };
}
