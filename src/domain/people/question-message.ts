import type { Answer } from "../tasks/answer.ts";
import type { AskedQuestion } from "../tasks/open-question.ts";
import type { QuestionButton } from "./question-button.ts";

/** The shown length of a name or an answer. */
const MAX_SHOWN = 200;

/** A message that asks people in a channel. */
export interface QuestionMessage {
  /** The question in a few words. */
  readonly title: string;
  /** The agent or team that asks, and the work. */
  readonly context: string;
  /** What a person needs to know, with the data to confirm; may be long or empty. */
  readonly text: string;
  /** Empty: people answer by the link. */
  readonly buttons: readonly QuestionButton[];
  readonly link: { readonly label: string; readonly url: string };
  /** How to answer, until when; for a closed question, who answered what. */
  readonly footer: string;
}

/** A vendor's ids of a message. `key` names it among the messages of a workspace, for replies. */
export interface PostedMessage {
  readonly key: string;
  readonly channel: string;
  readonly message: string;
}

/** How a question ended, or that it is open. */
export interface QuestionState {
  readonly state: "open" | "answered" | "expired" | "cancelled";
  readonly request: AskedQuestion;
  readonly answeredAt: Date | null;
  readonly answeredBy: string | null;
  readonly answer: Answer | null;
}

/** The text of a question: its description, and the data that a person confirms. */
export function questionText(request: AskedQuestion): string {
  const { choices = [] } = request;
  const data = request.data === undefined ? [] : [JSON.stringify(request.data, null, 2)];
  const options = choices.flatMap(({ label, description }) =>
    description === undefined ? [] : [`${label}: ${description}`],
  );
  return [request.description, ...data, options.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** Says how a question ended: `Ana answered at 10:32 UTC: approved`. */
export function outcomeText({ state, request, answeredAt, answeredBy, answer }: QuestionState): string {
  if (state === "cancelled") return "The question was cancelled.";
  if (state !== "answered" || answeredAt === null) return "No answer came in time.";
  const time = answeredAt.toISOString().slice(11, 16);
  return `${shown(answeredBy ?? "Somebody")} answered at ${time} UTC: ${answerText(request, answer)}`;
}

/** The time until which a question waits, for people of all time zones. */
export function deadlineText(deadline: Date | null): string {
  return deadline === null ? "" : `Until ${deadline.toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}

function answerText(request: AskedQuestion, answer: Answer | null): string {
  if (answer === null || request.wizard !== undefined) return "answered";
  switch (request.interactionType) {
    case "approval":
    case "confirm_data":
      return answer["approved"] === true ? "approved" : "rejected";
    case "choice": {
      const chosen = request.choices?.find(({ id }) => id === answer["selectedOptionId"]);
      return shown(chosen?.label ?? "answered");
    }
    case "text_input":
      return shown(String(answer["text"]));
    case "form":
      return "answered";
  }
}

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line;
}
