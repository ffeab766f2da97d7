import type { ModelRequest } from "#domain/models/model-call.ts";
import type { ModelCapabilities } from "#domain/models/model-catalogue.ts";
import { isRecord } from "#lib/is-record.ts";
import type { FittedRequest } from "./fit-request.ts";

type Schema = Readonly<Record<string, unknown>>;

const COMBINING = ["anyOf", "oneOf", "allOf", "not", "$ref"] as const;
/** Anthropic fails to compile schemas with more; some of its platforms with fewer than the documented 24. */
const MAX_OPTIONAL = 10;

/**
 * Leaves out the schema of the reply where the model cannot be held to it: the prompt contains it, too, and the service
 * checks each result. Providers want an object at its root.
 */
export function fitResponseSchema(request: ModelRequest, { structuredOutput }: ModelCapabilities): FittedRequest {
  const { responseSchema: schema, model } = request;
  if (schema === undefined) return { request, notes: [] };
  if (structuredOutput !== true) return withoutSchema(request, `${model} cannot be held to a schema`);
  const hasObjectRoot = schema["type"] === "object" && COMBINING.every((keyword) => !(keyword in schema));
  return hasObjectRoot
    ? { request, notes: [] }
    : withoutSchema(request, "its root is not a plain object, as providers require");
}

/**
 * Leaves out a schema that Anthropic rejects or narrows: it closes all objects, so one that is open would stay empty.
 */
export function fitClosedSchema(request: ModelRequest): FittedRequest {
  const { responseSchema: schema } = request;
  if (schema === undefined) return { request, notes: [] };
  const parts = [...partsOf(schema)];
  if (parts.some(isOpen)) return withoutSchema(request, "it has objects with any properties, or references");
  const optional = parts.reduce((sum, part) => sum + optionalOf(part), 0);
  return optional > MAX_OPTIONAL
    ? withoutSchema(request, `it has more than ${MAX_OPTIONAL} optional properties`)
    : { request, notes: [] };
}

function withoutSchema(request: ModelRequest, reason: string): FittedRequest {
  const { responseSchema: _, ...rest } = request;
  return { request: rest, notes: [`The output schema is only in the prompt: ${reason}.`] };
}

/** All objects of a schema. Values that only look like schemas, such as defaults, do no harm here. */
function* partsOf(value: unknown): Generator<Schema> {
  if (isRecord(value)) yield value;
  if (typeof value !== "object" || value === null) return;
  for (const each of Object.values(value)) yield* partsOf(each);
}

function isOpen(part: Schema): boolean {
  const { type, properties, additionalProperties: others } = part;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  return (
    "$ref" in part ||
    "patternProperties" in part ||
    others === true ||
    isRecord(others) ||
    (isObject && properties === undefined && others !== false)
  );
}

function optionalOf({ properties, required }: Schema): number {
  if (!isRecord(properties)) return 0;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.keys(properties).filter((name) => !needed.has(name)).length;
}
