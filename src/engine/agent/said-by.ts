import type { ModelMessage } from "#domain/models/model-call.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import type { ModelReply } from "./stream-reply.ts";

/** A reply as a message of the conversation. @param calls its tool calls, with ids that are unique in the run */
export function saidBy({ parts, provider, model, asked, usage }: ModelReply, calls: readonly ToolCall[]): ModelMessage {
  const left = [...calls];
  return {
    role: "assistant",
    parts: parts.map((part) => (part.type === "tool-call" ? { ...part, call: left.shift() ?? part.call } : part)),
    ...(asked !== undefined && { origin: { provider, model, asked } }),
    ...(usage.promptTokens > 0 && { promptTokens: usage.promptTokens }),
  };
}
