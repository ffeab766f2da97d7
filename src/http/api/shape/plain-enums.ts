import { z } from "zod";

const nullable = z.looseObject({
  type: z.unknown(),
  enum: z.array(z.json()).refine((values) => values.includes(null)),
});

/**
 * Returns a document whose enums have no null: `anyOf` adds it. The meaning is the same, but a number of generators
 * write code that does not compile for an enum with null.
 */
export function withPlainEnums<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_, value: unknown) => plain(value));
}

function plain(value: unknown): unknown {
  const found =
    typeof value === "object" && value !== null && "enum" in value ? nullable.safeParse(value).data : undefined;
  if (found === undefined) return value;
  const { type: _, enum: values, ...rest } = found;
  return { ...rest, anyOf: [{ type: "string", enum: values.filter((each) => each !== null) }, { type: "null" }] };
}
