import { z } from "zod";
import type { ModelMessage, ToolSpec } from "#domain/models/model-call.ts";
import { REASONING_EFFORTS } from "#domain/models/model-catalogue.ts";
import { replyCalls, replyText, toolCall } from "#domain/models/reply-parts.ts";

/** A message as it was sent; images are recorded by reference. */
export const sentMessage = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content: z.string() }),
  z.object({
    role: z.literal("user"),
    content: z.string(),
    images: z.array(z.object({ name: z.string(), mediaType: z.string(), bytes: z.int() })).optional(),
  }),
  z.object({ role: z.literal("assistant"), content: z.string(), toolCalls: z.array(toolCall).readonly() }),
  z.object({
    role: z.literal("tool"),
    toolCallId: z.string(),
    toolName: z.string(),
    output: z.string(),
    isError: z.boolean(),
  }),
]);

/** See {@link sentMessage}. */
export type SentMessage = z.output<typeof sentMessage>;

/** A tool as it was described to the model. */
export const sentTool = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()).readonly(),
});

/** The other parameters of a call; fields without a value used the provider's default. */
export const sentParameters = z.object({
  model: z.string(),
  temperature: z.number().optional(),
  maxTokens: z.int().optional(),
  effort: z.enum(REASONING_EFFORTS).optional(),
  toolChoice: z.union([z.literal("required"), z.object({ name: z.string() })]).optional(),
});

/** A recorded request to a model, without the parts that an earlier call of the same turn has sent. */
export const sentRequest = z.object({
  /** The number of the call in the turn whose request it continues; absent when it is complete. */
  after: z.int().optional(),
  /** The number of that request's messages that it starts with. */
  kept: z.int(),
  messages: z.array(sentMessage),
  /** Absent: unchanged. */
  tools: z.array(sentTool).optional(),
  parameters: sentParameters,
});

/** See {@link sentRequest}. */
export type SentRequest = z.output<typeof sentRequest>;

/** The recorded request of a tool call: the arguments as the model wrote them. */
export const toolRequest = z.object({ arguments: z.string() });

/** See {@link toolRequest}. */
export type ToolRequest = z.output<typeof toolRequest>;

/** A request as it was sent. */
export interface WholeRequest {
  readonly messages: readonly SentMessage[];
  readonly tools: readonly z.output<typeof sentTool>[];
  readonly parameters: z.output<typeof sentParameters>;
  /** The number of messages that an earlier call of the turn has already sent. */
  readonly kept: number;
}

/** Assembles a request from those of a turn's calls, by number; undefined when one of them was not recorded. */
export function wholeRequest(calls: ReadonlyMap<number, SentRequest>, call: number): WholeRequest | undefined {
  const own = calls.get(call);
  if (own === undefined) return undefined;
  const { after, kept, messages, tools, parameters } = own;
  if (after === undefined || after >= call) return { messages, tools: tools ?? [], parameters, kept: 0 };
  const before = wholeRequest(calls, after);
  if (before === undefined) return undefined;
  return {
    messages: [...before.messages.slice(0, kept), ...messages],
    tools: tools ?? before.tools,
    parameters,
    kept,
  };
}

/** The requests sent by one execution of a turn, to detect what is new in the next. */
export interface RequestLog {
  /** Returns the record of a call's request, and stores it; call it once for each call. */
  add(call: number, request: OutgoingRequest): SentRequest;
}

/** A request to be sent. */
export interface OutgoingRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly parameters: z.output<typeof sentParameters>;
}

/** Creates the log of a turn; an execution that continues a turn starts with an empty one. */
export function createRequestLog(): RequestLog {
  let last: (OutgoingRequest & { readonly call: number; readonly toolsText: string }) | undefined;
  return {
    add(call, request) {
      const { messages, tools, parameters } = request;
      const toolsText = JSON.stringify(tools);
      const before = last;
      const kept = before === undefined ? 0 : commonLength(before.messages, messages);
      // The conversation array is mutated later.
      last = { ...request, messages: [...messages], call, toolsText };
      return {
        ...(before !== undefined && { after: before.call }),
        kept,
        messages: messages.slice(kept).map(asSent),
        ...(toolsText !== before?.toolsText && { tools: [...tools] }),
        parameters,
      };
    },
  };
}

function commonLength(before: readonly ModelMessage[], messages: readonly ModelMessage[]): number {
  const different = messages.findIndex((message, index) => !isSame(before[index], message));
  return different === -1 ? messages.length : different;
}

function isSame(one: ModelMessage | undefined, other: ModelMessage): boolean {
  if (one === other) return true;
  return one?.role === "user" && other.role === "user" && one.content === other.content && one.images === other.images;
}

function asSent(message: ModelMessage): SentMessage {
  if (message.role === "assistant") {
    const { role, parts } = message;
    return { role, content: replyText(parts), toolCalls: replyCalls(parts) };
  }
  if (message.role !== "user") return message;
  const { role, content, images } = message;
  const named = images?.map(({ name, mediaType, data }) => ({ name, mediaType, bytes: data.length }));
  return { role, content, ...(named !== undefined && { images: named }) };
}
