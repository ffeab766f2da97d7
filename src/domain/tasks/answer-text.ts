import { z } from "zod";
import { trimEndOf } from "#lib/text/trim-end.ts";
import type { Answer } from "./answer.ts";
import { AppError } from "../errors.ts";
import { INTERACTION_TYPES } from "./interaction.ts";

const YES = new Set(["yes", "y", "ok", "approve", "approved", "confirm", "confirmed", "true"]);
const NO = new Set(["no", "n", "reject", "rejected", "deny", "denied", "decline", "declined", "false"]);

/** The fields of an open question that determine how a text is parsed as its answer. */
export const openQuestion = z.looseObject({
  interactionId: z.string(),
  interactionType: z.enum(INTERACTION_TYPES),
  title: z.string(),
  description: z.string().default(""),
  choices: z.array(z.looseObject({ id: z.string(), label: z.string() })).default([]),
  wizardStepId: z.string().optional(),
});

/** The fields of an open question that {@link answerFromText} reads. */
export type OpenQuestion = z.output<typeof openQuestion>;

/**
 * Parses a text as the answer to a question: yes or no, the id or label of an option, a text, or for values and forms
 * the JSON of the answer's fields.
 * @throws AppError `bad_request` naming the accepted answers.
 */
export function answerFromText(question: OpenQuestion, text: string): Answer {
  const step = question.wizardStepId === undefined ? {} : { wizardStepId: question.wizardStepId };
  return { ...step, ...read(question, text.trim()) };
}

function read({ interactionType, choices }: OpenQuestion, text: string): Answer {
  switch (interactionType) {
    case "approval":
      return { approved: parseYesOrNo(text) };
    case "confirm_data":
      return jsonObject(text) ?? { approved: parseYesOrNo(text) };
    case "choice":
      return { selectedOptionId: chosen(choices, text) };
    case "text_input":
      return { text };
    case "form":
      return { values: jsonObject(text) ?? rejectAnswer("a JSON object with the values of the form's fields") };
  }
}

function parseYesOrNo(text: string): boolean {
  const word = trimEndOf(text.toLowerCase(), ".!");
  if (YES.has(word)) return true;
  return NO.has(word) ? false : rejectAnswer("yes or no");
}

function chosen(choices: OpenQuestion["choices"], text: string): string {
  const wanted = text.toLowerCase();
  const found = choices.find(({ id, label }) => id.toLowerCase() === wanted || label.toLowerCase() === wanted);
  return found?.id ?? rejectAnswer(`one of ${choices.map(({ id }) => id).join(", ")}`);
}

const object = z.record(z.string(), z.unknown());

function jsonObject(text: string): Answer | undefined {
  try {
    return object.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function rejectAnswer(allowed: string): never {
  throw new AppError("bad_request", `Cannot read the answer: send ${allowed}, or the answer's fields as data.`);
}
