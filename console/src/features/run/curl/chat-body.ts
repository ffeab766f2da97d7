import { inputOf, placeholderOf, saying } from "./sent-request.ts";
import type { AssistantMessage, SentMessage, SentRequest } from "./sent-request.ts";

/** A request in the form of Chat Completions. */
export function chatBody(request: SentRequest) {
  const { model, temperature, maxTokens, effort, toolChoice } = request.parameters;
  return {
    model,
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    messages: saying(request.messages).map(messageOf),
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

function messageOf(message: SentMessage): object {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: userContent(message) };
    case "assistant":
      return assistantMessage(message);
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.output };
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
