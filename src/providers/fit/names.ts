import { createHash } from "node:crypto";
import type { ModelMessage, ModelRequest } from "#domain/models/model-call.ts";
import { replyCalls } from "#domain/models/reply-parts.ts";
import type { ReplyPart, ToolCall } from "#domain/models/reply-parts.ts";
import type { FitRule, FittedRequest } from "./fit-request.ts";

/** The form of tool names that OpenAI, Anthropic, Mistral and most others require. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;
const NO_NAME = "unnamed_tool";

/**
 * Gives tools that a model invented ("functions.current time") a name that vendors accept in the history. Our log keeps
 * the model's own word.
 */
export function fitToolNames(request: ModelRequest): FittedRequest {
  return { request: mapCalls(request, { name: toToolName }), notes: [] };
}

function toToolName(name: string): string {
  if (TOOL_NAME.test(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, MAX_NAME) || NO_NAME;
}

/**
 * Creates a rule for the ids of tool calls: one of another model that does not match is replaced by a digest, in call
 * and result. The receiver gets its own ids back unchanged, whatever they are.
 */
export function fitCallIds(pattern: RegExp, length: number): FitRule {
  return (request) => {
    const own = ownIds(request.messages);
    const id = (given: string) =>
      own.has(given) || pattern.test(given) ? given : createHash("sha256").update(given).digest("hex").slice(0, length);
    return { request: mapCalls(request, { id }), notes: [] };
  };
}

/** The ids of calls that the receiver itself made: its replies still have their origin. */
function ownIds(messages: readonly ModelMessage[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) =>
      message.role === "assistant" && message.origin !== undefined
        ? replyCalls(message.parts).map((call) => call.id)
        : [],
    ),
  );
}

interface CallMapping {
  readonly id?: (id: string) => string;
  readonly name?: (name: string) => string;
}

function mapCalls(request: ModelRequest, { id = same, name = same }: CallMapping): ModelRequest {
  const call = ({ providerData, ...given }: ToolCall): ToolCall => {
    const fitted = { ...given, id: id(given.id), name: name(given.name) };
    // A signature does not fit a call with another name.
    return providerData === undefined || fitted.name !== given.name ? fitted : { ...fitted, providerData };
  };
  const part = (given: ReplyPart): ReplyPart =>
    given.type === "tool-call" ? { ...given, call: call(given.call) } : given;
  const message = (given: ModelMessage): ModelMessage => {
    if (given.role === "assistant") return { ...given, parts: given.parts.map(part) };
    if (given.role !== "tool") return given;
    return { ...given, toolCallId: id(given.toolCallId), toolName: name(given.toolName) };
  };
  return { ...request, messages: request.messages.map(message) };
}

function same(text: string): string {
  return text;
}
