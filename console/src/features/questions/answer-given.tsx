import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { visibleText } from "../../lib/visible-text.ts";

/** The answer as text: each value under its name. */
export function AnswerGiven({
  request,
  answer,
}: {
  readonly request: InteractionRequest;
  readonly answer: Readonly<Record<string, unknown>>;
}) {
  return (
    <dl className="grid max-w-[40rem] grid-cols-[max-content_1fr] gap-x-4 gap-y-1 rounded-control border border-line px-4 py-3">
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

type Line = readonly [name: string, value: string];

function linesOf(request: InteractionRequest, answer: Readonly<Record<string, unknown>>): readonly Line[] {
  const pages = answer["answers"];
  if (isRecord(pages)) {
    const steps = request.wizard?.steps ?? [];
    const cancelled: readonly Line[] = answer["cancelled"] === true ? [["Answer", "Cancelled"]] : [];
    return [
      ...Object.entries(pages).map(([stepId, page]): Line => {
        const title = steps.find((step) => step.stepId === stepId)?.title ?? stepId;
        return [title, isRecord(page) ? wordsOf(page) : textOf(page)];
      }),
      ...cancelled,
    ];
  }
  const values = answer["values"] ?? answer["data"];
  const decision: readonly Line[] = typeof answer["approved"] === "boolean" ? [["Answer", wordsOf(answer)]] : [];
  if (isRecord(values))
    return [...decision, ...Object.entries(values).map(([name, value]): Line => [name, textOf(value)])];
  return decision.length > 0 ? decision : [["Answer", choiceOf(request, answer) ?? wordsOf(answer)]];
}

/** The label of the option that was chosen. */
function choiceOf(request: InteractionRequest, { selectedOptionId: id }: Readonly<Record<string, unknown>>) {
  if (request.interactionType !== "choice" || !("choices" in request)) return undefined;
  return request.choices.find((choice) => choice.id === id)?.label;
}

function wordsOf(answer: Readonly<Record<string, unknown>>): string {
  if (typeof answer["approved"] === "boolean") return answer["approved"] ? "Approved" : "Rejected";
  return textOf(answer["text"] ?? answer["selectedOptionId"] ?? answer["values"] ?? answer);
}

function textOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
