import { inputOf, joined, placeholderOf, saying } from "./sent-request.ts";
import type { SentMessage, SentRequest } from "./sent-request.ts";

/** The API demands a limit; the agent has none. */
const DEFAULT_MAX_TOKENS = 4_096;

/** A request in the form of Anthropic's Messages API. */
export function messagesBody({ messages, tools, parameters }: SentRequest) {
  const { model, temperature, maxTokens = DEFAULT_MAX_TOKENS, toolChoice } = parameters;
  const system = messages.flatMap((each) => (each.role === "system" ? [{ type: "text", text: each.content }] : []));
  const turns = saying(messages).filter(({ role }) => role !== "system");
  return {
    model,
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(system.length > 0 && { system }),
    messages: joined(turns.map(turnOf)).map(({ role, parts }) => ({ role, content: parts })),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    }),
    ...(toolChoice !== undefined && {
      tool_choice: toolChoice === "required" ? { type: "any" } : { type: "tool", ...toolChoice },
    }),
    stream: true,
  };
}

function turnOf(message: SentMessage): { readonly role: "user" | "assistant"; readonly parts: readonly object[] } {
  switch (message.role) {
    case "system":
    case "user":
      return { role: "user", parts: [{ type: "text", text: message.content }, ...picturesOf(message)] };
    case "assistant":
      return {
        role: "assistant",
        parts: [
          ...(message.content === "" ? [] : [{ type: "text", text: message.content }]),
          ...message.toolCalls.map(({ id, name, arguments: text }) => {
            return { type: "tool_use", id, name, input: inputOf(text) };
          }),
        ],
      };
    case "tool": {
      const { toolCallId, output, isError } = message;
      const result = { type: "tool_result", tool_use_id: toolCallId, content: output };
      return { role: "user", parts: [isError ? { ...result, is_error: true } : result] };
    }
  }
}

function picturesOf(message: SentMessage): readonly object[] {
  if (message.role !== "user") return [];
  return (message.images ?? []).map(({ name, mediaType }) => ({
    type: "image",
    source: { type: "base64", media_type: mediaType, data: placeholderOf(name) },
  }));
}
