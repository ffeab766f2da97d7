import { z } from "zod";
import { approvers } from "./approvers.ts";
import type { Approvers } from "./approvers.ts";
import { labelled } from "#lib/text/form-option.ts";
import { clientCalls } from "../tools/client-tools.ts";
import { approvalOrder } from "../approvals/order.ts";
import type { ApprovalOrder } from "../approvals/order.ts";

/** The types of questions to a person. */
export const INTERACTION_TYPES = ["approval", "confirm_data", "choice", "text_input", "form"] as const;

/** One of {@link INTERACTION_TYPES}. */
export type InteractionType = (typeof INTERACTION_TYPES)[number];

/** The types of fields in a form. */
export const FIELD_TYPES = ["text", "number", "email", "textarea", "select", "toggle"] as const;

const DEFAULT_TIMEOUT_MS = 300_000;
const MIN_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 7 * 86_400_000;
const MAX_ITEMS = 100;
const MAX_STEPS = 30;

const title = z.string().min(1).max(200);
const description = z.string().max(10_000).default("");
/** The id of a field, an option or a page; excludes names that JavaScript objects reserve. */
const identifier = z
  .string()
  .regex(/^[A-Za-z0-9][\w.:-]{0,99}$/, "must be letters, digits and any of . : _ -")
  .refine((name) => !(name in {}), "must not be a name reserved by JavaScript objects, such as constructor");

/** The timeout of a question, in milliseconds. */
export const timeoutMs = z
  .int()
  .min(MIN_TIMEOUT_MS)
  .max(MAX_TIMEOUT_MS)
  .default(DEFAULT_TIMEOUT_MS)
  .describe("The timeout of the question, in milliseconds: one second to seven days.");

/** The common fields of questions. */
export const heading = {
  title: title.describe("The question in a few words."),
  description: description.describe("What the person needs to know to answer it."),
};

const choice = z.strictObject({
  id: identifier,
  label: z.string().min(1).max(500),
  description: z.string().optional(),
});

/** An option of a select: a text, or the value to answer with the label to show. */
export const formOption = z.union([
  z.string().min(1),
  z.strictObject({ value: z.string().min(1), label: z.string().min(1).max(500) }),
]);

const formField = z
  .strictObject({
    key: identifier,
    label: z.string().min(1).max(500),
    type: z.enum(FIELD_TYPES),
    required: z.boolean().optional(),
    options: z
      .array(formOption)
      .min(1)
      .max(MAX_ITEMS)
      .refine((all) => areUnique(all.map((option) => labelled(option).value)), "values must differ")
      .optional()
      .describe("The options of a select: texts, or a value to answer and a label to show."),
    placeholder: z.string().optional(),
    default: z.union([z.string(), z.number(), z.boolean()]).optional().describe("The initial value of the field."),
  })
  .refine((field) => field.type !== "select" || field.options !== undefined, "a select needs options");

/** The specific fields of each question type. */
export const CONTENT = {
  approval: {},
  confirm_data: {
    data: z.record(z.string(), z.unknown()).describe("The values to confirm; the person may change them."),
  },
  choice: {
    choices: z
      .array(choice)
      .min(1)
      .max(MAX_ITEMS)
      .refine((all) => areUnique(all.map(({ id }) => id)), "ids must differ"),
  },
  text_input: { placeholder: z.string().max(500).optional() },
  form: {
    fields: z
      .array(formField)
      .min(1)
      .max(MAX_ITEMS)
      .refine((all) => areUnique(all.map(({ key }) => key)), "keys must differ"),
  },
} as const satisfies Record<InteractionType, z.ZodRawShape>;

/** A question of one kind. */
export const prompt = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("approval"), ...heading, ...CONTENT.approval }),
  z.strictObject({ type: z.literal("confirm_data"), ...heading, ...CONTENT.confirm_data }),
  z.strictObject({ type: z.literal("choice"), ...heading, ...CONTENT.choice }),
  z.strictObject({ type: z.literal("text_input"), ...heading, ...CONTENT.text_input }),
  z.strictObject({ type: z.literal("form"), ...heading, ...CONTENT.form }),
]);

/** A question of one kind. */
export type Prompt = z.output<typeof prompt>;

const condition = z.strictObject({
  dependsOnStep: identifier.describe("The stepId of an earlier page."),
  field: z.string().min(1).describe("A field of its answer: a form's key, approved, selectedOptionId or text."),
  operator: z.enum(["equals", "not_equals", "contains"]),
  value: z.union([z.string(), z.number(), z.boolean()]),
});

/** When a wizard's page is shown. */
export type Condition = z.output<typeof condition>;

const stepHeading = { stepId: identifier, ...heading, condition: condition.optional() };

const step = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("approval"), ...stepHeading, ...CONTENT.approval }),
  z.strictObject({ type: z.literal("confirm_data"), ...stepHeading, ...CONTENT.confirm_data }),
  z.strictObject({ type: z.literal("choice"), ...stepHeading, ...CONTENT.choice }),
  z.strictObject({ type: z.literal("text_input"), ...stepHeading, ...CONTENT.text_input }),
  z.strictObject({ type: z.literal("form"), ...stepHeading, ...CONTENT.form }),
]);

/** A page of a wizard; it is skipped when its condition is not met. */
export type WizardStep = z.output<typeof step>;

/** The pages of a wizard: unique ids, and conditions on earlier pages only. */
export const wizardSteps = z.array(step).min(1).max(MAX_STEPS).superRefine(checkSteps);

/** A tool's question to a person: one question, or a wizard of several, with the timeout of each. */
export const question = z.discriminatedUnion("kind", [
  // The client tool calls whose results a form requests.
  z.strictObject({
    kind: z.literal("prompt"),
    prompt,
    timeoutMs,
    clientCalls: clientCalls.optional(),
    // Only these may answer; absent for a question that the model asks.
    approvers: approvers.optional(),
    // What a rule on approvals makes of it.
    policy: approvalOrder.optional(),
  }),
  z.strictObject({ kind: z.literal("wizard"), ...heading, steps: wizardSteps, timeoutMs }),
]);

/** A tool's question to a person. */
export type Question = z.output<typeof question>;

/** Who may answer a question; undefined for one that the model asks. */
export function approversOfQuestion(asked: Question): Approvers | undefined {
  return asked.kind === "prompt" ? asked.approvers : undefined;
}

/** What a rule on approvals makes of a question; undefined for one that no rule asks. */
export function orderOf(asked: Question): ApprovalOrder | undefined {
  return asked.kind === "prompt" ? asked.policy : undefined;
}

/** Whether the person in the conversation may answer: the agent asks, and nobody else must decide. */
export function isForClient(asked: Question): boolean {
  if (asked.kind === "wizard") return true;
  return asked.approvers === undefined && asked.policy === undefined && asked.clientCalls === undefined;
}

function areUnique(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}

function checkSteps(steps: readonly WizardStep[], context: z.RefinementCtx): void {
  const earlier = new Set<string>();
  steps.forEach(({ stepId, condition: when }, index) => {
    if (earlier.has(stepId)) {
      context.addIssue({ code: "custom", path: [index, "stepId"], message: `the step "${stepId}" exists already` });
    }
    if (when !== undefined && !earlier.has(when.dependsOnStep)) {
      const path = [index, "condition", "dependsOnStep"];
      context.addIssue({ code: "custom", path, message: "must be the stepId of an earlier page" });
    }
    earlier.add(stepId);
  });
}
