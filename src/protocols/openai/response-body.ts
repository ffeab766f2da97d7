import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { ClientCall } from "#domain/tools/client-tools.ts";
import { clientCallId } from "./client-call-id.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { AskedQuestion } from "./reply-pieces.ts";
import { messageId, reasoningId, responseId } from "./ids.ts";
import { answerUrl, questionNotice, withNotice } from "./question-notice.ts";
import type { RequestEcho } from "./response-request.ts";
import type { ReplyPart } from "./reply-event.ts";
import type { Reply } from "./reply.ts";

const STATUS: Readonly<Record<TaskStatus, string>> = {
  pending: "queued",
  dispatched: "queued",
  running: "in_progress",
  waiting_for_input: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** The states of an output item. */
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** An event of a response's stream, without its number. */
export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Returns the message of a response; without a text while there is none. */
export function outputMessage(part: ReplyPart, status: ItemStatus, text?: string) {
  const content = text === undefined ? [] : [outputText(text)];
  return { id: messageId(part), type: "message", role: "assistant", status, content } as const;
}

/** Returns the text part of a message. */
export function outputText(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** A reasoning item of a response. */
interface ReasoningItem {
  /** Its index among the reasoning items of the response. */
  readonly index: number;
  readonly status: ItemStatus;
  /** Undefined while there is none. */
  readonly text?: string;
}

/** Returns a reasoning item. */
export function outputReasoning(part: ReplyPart, { index, status, text }: ReasoningItem) {
  const summary = text === undefined ? [] : [summaryText(text)];
  return { id: reasoningId(part, index), type: "reasoning", status, summary } as const;
}

/** Returns the text part of a reasoning item. */
export function summaryText(text: string) {
  return { type: "summary_text", text };
}

/** The calls of client tools that one event requests. */
export interface EventCalls {
  readonly seq: number;
  readonly calls: readonly ClientCall[];
}

/** Returns the function calls of a response. */
export function functionCalls({ taskId }: ReplyPart, { seq, calls }: EventCalls) {
  return calls.map(({ name, arguments: json }, index) => {
    const callId = clientCallId({ taskId, seq, index });
    const id = callId.replace("call_", "fc_");
    return { id, type: "function_call", status: "completed", call_id: callId, name, arguments: json } as const;
  });
}

/** The data of a response. */
export interface ResponseOf {
  readonly part: ReplyPart;
  readonly model: string;
  /** What it repeats of its request. */
  readonly echo: RequestEcho;
  /** The service's origin, for links. */
  readonly origin: string;
}

/** Returns a response object, with all fields that https://www.openresponses.org requires. */
export function responseBody(response: ResponseOf, reply: Reply) {
  const { part, model, echo } = response;
  const { prompt_tokens, completion_tokens, total_tokens, cached_tokens, reasoning_tokens } = reply.usage;
  const incomplete = incompleteDetails(response, reply);
  return {
    id: responseId(part),
    object: "response",
    created_at: reply.created,
    completed_at: reply.status === "completed" ? reply.completed : null,
    status: incomplete === null ? STATUS[reply.status] : "incomplete",
    model,
    output: outputOf(response, reply),
    error: reply.status === "failed" ? { code: "server_error", message: reply.error ?? "The run failed." } : null,
    incomplete_details: incomplete,
    ...echo,
    metadata: reply.metadata,
    usage: {
      input_tokens: prompt_tokens,
      input_tokens_details: { cached_tokens },
      output_tokens: completion_tokens,
      output_tokens_details: { reasoning_tokens },
      total_tokens,
    },
  };
}

/** Returns the text of a question to a person at the end of a response's text. */
export function noticeOf({ part, origin }: ResponseOf, question: AskedQuestion): string {
  return questionNotice(question, answerUrl(origin, part));
}

/** Why a reply is incomplete, in OpenAI's words or as a question to a person; null for a complete one. */
function incompleteDetails({ part, origin }: ResponseOf, { status, finish, question }: Reply) {
  if (question !== undefined) {
    return {
      reason: "waiting_for_input",
      interaction_id: question.interactionId,
      answer_url: answerUrl(origin, part),
      next_response_id: responseId({ taskId: part.taskId, after: question.seq }),
    };
  }
  const reason = status === "completed" && finish !== null ? cutBy(finish) : null;
  return reason && { reason };
}

/** Why a text was cut, in OpenAI's words; null for a whole one. */
function cutBy(finish: FinishReason): "max_output_tokens" | "content_filter" | null {
  if (finish === "length") return "max_output_tokens";
  return finish === "content_filter" || finish === "refusal" ? "content_filter" : null;
}

/** The status of a message that has ended. */
export function messageStatus(finish: FinishReason): ItemStatus {
  return cutBy(finish) === null ? "completed" : "incomplete";
}

/**
 * Returns the items of a reply that has ended. What a failure or a cancel interrupted stays in progress, as in OpenAI's
 * example of a cancelled response; Open Responses allows incomplete items only in incomplete responses.
 */
function outputOf(response: ResponseOf, { status, finish, text, thoughts, isThinking, asked, question }: Reply) {
  const isComplete = status === "completed";
  if (!isComplete && status !== "failed" && status !== "cancelled") return [];
  const { part } = response;
  const said = question === undefined ? text : withNotice(text, noticeOf(response, question));
  const isSilent = said === "" && (asked !== undefined || !isComplete);
  const message = isSilent
    ? []
    : [outputMessage(part, isComplete ? messageStatus(finish ?? "stop") : "in_progress", said)];
  const open = isThinking && !isComplete ? thoughts.length - 1 : undefined;
  const items = thoughts.map(({ text: thought, isAfterText }, index) => {
    const ended = index === open ? "in_progress" : "completed";
    return { isAfterText, item: outputReasoning(part, { index, status: ended, text: thought }) };
  });
  return [
    ...items.flatMap(({ item, isAfterText }) => (isAfterText ? [] : [item])),
    ...message,
    ...items.flatMap(({ item, isAfterText }) => (isAfterText ? [item] : [])),
    ...(asked === undefined ? [] : functionCalls(part, asked)),
  ];
}
