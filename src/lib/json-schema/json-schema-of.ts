import { z } from "zod";

/** The JSON Schema of what a zod schema takes, in the dialect that model vendors know (draft 7), without `$schema`. */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return rest;
}
