import { isRecord } from "#lib/is-record.ts";
import type { ModelRequest, ToolSpec } from "#domain/models/model-call.ts";
import type { FittedRequest } from "./fit-request.ts";
import { mapSchema } from "./map-schema.ts";
import type { Schema } from "./map-schema.ts";

const EMPTY = { type: "object", properties: {} } as const;

/**
 * Gives every tool a schema that vendors accept. At its root they want an object with properties: alternatives there are
 * folded into one that allows what any of them allows. OpenAI wants to know the items of arrays. A tool with another
 * schema must not make the vendor reject the agent's other tools; the service checks the arguments against the original.
 */
export function fitToolSchemas(request: ModelRequest): FittedRequest {
  return { request: { ...request, tools: request.tools.map(withFitSchema) }, notes: [] };
}

function withFitSchema(tool: ToolSpec): ToolSpec {
  const { inputSchema: given } = tool;
  const root = { ...EMPTY, ...fold(given, given), type: "object" };
  return { ...tool, inputSchema: mapSchema(root, withItems) };
}

function withItems(part: Schema): Schema {
  const isArray = [part["type"]].flat().includes("array");
  return isArray && part["items"] === undefined ? { ...part, items: {} } : part;
}

/**
 * Folds the combining keywords of an object schema into its properties, without those that only reject values.
 * @param root the schema with the definitions
 */
function fold(schema: Schema, root: Schema): Schema {
  const { anyOf, oneOf, allOf, not: _not, enum: _enum, ...own } = resolve(schema, root);
  const all = listOf(allOf).map((each) => fold(each, root));
  const any = [...listOf(anyOf), ...listOf(oneOf)].map((each) => fold(each, root));
  const branches = [...all, ...any];
  if (branches.length === 0) return own;
  const required = [
    ...new Set([...namesOf(own), ...all.flatMap(namesOf), ...commonNames(any.filter((each) => "properties" in each))]),
  ];
  const properties = mergeProperties([own, ...branches]);
  const { additionalProperties: _, ...rest } = own;
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}) };
}

/** Follows a reference at the root: `{"$ref": "#/$defs/Input", "$defs": …}`. */
function resolve(schema: Schema, root: Schema): Schema {
  const ref = schema["$ref"];
  if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
  const target = ref
    .slice(2)
    .split("/")
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), root);
  const { $ref: _, ...rest } = schema;
  return isRecord(target) && !("$ref" in target) ? { ...rest, ...target } : rest;
}

/** A property that several alternatives describe may have any of their forms. */
function mergeProperties(schemas: readonly Schema[]): Schema {
  const merged = new Map<string, unknown[]>();
  for (const { properties } of schemas) {
    if (!isRecord(properties)) continue;
    for (const [name, property] of Object.entries(properties)) {
      const known = merged.get(name) ?? [];
      if (!known.some((each) => JSON.stringify(each) === JSON.stringify(property))) known.push(property);
      merged.set(name, known);
    }
  }
  return Object.fromEntries(
    [...merged].map(([name, forms]) => [name, forms.length === 1 ? forms[0] : { anyOf: forms }]),
  );
}

function commonNames(schemas: readonly Schema[]): readonly string[] {
  const [first, ...others] = schemas.map(namesOf);
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

function namesOf({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function listOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
