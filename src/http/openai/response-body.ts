import type { ClientCall } from "#domain/tools/client-tools.ts";
import { clientCallId } from "#domain/protocols/client-call-id.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { ReplyPart } from "#operations/protocols/follow-reply.ts";
import type { Reply } from "#operations/protocols/read-reply.ts";
import { messageId, responseId } from "./ids.ts";

const STATUS: Readonly<Record<TaskStatus, string>> = {
  pending: "queued",
  dispatched: "queued",
  running: "in_progress",
  waiting_for_input: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** Returns the message of a response; without a text while there is none. */
export function outputMessage(part: ReplyPart, status: "in_progress" | "completed", text?: string) {
  const content = text === undefined ? [] : [outputText(text)];
  return { id: messageId(part), type: "message", role: "assistant", status, content } as const;
}

/** Returns the text part of a message. */
export function outputText(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
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
  readonly previousId: string | null;
}

/** Returns a response object (https://platform.openai.com/docs/api-reference/responses/object). */
export function responseBody({ part, model, previousId }: ResponseOf, reply: Reply) {
  const { prompt_tokens, completion_tokens, total_tokens, cached_tokens, reasoning_tokens } = reply.usage;
  const incomplete = incompleteReason(reply);
  return {
    id: responseId(part),
    object: "response",
    created_at: reply.created,
    status: incomplete === undefined ? STATUS[reply.status] : "incomplete",
    model,
    output: outputOf(part, reply),
    error: reply.status === "failed" ? { code: "server_error", message: reply.error ?? "The run failed." } : null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: previousId,
    temperature: null,
    tool_choice: "auto",
    tools: [],
    top_p: null,
    usage: {
      input_tokens: prompt_tokens,
      input_tokens_details: { cached_tokens },
      output_tokens: completion_tokens,
      output_tokens_details: { reasoning_tokens },
      total_tokens,
    },
  };
}

/** Why a completed reply is incomplete, in OpenAI's words; undefined for a complete one. */
export function incompleteReason({ status, finish }: Pick<Reply, "status" | "finish">): string | undefined {
  if (status !== "completed") return undefined;
  if (finish === "length") return "max_output_tokens";
  return finish === "content_filter" || finish === "refusal" ? "content_filter" : undefined;
}

function outputOf(part: ReplyPart, { status, text, asked }: Reply) {
  if (status !== "completed") return [];
  if (asked === undefined) return [outputMessage(part, "completed", text)];
  const message = text === "" ? [] : [outputMessage(part, "completed", text)];
  return [...message, ...functionCalls(part, asked)];
}
