import { dollars } from "#lib/text/dollars.ts";
import { withoutFences } from "#lib/text/without-fences.ts";
import type { Answer } from "../tasks/answer.ts";
import type { AskedQuestion } from "../tasks/open-question.ts";
import type { ChannelPlace } from "./channel-message.ts";
import type { QuestionButton } from "./question-button.ts";

/** The shown length of a name or an answer. */
const MAX_SHOWN = 200;
const ENDINGS = {
  fail: "the run fails",
  deny: "the call is denied",
  allow: "the call is allowed without approval",
} as const;

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
  /** Null: the question is closed. */
  readonly link: { readonly label: string; readonly url: string } | null;
  /** How far it is decided, until when; for a closed question, who answered what. */
  readonly footer: string;
  /** The conversation in which the agent asks; absent for the channel of the route. */
  readonly place?: ChannelPlace | undefined;
}

/** A message with its link: the question is open. */
export type OpenMessage = QuestionMessage & { readonly link: NonNullable<QuestionMessage["link"]> };

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
  /** The channel; `link` proves no person. */
  readonly answeredVia: string | null;
  readonly answer: Answer | null;
  /** On a question that a rule asks, in their order. */
  readonly votes: readonly { readonly name: string; readonly approved: boolean }[];
}

/** The text of a question: why a rule asks it, which must not be cut; its description; and the data to confirm. */
export function questionText(request: AskedQuestion): string {
  const { choices = [], approval } = request;
  const reason = approval === undefined ? [] : [reasonText(approval)];
  const data = request.data === undefined ? [] : [JSON.stringify(request.data, null, 2)];
  const options = choices.flatMap(({ label, description }) =>
    description === undefined ? [] : [`${label}: ${description}`],
  );
  const description = withoutFences(request.description);
  return [...reason, description, ...data, options.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** Why a rule asks, and what the run costs. */
export function reasonText({ reason, costUsd, expectedUsd }: NonNullable<AskedQuestion["approval"]>): string {
  const more = expectedUsd === null ? "" : `, and going on usually costs ${dollars(expectedUsd)} more`;
  return `${reason} The run has cost ${dollars(costUsd)} so far${more}.`;
}

/** Says how a question ended: `Ana answered at 10:32 UTC: approved`. */
export function outcomeText({ state, request, answeredAt, answer, votes, ...by }: QuestionState): string {
  if (state === "cancelled") return "The question was cancelled.";
  if (state !== "answered" || answeredAt === null) return "No answer came in time.";
  const time = answeredAt.toISOString().slice(11, 16);
  if (answer?.["late"] === true) return `Not decided in time. By the rule, it is ${answerText(request, answer)}.`;
  const voters = votes.filter(({ approved }) => approved === answer?.["approved"]).map(({ name }) => name);
  if (request.approval !== undefined && voters.length === 0) {
    return `${tallyText(request, votes)} Nobody else could, so at ${time} UTC it was ${answerText(request, answer)}.`;
  }
  const who = voters.length > 1 ? namesOf(voters) : shown(by.answeredBy ?? "Somebody");
  const how = by.answeredVia === "link" ? " by a link" : "";
  return `${who} answered${how} at ${time} UTC: ${answerText(request, answer)}`;
}

/** How far a rule's question is decided: `1 of 2 approved: Ana.` Empty for a question that no rule asks. */
export function tallyText({ approval }: AskedQuestion, votes: QuestionState["votes"]): string {
  if (approval === undefined) return "";
  const namesWhere = (approves: boolean) =>
    votes.filter(({ approved }) => approved === approves).map(({ name }) => name);
  const [approved, denied] = [namesWhere(true), namesWhere(false)];
  const by = (names: readonly string[]) => (names.length === 0 ? "" : `: ${namesOf(names)}`);
  const against = denied.length === 0 ? "" : ` ${denied.length} denied${by(denied)}.`;
  return `${approved.length} of ${approval.need} approved${by(approved)}.${against}`;
}

/** The time until which a question waits, for people of all time zones, and what happens then. */
export function deadlineText(deadline: Date | null, { approval }: AskedQuestion): string {
  if (deadline === null) return "";
  const then = approval?.escalates === true ? "more people are asked" : ENDINGS[approval?.otherwise ?? "fail"];
  return `Until ${deadline.toISOString().slice(0, 16).replace("T", " ")} UTC. Then ${then}.`;
}

function namesOf(names: readonly string[]): string {
  return shown(names.join(", "));
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
