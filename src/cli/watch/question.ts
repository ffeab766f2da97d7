import type { Schemas } from "#client/index.ts";
import { labelled } from "#lib/text/form-option.ts";
import { withoutFences } from "#lib/text/without-fences.ts";
import { oneLine, safeText } from "../terminal/safe-text.ts";

const SHOWN = 200;

/** The open question of a task or a run. */
export type Question = Schemas["OpenQuestion"];

const OPTIONS = {
  approval: "--approve or --refuse",
  confirm_data: "--approve or --refuse, with changes in --data '{…}'",
  choice: "--choice ID",
  text_input: '--text "…"',
  form: "--values '{…}'",
} as const satisfies Readonly<Record<Question["interactionType"], string>>;

/** The task or team run that asks. */
export interface QuestionSource {
  readonly what: "task" | "run";
  readonly id: string;
}

/** Returns a question as lines for people; the last one says how to answer it. */
export function describeQuestion({ what, id }: QuestionSource, asked: Question): string[] {
  const { data, choices = [], fields = [] } = asked;
  const cancel = asked.wizardStepId === undefined ? "" : " (or --cancel-wizard)";
  return [
    `? ${oneLine(asked.title, SHOWN)}`,
    ...withoutFences(asked.description)
      .split("\n")
      .flatMap((line) => (line.trim() === "" ? [] : [`  ${safeText(line)}`])),
    ...(asked.approval === undefined ? [] : [`  ${safeText(asked.approval.reason)}`]),
    ...(data === undefined ? [] : [`  ${safeText(JSON.stringify(data))}`]),
    ...choices.map(({ id, label, description }) => choiceLine(id, label, description)),
    ...fields.flatMap(({ key, label, type, required = false, options = [] }) => [
      `  ${safeText(key)}: ${oneLine(label, SHOWN)} (${safeText(type)}${required ? ", required" : ""})`,
      ...options.map(labelled).map((option) => `  ${choiceLine(option.value, option.label, undefined)}`),
    ]),
    `Answer it: muster ${what}s answer ${safeText(id)} ${OPTIONS[asked.interactionType]}${cancel}`,
  ];
}

function choiceLine(id: string, label: string, description: string | undefined): string {
  const meaning = description === undefined ? "" : ` (${oneLine(description, SHOWN)})`;
  return `  ${safeText(id)}: ${oneLine(label, SHOWN)}${meaning}`;
}
