import { AppError } from "#domain/errors.ts";
import type { TaskStatus } from "#domain/task.ts";
import { isUuid } from "#lib/ids.ts";
import type { Reply } from "#operations/protocols/read-reply.ts";

const PREFIX = "resp_";

const STATUS: Readonly<Record<TaskStatus, string>> = {
  pending: "queued",
  dispatched: "queued",
  running: "in_progress",
  waiting_for_input: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** The id of the response that a task makes. */
export function responseId(taskId: string): string {
  return PREFIX + taskId;
}

/** The task behind a response's id. @throws AppError `not_found` for what is no such id. */
export function taskIdOf(id: string): string {
  const taskId = id.startsWith(PREFIX) ? id.slice(PREFIX.length).toLowerCase() : "";
  if (!isUuid(taskId)) throw new AppError("not_found", `Response not found: ${id}`);
  return taskId;
}

/** The message of a response; without a text as long as there is none. */
export function outputMessage(taskId: string, status: "in_progress" | "completed", text?: string) {
  const content = text === undefined ? [] : [outputText(text)];
  return { id: `msg_${taskId}`, type: "message", role: "assistant", status, content };
}

/** The text of a message. */
export function outputText(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** What a response is about. */
export interface ResponseOf {
  readonly taskId: string;
  readonly model: string;
  readonly previousId: string | null;
}

/** A response object (https://platform.openai.com/docs/api-reference/responses/object). */
export function responseBody({ taskId, model, previousId }: ResponseOf, reply: Reply) {
  const { prompt_tokens, completion_tokens, total_tokens } = reply.usage;
  const isDone = reply.status === "completed";
  return {
    id: responseId(taskId),
    object: "response",
    created_at: reply.created,
    status: STATUS[reply.status],
    model,
    output: isDone ? [outputMessage(taskId, "completed", reply.text)] : [],
    error: reply.status === "failed" ? { code: "server_error", message: reply.error ?? "The run failed." } : null,
    incomplete_details: null,
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
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: completion_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens,
    },
  };
}
