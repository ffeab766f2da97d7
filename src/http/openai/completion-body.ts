import type { ClientCall } from "#domain/tools/client-tools.ts";
import { clientCallId } from "#domain/protocols/client-call-id.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import type { ReplyPart } from "#operations/protocols/follow-reply.ts";
import type { Reply } from "#operations/protocols/read-reply.ts";
import type { ReplyPiece } from "#operations/protocols/reply-pieces.ts";
import type { NamedModel } from "#operations/protocols/runnable-models.ts";
import { failedReply } from "./errors.ts";
import { completionId } from "./ids.ts";

/** A completion: a reply of a model. */
export interface Completion {
  readonly part: ReplyPart;
  readonly model: NamedModel;
  readonly includeUsage: boolean;
}

/** Returns a chat completion object (https://platform.openai.com/docs/api-reference/chat/object). */
export function completionBody({ part, model }: Completion, { created, text, asked, usage }: Reply) {
  const message = { role: "assistant", content: asked !== undefined && text === "" ? null : text, refusal: null };
  const choice =
    asked === undefined
      ? { index: 0, message, finish_reason: "stop", logprobs: null }
      : {
          index: 0,
          message: { ...message, tool_calls: toolCalls(part, asked) },
          finish_reason: "tool_calls",
          logprobs: null,
        };
  return { id: completionId(part), object: "chat.completion", created, model: model.model, choices: [choice], usage };
}

/**
 * Yields the chunks of a completion, and `[DONE]` (https://platform.openai.com/docs/api-reference/chat-streaming).
 * With usage, every chunk has the field: null in all but the last.
 */
export async function* completionChunks(
  { part, model, includeUsage }: Completion,
  batches: AsyncIterable<readonly ReplyPiece[]>,
  readUsage: () => Promise<object>,
): AsyncGenerator<readonly SseMessage[]> {
  const head = {
    id: completionId(part),
    object: "chat.completion.chunk",
    created: Math.floor(Date.now() / 1_000),
    model: model.model,
    ...(includeUsage && { usage: null }),
  };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    data: JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason, logprobs: null }] }),
  });

  function messagesOf(piece: ReplyPiece): SseMessage[] {
    switch (piece.kind) {
      case "text":
        return [chunk({ content: piece.delta })];
      case "calls": {
        const calls = toolCalls(part, piece).map((call, index) => ({ index, ...call }));
        return [...calls.map((call) => chunk({ tool_calls: [call] })), chunk({}, "tool_calls")];
      }
      case "end":
        return [chunk({}, "stop")];
      case "failed":
        return [{ data: JSON.stringify(failedReply(piece)) }];
    }
  }

  yield [chunk({ role: "assistant", content: "" })];
  for await (const batch of batches) {
    yield batch.flatMap(messagesOf);
    if (includeUsage && batch.some(({ kind }) => kind === "end" || kind === "calls")) {
      yield [{ data: JSON.stringify({ ...head, choices: [], usage: await readUsage() }) }];
    }
  }
  yield [{ data: "[DONE]" }];
}

function toolCalls(
  { taskId }: ReplyPart,
  { seq, calls }: { readonly seq: number; readonly calls: readonly ClientCall[] },
) {
  return calls.map(({ name, arguments: json }, index) => ({
    id: clientCallId({ taskId, seq, index }),
    type: "function",
    function: { name, arguments: json },
  }));
}
