import { z } from "zod";
import { anyCase } from "../any-case.ts";
import { displayName } from "../display-name.ts";

/** The kinds of output templates. They say what the filled template is; none changes how it is filled. */
export const TEMPLATE_TYPES = ["Markdown", "JSON", "HTML", "CSV", "Custom"] as const;

/** What a template can be filled with. */
export const TEMPLATE_VARIABLES = [
  "task_title",
  "task_result",
  "agent_name",
  "timestamp",
  "tokens_used",
  "model",
] as const;

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;
/** A result may be megabytes long; a template that repeats it many times would be more than a task can hold. */
const MAX_RESULTS = 10;

/** How a result is dressed; `body` holds `{{variable}}` placeholders. */
export const outputTemplate = z.strictObject({
  type: anyCase(TEMPLATE_TYPES).describe("In any case."),
  body: z
    .string()
    .min(1)
    .max(100_000)
    .refine((body) => countResults(body) <= MAX_RESULTS, `must not hold {{task_result}} more than ${MAX_RESULTS} times`)
    .describe(`Placeholders: ${TEMPLATE_VARIABLES.map((name) => `{{${name}}}`).join(", ")}.`),
});

/** How a result is dressed, checked. */
export type OutputTemplate = z.output<typeof outputTemplate>;

/** The body of POST /console/api/output-templates. */
export const savedTemplateCreate = outputTemplate
  .extend({ name: displayName(100).describe("By what people find it; several may have the same.") })
  .describe("An output template that agents select by its id.");

/** The body of PATCH /console/api/output-templates/{id}. */
export const savedTemplatePatch = savedTemplateCreate
  .partial()
  .describe("The fields of a saved output template to change.");

/**
 * Fills a template in one pass: what a value brings along is never expanded, and nothing is
 * escaped. A placeholder without a value stays as it was written. Spaces inside of the braces do not matter.
 */
export function renderTemplate(body: string, values: Readonly<Record<string, string | undefined>>): string {
  const known = new Map(Object.entries(values));
  return body.replaceAll(PLACEHOLDER, (placeholder, name: string) => known.get(name) ?? placeholder);
}

function countResults(body: string): number {
  return [...body.matchAll(PLACEHOLDER)].filter(([, name]) => name === "task_result").length;
}
