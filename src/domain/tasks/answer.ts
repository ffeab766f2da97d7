import { z } from "zod";
import { AppError, describeIssue } from "../errors.ts";
import { plainMessage } from "../plain-messages.ts";
import { labelled } from "#lib/text/form-option.ts";
import type { FormOption } from "#lib/text/form-option.ts";
import { CONTENT, INTERACTION_TYPES, prompt as promptSchema } from "./interaction.ts";
import type { Prompt } from "./interaction.ts";

const MAX_TEXT = 100_000;

/** A person's answer to one question, by the field names of the respond endpoint (`approved`, `text`, …). */
export type Answer = Readonly<Record<string, unknown>>;

/** A wizard's answers so far, by stepId. */
export type Answers = Readonly<Record<string, Answer>>;

/** The fields of an answer; the question determines which are required. */
export const answerFields = z.object({
  approved: z.boolean().optional().describe("approval and confirm_data: whether the person approves."),
  data: z.record(z.string(), z.unknown()).optional().describe("confirm_data: the confirmed values."),
  selectedOptionId: z.string().optional().describe("choice: the id of the chosen option."),
  text: z.string().optional().describe("text_input: the text."),
  values: z.record(z.string(), z.unknown()).optional().describe("form: the values, by field key."),
  wizardStepId: z.string().optional().describe("wizard: the page that is answered."),
  wizardCancelled: z.literal(true).optional().describe("wizard: cancels it."),
});

/**
 * Reads the answer to a question from a request's body; other fields are dropped.
 * @throws AppError `bad_request` with every issue when it does not match the question.
 */
export function readAnswer(prompt: Prompt, body: Readonly<Record<string, unknown>>): Answer {
  const parsed = answerSchema(prompt).safeParse(body, { error: plainMessage });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) => {
    const path = issue.path.join(".");
    if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: `${path}.${key}`, message: "is not a field of the form" }));
  });
  const issues = details.map(describeIssue).join("; ");
  throw new AppError("bad_request", `The answer does not match the question (${prompt.type}): ${issues}`, { details });
}

const request = z.looseObject({
  interactionType: z.enum(INTERACTION_TYPES),
  title: z.string(),
  description: z.string(),
  wizardStepId: z.string().optional(),
});

/**
 * Returns the JSON Schema of an open question's answer; undefined for an unknown question.
 * @param open the payload of INTERACTION_REQUEST
 */
export function answerJsonSchema(open: Readonly<Record<string, unknown>>): object | undefined {
  const heading = request.safeParse(open);
  if (!heading.success) return undefined;
  const { interactionType: type, title, description, wizardStepId } = heading.data;
  const content = Object.keys(CONTENT[type]).map((field) => [field, open[field]]);
  const asked = promptSchema.safeParse({ type, title, description, ...Object.fromEntries(content) });
  if (!asked.success) return undefined;
  const schema = answerSchema(asked.data);
  const whole = wizardStepId === undefined ? schema : schema.extend({ wizardStepId: z.literal(wizardStepId) });
  return z.toJSONSchema(whole, { io: "input" });
}

function answerSchema(prompt: Prompt): z.ZodObject {
  switch (prompt.type) {
    case "approval":
      return z.object({ approved: z.boolean() });
    case "confirm_data":
      return z.object({ approved: z.boolean(), data: z.record(z.string(), z.unknown()).default(prompt.data) });
    case "choice":
      return z.object({ selectedOptionId: z.enum(prompt.choices.map(({ id }) => id)) });
    case "text_input":
      return z.object({ text: z.string().min(1).max(MAX_TEXT) });
    case "form":
      return z.object({
        values: z.strictObject(Object.fromEntries(prompt.fields.map((field) => [field.key, fieldSchema(field)]))),
      });
  }
}

type FormField = z.output<typeof CONTENT.form.fields>[number];

function fieldSchema({ type, required = false, options = [] }: FormField): z.ZodType {
  const schema = {
    text: z
      .string()
      .min(required ? 1 : 0)
      .max(MAX_TEXT),
    textarea: z
      .string()
      .min(required ? 1 : 0)
      .max(MAX_TEXT),
    email: z.email(),
    number: z.number(),
    toggle: z.boolean(),
    select: selectSchema(options),
  }[type];
  return required ? schema : schema.optional();
}

/** The value of one of the options; a client's form finds their labels in `oneOf`. */
function selectSchema(options: readonly FormOption[]): z.ZodType {
  const values = z.enum(options.map((option) => labelled(option).value));
  if (options.every((option) => typeof option === "string")) return values;
  return values.meta({ oneOf: options.map(labelled).map(({ value, label }) => ({ const: value, title: label })) });
}
