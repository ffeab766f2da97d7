import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { z } from "zod";
import type { ModelMessage, ModelRequest, ImageContent, ToolSpec } from "#domain/models/model-call.ts";
import type { ReplyPart, ToolCall } from "#domain/models/reply-parts.ts";
import { parseExactly } from "#lib/text/exact-json.ts";
import { isRecord } from "#lib/is-record.ts";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

const providerOptions = z.record(z.string(), z.record(z.string(), z.json()));

/** Converts our request to the form of the AI SDK's language models. */
export function toCallOptions(request: ModelRequest): LanguageModelV4CallOptions {
  return {
    prompt: toPrompt(request.messages),
    abortSignal: request.signal,
    ...(request.tools.length > 0 && { tools: request.tools.map(toTool), ...toToolChoice(request) }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxTokens !== undefined && { maxOutputTokens: request.maxTokens }),
    ...(request.effort !== undefined && { reasoning: request.effort }),
    ...(request.responseSchema !== undefined && {
      responseFormat: { type: "json", name: "result", schema: request.responseSchema },
    }),
  };
}

function toToolChoice({ toolChoice }: ModelRequest): Pick<LanguageModelV4CallOptions, "toolChoice"> {
  if (toolChoice === undefined || toolChoice === "auto") return {};
  if (toolChoice === "required") return { toolChoice: { type: "required" } };
  return { toolChoice: { type: "tool", toolName: toolChoice.name } };
}

/**
 * Consecutive tool results become one message, because providers expect the results of parallel calls together (Gemini
 * rejects them otherwise). Empty assistant messages are dropped.
 */
function toPrompt(messages: readonly ModelMessage[]): LanguageModelV4Message[] {
  const prompt: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role === "tool" && last?.role === "tool") {
      last.content.push(toToolResult(message));
    } else if (message.role !== "assistant" || !isEmpty(message)) {
      prompt.push(toMessage(message));
    }
  }
  return prompt;
}

function isEmpty(message: AssistantMessage): boolean {
  return message.parts.length === 0;
}

function toMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return {
        role: "user",
        content: [{ type: "text", text: message.content }, ...(message.images ?? []).map(toFilePart)],
      };
    case "assistant":
      return { role: "assistant", content: message.parts.map(toContent) };
    case "tool":
      return { role: "tool", content: [toToolResult(message)] };
  }
}

function toFilePart({ name, mediaType, data }: ImageContent) {
  return { type: "file" as const, filename: name, mediaType, data: { type: "data" as const, data } };
}

function toContent(part: ReplyPart): AssistantContent {
  if (part.type !== "tool-call") return { type: part.type, text: part.text, ...toProviderOptions(part) };
  const { call } = part;
  return {
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.name,
    input: toInput(call.arguments),
    ...toProviderOptions(call),
  };
}

/** Providers accept only objects as arguments: other text is wrapped, so that the model sees what it wrote. */
function toInput(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseExactly(text);
    if (isRecord(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { malformed_arguments: text };
}

function toProviderOptions({ providerData }: Pick<ToolCall, "providerData">): {
  readonly providerOptions?: SharedV4ProviderOptions;
} {
  return providerData === undefined ? {} : { providerOptions: providerOptions.parse(providerData) };
}

function toToolResult(message: ToolMessage): LanguageModelV4ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    output: { type: message.isError ? "error-text" : "text", value: message.output },
  };
}

function toTool(tool: ToolSpec): LanguageModelV4FunctionTool {
  if (!isJsonSchema(tool.inputSchema)) {
    throw new TypeError(`The input schema of tool ${tool.name} must describe an object.`);
  }
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  };
}

function isJsonSchema(schema: ToolSpec["inputSchema"]): schema is ToolSpec["inputSchema"] & JSONSchema7 {
  return schema["type"] === "object";
}
