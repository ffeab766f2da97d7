import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { ModelError } from "#domain/models/model-call.ts";
import type { ModelChunk, TokenUsage } from "#domain/models/model-call.ts";
import type { FinishReason, ReplyEnd } from "#domain/models/reply-parts.ts";
import { tokenCount } from "./token-count.ts";
import { ProviderStreamError, isUnknownChunk } from "./provider-stream-error.ts";
import { gatherReply } from "./gather-reply.ts";
import { describeWarning } from "./warnings.ts";

/**
 * Converts a stream in the AI SDK's form to our chunks. Leaving the loop early cancels the stream and the provider's HTTP
 * response. `onEvent` gets the provider's own events. Parts of a kind that a conversation does not have, such as sources, and chunks of an unknown form are
 * skipped.
 * @throws ProviderStreamError when the provider reports an error inside the stream
 * @throws ModelError of kind `cut` when the stream ends without the provider's end mark
 */
export async function* readReply(
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  onEvent: (event: unknown) => void,
): AsyncGenerator<ModelChunk> {
  const reply = gatherReply();
  for await (const part of stream) {
    switch (part.type) {
      case "stream-start":
        if (part.warnings.length > 0) yield { type: "notes", notes: part.warnings.map(describeWarning) };
        break;
      case "raw":
        onEvent(part.rawValue);
        break;
      case "error":
        if (isUnknownChunk(part.error)) break;
        throw new ProviderStreamError(part.error);
      case "finish":
        yield { type: "finish", parts: reply.parts(), end: endOf(part.finishReason), usage: toUsage(part.usage) };
        return;
      default:
        yield* reply.add(part);
    }
  }
  throw cut();
}

const REASONS: Readonly<
  Record<Exclude<LanguageModelV4FinishReason["unified"], "error" | "interrupted">, FinishReason>
> = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
  other: "other",
};

/** A model that refuses to answer, which the SDK counts as filtered: Anthropic's word, and OpenAI's refusal items. */
const REFUSAL = "refusal";

/**
 * The AI SDK ends an interrupted stream with a finish part of its own: `interrupted`, or `other` without the provider's
 * word. OpenAI's Responses have no word for a complete reply, or for a refusal.
 */
function endOf({ raw, unified }: LanguageModelV4FinishReason): ReplyEnd {
  if (unified === "error") {
    throw raw === undefined ? cut() : new ModelError("cut", `The provider aborted the answer: ${raw}`);
  }
  if (unified === "interrupted" || (raw === undefined && unified === "other")) throw cut();
  const word = raw ?? (unified === "content-filter" ? REFUSAL : unified);
  return { reason: word === REFUSAL ? "refusal" : REASONS[unified], raw: word };
}

/** The tokens that a provider reports. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage {
  const counts = {
    cachedTokens: tokenCount(inputTokens.cacheRead),
    cacheWriteTokens: tokenCount(inputTokens.cacheWrite),
    reasoningTokens: tokenCount(outputTokens.reasoning),
  };
  return {
    promptTokens: tokenCount(inputTokens.total),
    completionTokens: tokenCount(outputTokens.total),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
  };
}

function cut(): ModelError {
  return new ModelError("cut", "The provider's answer ended before it was complete.");
}
