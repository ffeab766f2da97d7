import { z } from "zod";
import { FIELD_TYPES, INTERACTION_TYPES, formOption } from "./interaction.ts";
import { clientCalls } from "../tools/client-tools.ts";
import { ENDINGS } from "../approvals/policy.ts";

const choice = z.object({ id: z.string(), label: z.string(), description: z.string().optional() });
const field = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  required: z.boolean().optional(),
  options: z.array(formOption).optional().describe("The options of a select."),
  placeholder: z.string().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional().describe("The initial value of the field."),
});
const approval = z.object({
  rule: z.string().optional().describe("The name of the rule."),
  reason: z.string().describe("Why it is asked."),
  costUsd: z.number().describe("What the run has cost so far."),
  expectedUsd: z
    .number()
    .nullable()
    .describe(
      "What going on will still cost, in the middle: half of the comparable runs stayed at or below; null: unknown.",
    ),
  need: z.int().describe("How many people must approve."),
  denials: z.int().describe("How many denials deny it."),
  escalates: z.boolean().describe("Whether more people are asked at expiresAt."),
  otherwise: z.enum(ENDINGS).describe("What happens at the last deadline."),
});

/** The fields of an open question, as in the event INTERACTION_REQUEST. */
export const QUESTION_FIELDS = {
  interactionId: z.string().describe("Sent with the answer."),
  toolCallId: z.string().describe("The call of the tool that asks."),
  interactionType: z.enum(INTERACTION_TYPES),
  title: z.string(),
  description: z.string(),
  timeoutMs: z.int().describe("How long the question waits for its answer."),
  expiresAt: z.string().optional().describe("When it expires without an answer."),
  data: z.record(z.string(), z.unknown()).optional().describe("confirm_data: the values to confirm."),
  choices: z.array(choice).optional().describe("choice: the options."),
  placeholder: z.string().optional().describe("text_input: shown while nothing is typed."),
  fields: z.array(field).optional().describe("form: its fields."),
  wizardStepId: z.string().optional().describe("The open page of a wizard; sent with the answer."),
  wizard: z
    .object({ title: z.string(), description: z.string(), steps: z.array(z.looseObject({ stepId: z.string() })) })
    .optional()
    .describe("The wizard of the page."),
  clientCalls: clientCalls.optional().describe("Calls of the client's tools whose results the form asks for."),
  approval: approval.optional().describe("approval: what a rule on approvals makes of it."),
};

/** A question to a person, as clients get it. */
export const openQuestion = z.object(QUESTION_FIELDS).meta({
  id: "OpenQuestion",
  description: "A question to a person that is open. Which of the optional fields it has depends on interactionType.",
  examples: [
    {
      interactionId: "0e7c5a64-2f4b-4c5e-9a37-4b1d7c7e9d10",
      toolCallId: "call_0",
      interactionType: "choice",
      title: "Which headline?",
      description: "Readers see it on Monday.",
      timeoutMs: 300_000,
      choices: [
        { id: "a", label: "Work that survives a crash" },
        { id: "b", label: "Durable agents", description: "Shorter" },
      ],
    },
  ],
});

/** See {@link openQuestion}. */
export type AskedQuestion = Readonly<z.output<typeof openQuestion>>;
