import type { ImageContent, ModelMessage, ModelRequest } from "#domain/models/model-call.ts";
import { replyCalls } from "#domain/models/reply-parts.ts";
import type { ReplyPart, ToolCall } from "#domain/models/reply-parts.ts";
import { isRecord } from "#lib/is-record.ts";
import { OWN_DATA, REASONING_CONTENT, REASONING_DETAILS } from "./reasoning-field.ts";

/** A message of Chat Completions. */
export type ChatMessage = Readonly<Record<string, unknown>> & { readonly role: string };

/** The body of a Chat Completions request. */
export type ChatBody = Readonly<Record<string, unknown>> & { readonly messages: readonly ChatMessage[] };

/** Writes a request in the form of Chat Completions. */
export function chatBody(request: ModelRequest): ChatBody {
  const { tools, temperature, maxTokens, effort, responseSchema } = request;
  return {
    model: request.model,
    messages: request.messages
      .filter((message) => message.role !== "assistant" || message.parts.length > 0)
      .map(toMessage),
    stream: true,
    stream_options: { include_usage: true }, // without it these servers stream no token counts
    ...(tools.length > 0 && { tools: tools.map(toTool), ...toToolChoice(request) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(responseSchema !== undefined && {
      response_format: { type: "json_schema", json_schema: { name: "result", schema: responseSchema } },
    }),
  };
}

function toTool({ name, description, inputSchema }: ModelRequest["tools"][number]) {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

function toToolChoice({ toolChoice }: ModelRequest) {
  if (toolChoice === undefined || toolChoice === "auto") return {};
  if (toolChoice === "required") return { tool_choice: "required" };
  return { tool_choice: { type: "function", function: { name: toolChoice.name } } };
}

function toMessage(message: ModelMessage): ChatMessage {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user": {
      const { content, images = [] } = message;
      const text = { type: "text", text: content };
      return { role: "user", content: images.length === 0 ? content : [text, ...images.map(toImage)] };
    }
    case "assistant":
      return toAssistant(message.parts);
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.output };
  }
}

function toImage({ mediaType, data }: ImageContent) {
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${Buffer.from(data).toString("base64")}` } };
}

function toAssistant(parts: readonly ReplyPart[]): ChatMessage {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const reasoning = parts.map((part) => (isSentBack(part) ? part.text : "")).join("");
  const details = parts.flatMap(detailsOf);
  const calls = replyCalls(parts).map(toCall);
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(parts.some(isSentBack) && { [REASONING_CONTENT]: reasoning }),
    ...(details.length > 0 && { [REASONING_DETAILS]: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Only an endpoint that sent this field wants it back; others reject it. */
function isSentBack(part: ReplyPart): part is Extract<ReplyPart, { type: "reasoning" }> {
  return part.type === "reasoning" && part.providerData?.[OWN_DATA]?.["field"] === REASONING_CONTENT;
}

/** What OpenRouter sent of this part's reasoning. */
function detailsOf(part: ReplyPart): readonly unknown[] {
  const details = part.type === "reasoning" ? part.providerData?.[OWN_DATA]?.[REASONING_DETAILS] : undefined;
  return Array.isArray(details) ? details : [];
}

function toCall({ id, name, arguments: text }: ToolCall) {
  return { id, type: "function", function: { name, arguments: toArguments(text) } };
}

/** Servers parse the text for their templates, so it must be an object; the model still sees what it wrote. */
function toArguments(text: string): string {
  try {
    if (isRecord(JSON.parse(text))) return text;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return text.trim() === "" ? "{}" : JSON.stringify({ malformed_arguments: text });
}
