import type { Schemas } from "#client/index.ts";
import { labelled } from "#lib/text/form-option.ts";
import { isRecord } from "#lib/is-record.ts";
import { withoutFences } from "#lib/text/without-fences.ts";
import type { Question } from "./question.ts";
import { askChoice, askText, askYesNo } from "../terminal/prompt.ts";
import { safeText } from "../terminal/safe-text.ts";

/** An answer without the ids of its question. */
type AnswerFields = Omit<Schemas["AnswerTaskRequest"], "interactionId">;
type Field = NonNullable<Question["fields"]>[number];

/**
 * Asks the question of a task or a run on the terminal; returns the fields of the answer.
 * @throws CliError when the person aborts, or the signal ends the question.
 */
export async function askQuestion(asked: Question, signal: AbortSignal): Promise<AnswerFields> {
  const message = [asked.title, withoutFences(asked.description)].map(safeText).filter(Boolean).join("\n");
  switch (asked.interactionType) {
    case "approval":
      return { approved: await askYesNo(message, { active: "Approve", inactive: "Refuse" }, signal) };
    case "confirm_data":
      return askData(message, asked.data ?? {}, signal);
    case "choice":
      return { selectedOptionId: await askChoice(message, (asked.choices ?? []).map(toChoice), signal) };
    case "text_input":
      return {
        text: await askText({ message, signal, validate: (given) => (given === "" ? "Type an answer." : undefined) }),
      };
    case "form":
      return { values: await askForm(message, asked.fields ?? [], signal) };
  }
}

function toChoice({ id, label, description }: NonNullable<Question["choices"]>[number]) {
  return { value: id, label: safeText(label), hint: description && safeText(description) };
}

async function askData(message: string, data: object, signal: AbortSignal): Promise<AnswerFields> {
  const shown = `${message}\n${safeText(JSON.stringify(data, null, 2))}`;
  const choices = [
    { value: "confirm", label: "Confirm" },
    { value: "change", label: "Change", hint: "edit the data as JSON" },
    { value: "refuse", label: "Refuse" },
  ];
  const decision = await askChoice(shown, choices, signal);
  if (decision !== "change") return { approved: decision === "confirm" };
  const changed = await askText({
    message: "Data",
    initialValue: JSON.stringify(data),
    validate: (given) => (parseJson(given) === undefined ? "Type a JSON object." : undefined),
    signal,
  });
  const changedData = parseJson(changed);
  return { approved: true, ...(changedData && { data: changedData }) };
}

async function askForm(message: string, fields: readonly Field[], signal: AbortSignal) {
  const values: Record<string, unknown> = {};
  for (const [index, field] of fields.entries()) {
    const heading = index === 0 ? `${message}\n` : "";
    const value = await askField(field, heading, signal);
    if (value !== undefined) values[field.key] = value;
  }
  return values;
}

async function askField(field: Field, heading: string, signal: AbortSignal): Promise<unknown> {
  const { label, type, required = false, options = [] } = field;
  const message = `${heading}${safeText(label)}${required ? "" : " (optional)"}`;
  if (type === "toggle") return askYesNo(message, {}, signal);
  if (type === "select") {
    return askChoice(
      message,
      options.map(labelled).map(({ value, label: shown }) => ({ value, label: safeText(shown) })),
      signal,
    );
  }
  const validate = (given: string) => {
    if (given === "") return required ? "Type an answer." : undefined;
    return type === "number" && Number.isNaN(Number(given)) ? "Type a number." : undefined;
  };
  const given = await askText({ message, placeholder: field.placeholder, validate, signal });
  if (given === "") return undefined;
  return type === "number" ? Number(given) : given;
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
