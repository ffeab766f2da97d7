import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { ClientCall } from "#domain/tools/client-tools.ts";
import { clientCallId } from "./client-call-id.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import { isEnd } from "./reply-pieces.ts";
import type { ReplyPiece } from "./reply-pieces.ts";
import { completionId } from "./ids.ts";
import { answerUrl, questionNotice, withNotice } from "./question-notice.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";
import type { ReplyPart } from "./reply-event.ts";
import type { Reply, Said } from "./reply.ts";
import { NOTHING_SAID, withPiece } from "./reply.ts";
import { failedReply } from "./failed-reply.ts";

/** A completion: a reply of a model. */
export interface Completion {
  readonly part: ReplyPart;
  readonly model: NamedModel;
  readonly includeUsage: boolean;
  /** The service's origin, for links. */
  readonly origin: string;
}

/** Returns a chat completion object (https://platform.openai.com/docs/api-reference/chat/object). */
export function completionBody(
  completion: Completion,
  { created, text, thoughts, asked, question, finish, usage }: Reply,
) {
  const { part, model, origin } = completion;
  const said = question === undefined ? text : withNotice(text, questionNotice(question, answerUrl(origin, part)));
  const reasoning = thoughts.map((thought) => thought.text).join("\n\n");
  const message = {
    role: "assistant",
    content: asked !== undefined && text === "" ? null : said,
    refusal: null,
    // As compatible services send it; OpenAI does not show any.
    ...(reasoning !== "" && { reasoning_content: reasoning }),
  };
  const choice =
    asked === undefined
      ? { index: 0, message, finish_reason: finishReason(finish ?? "stop"), logprobs: null }
      : {
          index: 0,
          message: { ...message, tool_calls: toolCalls(part, asked) },
          finish_reason: "tool_calls",
          logprobs: null,
        };
  return {
    id: completionId(part),
    object: "chat.completion",
    created,
    model: model.model,
    choices: [choice],
    usage: usageBody(usage),
  };
}

/**
 * Yields the chunks of a completion, and `[DONE]` (https://platform.openai.com/docs/api-reference/chat-streaming).
 * With usage, every chunk has the field: null in all but the last.
 */
export async function* completionChunks(
  { part, model, includeUsage, origin }: Completion,
  batches: AsyncIterable<readonly ReplyPiece[]>,
  read: (said: Said) => Promise<Reply>,
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
      case "reasoning":
        return [chunk({ reasoning_content: piece.delta })];
      case "question": {
        const notice = questionNotice(piece.question, answerUrl(origin, part));
        const delta = withNotice(piece.text, notice).slice(piece.text.length);
        return [chunk({ content: delta }), chunk({}, "stop")];
      }
      case "calls": {
        const calls = toolCalls(part, piece).map((call, index) => ({ index, ...call }));
        return [...calls.map((call) => chunk({ tool_calls: [call] })), chunk({}, "tool_calls")];
      }
      case "end":
        return [chunk({}, finishReason(piece.finish))];
      case "failed":
        return [{ data: JSON.stringify(failedReply(piece)) }];
    }
  }

  yield [chunk({ role: "assistant", content: "" })];
  let said = NOTHING_SAID;
  for await (const batch of batches) {
    said = batch.reduce(withPiece, said);
    yield batch.flatMap(messagesOf);
    const last = batch.at(-1);
    if (last === undefined || !isEnd(last)) continue;
    if (includeUsage && last.kind !== "failed") {
      yield [{ data: JSON.stringify({ ...head, choices: [], usage: usageBody((await read(said)).usage) }) }];
    }
    yield [{ data: "[DONE]" }];
  }
}

/** OpenAI's words for how a reply ended; a refusal is filtered content. */
function finishReason(finish: FinishReason): "stop" | "length" | "content_filter" {
  if (finish === "length") return finish;
  return finish === "content_filter" || finish === "refusal" ? "content_filter" : "stop";
}

function usageBody({ cached_tokens, reasoning_tokens, ...sums }: Reply["usage"]) {
  return {
    prompt_tokens: sums.prompt_tokens,
    completion_tokens: sums.completion_tokens,
    total_tokens: sums.total_tokens,
    prompt_tokens_details: { cached_tokens },
    completion_tokens_details: { reasoning_tokens },
  };
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
