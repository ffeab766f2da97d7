import { inputOf, placeholderOf, saying } from "./sent-request.ts";
import type { AssistantMessage, SentMessage, SentRequest } from "./sent-request.ts";

/** OpenAI's models that reason: they have another name for two fields, and no temperature. */
const REASONS = /^(?:o\d|gpt-(?:[5-9]|\d{2}))(?!.*chat)/;

/** A request in the form of Chat Completions. */
export function chatBody(request: SentRequest, provider: "openai" | "openai-compatible") {
  const { model, temperature, maxTokens, toolChoice } = request.parameters;
  const isReasoning = provider === "openai" && REASONS.test(model);
  return {
    model,
    ...(temperature !== undefined && !isReasoning && { temperature }),
    ...(maxTokens !== undefined && { [isReasoning ? "max_completion_tokens" : "max_tokens"]: maxTokens }),
    messages: saying(request.messages).map((message) => messageOf(message, provider, isReasoning)),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema: parameters }) => ({
        type: "function",
        function: { name, description, parameters },
      })),
    }),
    ...(toolChoice !== undefined && {
      tool_choice: toolChoice === "required" ? toolChoice : { type: "function", function: toolChoice },
    }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function messageOf(message: SentMessage, provider: "openai" | "openai-compatible", isReasoning: boolean): object {
  switch (message.role) {
    case "system":
      return { role: isReasoning ? "developer" : "system", content: message.content };
    case "user":
      return { role: "user", content: userContent(message) };
    case "assistant":
      return assistantMessage(message);
    case "tool": {
      const isWrapped = message.isError && provider === "openai";
      const content = isWrapped ? JSON.stringify({ error: message.output }) : message.output;
      return { role: "tool", tool_call_id: message.toolCallId, content };
    }
  }
}

function userContent({ content, images = [] }: Extract<SentMessage, { role: "user" }>) {
  if (images.length === 0) return content;
  const pictures = images.map(({ name, mediaType }) => ({
    type: "image_url",
    image_url: { url: `data:${mediaType};base64,${placeholderOf(name)}` },
  }));
  return [{ type: "text", text: content }, ...pictures];
}

function assistantMessage({ content, toolCalls }: AssistantMessage) {
  return {
    role: "assistant",
    content: content === "" && toolCalls.length > 0 ? null : content,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(inputOf(text)) },
      })),
    }),
  };
}
