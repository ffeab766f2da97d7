import * as fc from "fast-check";
import { z } from "zod";

const LONGEST_TEXT = 60;
const MOST_ITEMS = 3;

/** What of JSON Schema the documents of this service use. */
const schemaShape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  format: z.string().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
});
type Schema = z.output<typeof schemaShape>;

/** Values that no field expects: of other types, very large, and texts that PostgreSQL cannot hold. */
const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>("", "\u0000", "\ud800", "x".repeat(200_000), 1e308, -1, 2 ** 53, {}, [], [[]], {
    __proto__: 1,
  }),
);

/** Bodies for a request schema: most of what they hold is as it says, some of it is anything else. */
export function arbitraryBody(schema: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fitting(schema, 0) },
    { weight: 6, arbitrary: fitting(schema, 1) },
    { weight: 1, arbitrary: odd },
  );
}

/** Values that fit a schema, except that about `oddity` in eight fields have an odd value. */
function fitting(given: unknown, oddity: number): fc.Arbitrary<unknown> {
  const schema = schemaShape.parse(given);
  const { enum: values, oneOf, anyOf } = schema;
  if (values !== undefined) return fc.constantFrom(...values);
  const choices = oneOf ?? anyOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => fitting(choice, oddity)));
  const types = [schema.type ?? "any"].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, oddity)));
}

function ofType(type: string, schema: Schema, oddity: number): fc.Arbitrary<unknown> {
  switch (type) {
    case "object":
      return object(schema, oddity);
    case "array":
      return fc.array(fitting(schema.items ?? {}, oddity), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS),
      });
    case "string":
      return text(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100, 2 ** 31 - 1) });
    case "number":
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function object({ properties = {}, required = [] }: Schema, oddity: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const right = { weight: 8 - oddity, arbitrary: fitting(schema, oddity) };
    return [name, oddity === 0 ? right.arbitrary : fc.oneof(right, { weight: oddity, arbitrary: odd })] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

function text({ format, minLength = 0, maxLength = LONGEST_TEXT }: Schema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "uri") return fc.webUrl({ validSchemes: ["https"] });
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, LONGEST_TEXT) });
}
