import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { visibleText } from "../../lib/visible-text.ts";

/** The answer as text: each value under its name. */
export function AnswerGiven({
  request,
  answer,
}: {
  readonly request: InteractionRequest;
  readonly answer: AnswerFields;
}) {
  return (
    <dl className="grid max-w-[40rem] grid-cols-[max-content_1fr] gap-x-4 gap-y-1 box px-4 py-3">
      {linesOf(request, answer).map(([name, value]) => (
        <div key={name} className="contents">
          <dt dir="auto" className="text-ink-2">
            {visibleText(name)}
          </dt>
          <dd dir="auto" className="min-w-0 break-words whitespace-pre-wrap">
            {visibleText(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type AnswerFields = Readonly<Record<string, unknown>>;
type Line = readonly [name: string, value: string];

function linesOf(request: InteractionRequest, answer: AnswerFields): readonly Line[] {
  const pages = answer["answers"];
  if (isRecord(pages)) {
    const steps = request.wizard?.steps ?? [];
    const cancelled: readonly Line[] = answer["cancelled"] === true ? [["Answer", "Cancelled"]] : [];
    return [
      ...Object.entries(pages).map(([stepId, page]): Line => {
        const step = steps.find((each) => each.stepId === stepId);
        return [step?.title ?? stepId, isRecord(page) ? wordsOf(step, page) : textOf(page)];
      }),
      ...cancelled,
    ];
  }
  const values = answer["values"] ?? answer["data"];
  const decision: readonly Line[] = typeof answer["approved"] === "boolean" ? [["Answer", decisionOf(answer)]] : [];
  if (isRecord(values)) return [...decision, ...valueLines(request, values)];
  return [["Answer", wordsOf(request, answer)]];
}

/** The answer to one question in a line. */
function wordsOf(question: object | undefined, answer: AnswerFields): string {
  if (typeof answer["approved"] === "boolean") return decisionOf(answer);
  const { values, text, selectedOptionId: id } = answer;
  if (!isRecord(values)) return labelOf(question, id) ?? textOf(text ?? id ?? answer);
  return valueLines(question, values)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function decisionOf({ approved }: AnswerFields): string {
  return approved === true ? "Approved" : "Rejected";
}

/** The values of a form in the order and with the labels of its fields. */
function valueLines(question: object | undefined, values: AnswerFields): readonly Line[] {
  const fields = new Map(listIn(question, "fields").map((field) => [textOf(field["key"]), field] as const));
  const keys = [...fields.keys(), ...Object.keys(values).filter((key) => !fields.has(key))];
  return keys.flatMap((key) => {
    if (!(key in values)) return [];
    const field = fields.get(key);
    const chosen = listIn(field, "options").find((option) => option["value"] === values[key]);
    return [[textOf(field?.["label"] ?? key), textOf(chosen?.["label"] ?? values[key])] as const];
  });
}

/** The label of the option that was chosen. */
function labelOf(question: object | undefined, id: unknown): string | undefined {
  const choice = listIn(question, "choices").find((each) => each["id"] === id);
  return choice === undefined ? undefined : textOf(choice["label"]);
}

/** What a question offers under a name: the fields of a form, the options of a choice or of a field. */
function listIn(question: object | undefined, name: "fields" | "choices" | "options"): readonly AnswerFields[] {
  const list = question === undefined ? undefined : new Map<string, unknown>(Object.entries(question)).get(name);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function textOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function isRecord(value: unknown): value is AnswerFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
