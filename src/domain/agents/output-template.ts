import { z } from "zod";
import { anyCase } from "../any-case.ts";
import { displayName } from "../display-name.ts";

/** The types of output templates. The type describes the filled template; it does not affect filling. */
export const TEMPLATE_TYPES = ["Markdown", "JSON", "HTML", "CSV", "Custom"] as const;

/** The variables of a template. */
export const TEMPLATE_VARIABLES = [
  "task_title",
  "task_result",
  "agent_name",
  "timestamp",
  "tokens_used",
  "model",
] as const;

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;
/** A result may be megabytes long; a template that repeats it many times would exceed a task's limit. */
const MAX_RESULTS = 10;

/** The format of a result; `body` contains `{{variable}}` placeholders. */
export const outputTemplate = z.strictObject({
  type: anyCase(TEMPLATE_TYPES).describe("Case is ignored."),
  body: z
    .string()
    .min(1)
    .max(100_000)
    .refine(
      (body) => countResults(body) <= MAX_RESULTS,
      `must not contain {{task_result}} more than ${MAX_RESULTS} times`,
    )
    .describe(`Placeholders: ${TEMPLATE_VARIABLES.map((name) => `{{${name}}}`).join(", ")}.`),
});

/** The format of a result, validated. */
export type OutputTemplate = z.output<typeof outputTemplate>;

/** The body of POST /console/api/output-templates. */
export const savedTemplateCreate = outputTemplate
  .extend({ name: displayName(100).describe("The display name; need not be unique.") })
  .describe("An output template that agents select by its id.");

/** The body of PATCH /console/api/output-templates/{id}. */
export const savedTemplatePatch = savedTemplateCreate
  .partial()
  .describe("The fields of a saved output template to change.");

/**
 * Fills a template in one pass: placeholders inside values are not expanded, and nothing is escaped. A placeholder
 * without a value is unchanged. Spaces inside the braces are ignored.
 */
export function renderTemplate(body: string, values: Readonly<Record<string, string | undefined>>): string {
  const known = new Map(Object.entries(values));
  return body.replaceAll(PLACEHOLDER, (placeholder, name: string) => known.get(name) ?? placeholder);
}

function countResults(body: string): number {
  return [...body.matchAll(PLACEHOLDER)].filter(([, name]) => name === "task_result").length;
}
