import { isRecord } from "#lib/is-record.ts";

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** The keywords whose value is a schema or a list of schemas. */
const WITH_SCHEMAS: ReadonlySet<string> = new Set(
  "items prefixItems contains additionalProperties propertyNames anyOf oneOf allOf not if then else".split(" "),
);
/** The keywords whose value has schemas by names. */
const WITH_NAMES: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

/** Changes each part of a schema, the inner ones first. Values that only look like schemas, such as defaults, stay. */
export function mapSchema(schema: Schema, change: (part: Schema) => Schema): Schema {
  const changed = (value: unknown): unknown => (isRecord(value) ? mapSchema(value, change) : value);
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (WITH_NAMES.has(keyword) && isRecord(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part)]))];
    }
    if (!WITH_SCHEMAS.has(keyword)) return [keyword, value];
    return [keyword, Array.isArray(value) ? value.map(changed) : changed(value)];
  });
  return change(Object.fromEntries(entries));
}
