import { z } from "zod";
import { MAX_SCHEMA_LENGTH } from "./custom-tool.ts";
import type { ToolSpec } from "../models/model-call.ts";

const MAX_TOOLS = 128;
const MAX_DESCRIPTION = 10_000;

/** The function names that every provider accepts. */
const clientToolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -");

const parameters = z
  .looseObject({ type: z.literal("object", { error: 'must be "object"' }).default("object") })
  .transform((schema) => ({ properties: {}, ...schema }))
  .refine((schema) => JSON.stringify(schema).length <= MAX_SCHEMA_LENGTH, {
    error: `must not be longer than ${MAX_SCHEMA_LENGTH} characters`,
  });

/** The fields of a function that OpenAI and AG-UI share; other fields are ignored. */
export const functionFields = {
  name: clientToolName,
  description: z.string().max(MAX_DESCRIPTION).nullish(),
  parameters: parameters.nullish(),
};

/** Converts a function to a tool for a model. */
export function toToolSpec({
  name,
  description,
  parameters: schema,
}: z.output<z.ZodObject<typeof functionFields>>): ToolSpec {
  return { name, description: description ?? "", inputSchema: schema ?? { type: "object", properties: {} } };
}

/** The schema of a list of functions with unique names. @param item one entry of the list, in its protocol's format */
export function clientFunctions<Item extends z.ZodType<ToolSpec>>(item: Item) {
  return z
    .array(item)
    .max(MAX_TOOLS, `at most ${MAX_TOOLS} tools`)
    .superRefine((tools, context) => {
      const names = tools.map(({ name }) => name);
      names.forEach((name, index) => {
        if (names.indexOf(name) === index) return;
        context.addIssue({ code: "custom", path: [index], message: `the name "${name}" is used twice` });
      });
    });
}
