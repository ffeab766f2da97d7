import { z } from "zod";

/** The JSON Schema of a zod schema's input, in draft 7 as model providers expect it, without `$schema`. */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return rest;
}
