import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { z } from "zod";
import { reasonText } from "#domain/people/question-message.ts";
import { withoutFences } from "#lib/text/without-fences.ts";
import type { AskedQuestion } from "#domain/tasks/open-question.ts";
import type { CallQuestion } from "#operations/conversations/mcp-calls.ts";
import { labelled } from "#lib/text/form-option.ts";

/** What a person said to a client's form (https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation). */
export const elicited = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).nullish(),
});

/** See {@link elicited}. */
export type Elicited = z.output<typeof elicited>;

type Form = ElicitRequestFormParams["requestedSchema"];
type Fields = Form["properties"];

/** The only field of a question that is not a form. */
const ANSWER = "answer";

/**
 * Describes a question as a form that clients show. A question without fields is answered by accepting or declining the
 * form itself.
 */
export function describeForm(question: CallQuestion): ElicitRequestFormParams {
  const { properties, required } = formOf(question.asked);
  const form = { type: "object", properties, ...(required.length > 0 && { required }) } as const;
  return { mode: "form", message: messageOf(question), requestedSchema: form };
}

/**
 * Reads the answer to a question from what the person said to its form. Undefined when the question stays open: the
 * person closed the form, or declined what cannot be declined.
 */
export function answerOf(asked: AskedQuestion, { action, content }: Elicited): Record<string, unknown> | undefined {
  if (action === "cancel") return undefined;
  if (action === "decline") return denialOf(asked);
  const given = content ?? {};
  switch (asked.interactionType) {
    case "approval":
      return { approved: true };
    case "confirm_data":
      return { approved: true, data: { ...asked.data, ...given } };
    case "choice":
      return { selectedOptionId: given[ANSWER] };
    case "text_input":
      return { text: given[ANSWER] };
    case "form":
      return { values: given };
  }
}

function denialOf({ interactionType, wizardStepId }: AskedQuestion): Record<string, unknown> | undefined {
  if (interactionType === "approval" || interactionType === "confirm_data") return { approved: false };
  return wizardStepId === undefined ? undefined : { wizardCancelled: true };
}

function messageOf({ asked, standing }: CallQuestion): string {
  const { title, description, data, wizard, choices = [], approval } = asked;
  const nested = Object.entries(data ?? {}).filter(([, value]) => fieldOf(value) === undefined);
  return [
    wizard === undefined || wizard.title === title ? title : `${wizard.title}: ${title}`,
    withoutFences(description),
    approval === undefined ? "" : reasonText(approval),
    standing === "" ? "" : `${standing} Your answer is your vote.`,
    nested.length === 0 ? "" : JSON.stringify(Object.fromEntries(nested), undefined, 2),
    ...choices.flatMap((each) => (each.description === undefined ? [] : [`${each.label}: ${each.description}`])),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function formOf(asked: AskedQuestion): { readonly properties: Fields; readonly required: string[] } {
  const { title, choices = [], data = {}, fields = [] } = asked;
  switch (asked.interactionType) {
    case "approval":
      return { properties: {}, required: [] };
    case "confirm_data":
      return { properties: onlyFields(Object.entries(data)), required: [] };
    case "choice":
      return {
        properties: { [ANSWER]: { title, ...oneOf(choices.map(({ id, label }) => [id, label])) } },
        required: [ANSWER],
      };
    case "text_input":
      return { properties: { [ANSWER]: { type: "string", title, minLength: 1 } }, required: [ANSWER] };
    case "form":
      return {
        properties: Object.fromEntries(fields.map((field) => [field.key, formField(field)])),
        required: fields.flatMap(({ key, required }) => (required === true ? [key] : [])),
      };
  }
}

function oneOf(options: readonly (readonly [string, string])[]) {
  return { type: "string" as const, oneOf: options.map(([value, title]) => ({ const: value, title })) };
}

/** A form has no nested values: the message shows those. */
function onlyFields(entries: readonly (readonly [string, unknown])[]): Fields {
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const field = fieldOf(value);
      return field === undefined ? [] : [[key, field]];
    }),
  );
}

function fieldOf(value: unknown): Fields[string] | undefined {
  switch (typeof value) {
    case "string":
      return { type: "string", default: value };
    case "number":
      return { type: "number", default: value };
    case "boolean":
      return { type: "boolean", default: value };
    default:
      return undefined;
  }
}

type FormField = NonNullable<AskedQuestion["fields"]>[number];

function formField({
  type,
  label: title,
  options = [],
  placeholder,
  default: initial,
  required,
}: FormField): Fields[string] {
  const heading = { title, ...(placeholder !== undefined && { description: placeholder }) };
  const text = typeof initial === "string" && { default: initial };
  switch (type) {
    case "number":
      return { type: "number", ...heading, ...(typeof initial === "number" && { default: initial }) };
    case "toggle":
      return { type: "boolean", ...heading, ...(typeof initial === "boolean" && { default: initial }) };
    case "select":
      return { ...heading, ...oneOf(options.map(labelled).map(({ value, label }) => [value, label])), ...text };
    case "email":
      return { type: "string", format: "email", ...heading, ...text };
    case "text":
    case "textarea":
      return { type: "string", ...heading, ...(required === true && { minLength: 1 }), ...text };
  }
}
