import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { ModelError, type ModelChunk } from "#domain/models/model-call.ts";
import { tokenCount } from "./token-count.ts";
import { ProviderStreamError } from "./provider-stream-error.ts";

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;
type ToolCallPart = Extract<LanguageModelV4StreamPart, { type: "tool-call" }>;

/**
 * Converts an AI SDK model's stream to our chunks. Leaving the loop early cancels the stream and the provider's HTTP
 * response.
 * @throws ProviderStreamError when the provider reports an error inside the stream
 * @throws ModelError of kind `cut` when the stream ends without the provider's end mark
 */
export async function* toChunks(stream: ReadableStream<LanguageModelV4StreamPart>): AsyncGenerator<ModelChunk> {
  for await (const part of stream) {
    switch (part.type) {
      case "text-delta":
        if (part.delta !== "") {
          yield { type: "text", delta: part.delta };
        }
        break;
      case "tool-call":
        yield toToolCall(part);
        break;
      case "error":
        throw new ProviderStreamError(part.error);
      case "finish":
        yield toFinish(part);
        return;
      default: // reasoning, sources and the pieces of a tool call are not part of our conversation
        break;
    }
  }
  throw cut();
}

function toToolCall(part: ToolCallPart): ModelChunk {
  return {
    type: "tool-call",
    call: {
      id: part.toolCallId,
      name: part.toolName,
      arguments: part.input,
      ...(part.providerMetadata !== undefined && { providerData: part.providerMetadata }),
    },
  };
}

/**
 * The AI SDK ends an interrupted stream with a finish part of its own; only one from the provider has the provider's raw
 * finish reason.
 */
function toFinish({ finishReason, usage }: FinishPart): ModelChunk {
  if (finishReason.raw === undefined) {
    throw cut();
  }
  if (finishReason.unified === "error") {
    throw new ModelError("cut", `The provider aborted the answer: ${finishReason.raw}`);
  }
  return {
    type: "finish",
    usage: {
      promptTokens: tokenCount(usage.inputTokens.total),
      completionTokens: tokenCount(usage.outputTokens.total),
    },
  };
}

function cut(): ModelError {
  return new ModelError("cut", "The provider's answer ended before it was complete.");
}
