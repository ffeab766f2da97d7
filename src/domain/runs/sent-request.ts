import { z } from "zod";
import { toolCall } from "#domain/models/model-call.ts";
import type { ModelMessage, ToolSpec } from "#domain/models/model-call.ts";

/** A message as it was sent; of pictures it says which they were. */
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

/** Everything else of a call; fields without a value were left to the vendor. */
export const sentParameters = z.object({
  model: z.string(),
  temperature: z.number().optional(),
  maxTokens: z.int().optional(),
  toolChoice: z.union([z.literal("required"), z.object({ name: z.string() })]).optional(),
});

/** A request to a model as it is recorded: what was not sent by an earlier call of the same turn. */
export const sentRequest = z.object({
  /** The call whose request it continues, by its number in the turn; absent when it stands for itself. */
  after: z.int().optional(),
  /** How many messages of that request it begins with. */
  kept: z.int(),
  messages: z.array(sentMessage),
  /** Absent: the same as before. */
  tools: z.array(sentTool).optional(),
  parameters: sentParameters,
});

/** See {@link sentRequest}. */
export type SentRequest = z.output<typeof sentRequest>;

/** What a tool was called with, as it is recorded: the arguments as the model wrote them. */
export const toolRequest = z.object({ arguments: z.string() });

/** See {@link toolRequest}. */
export type ToolRequest = z.output<typeof toolRequest>;

/** A request as it was sent. */
export interface WholeRequest {
  readonly messages: readonly SentMessage[];
  readonly tools: readonly z.output<typeof sentTool>[];
  readonly parameters: z.output<typeof sentParameters>;
  /** How many of the messages an earlier call of the turn has sent already. */
  readonly kept: number;
}

/** Puts a request together from those of a turn's calls, by their numbers; undefined when one of them was not recorded. */
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

/** What the calls of one execution of a turn have sent, to tell what is new in the next. */
export interface RequestLog {
  /** Describes the request of a call as it is to be recorded, and remembers it; to be called once for each call. */
  add(call: number, request: IntendedRequest): SentRequest;
}

/** A request that is about to be sent. */
export interface IntendedRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly parameters: z.output<typeof sentParameters>;
}

/** Creates the log of a turn; an execution that continues one begins with an empty one. */
export function createRequestLog(): RequestLog {
  let last: (IntendedRequest & { readonly call: number; readonly toolsText: string }) | undefined;
  return {
    add(call, request) {
      const { messages, tools, parameters } = request;
      const toolsText = JSON.stringify(tools);
      const before = last;
      const kept = before === undefined ? 0 : commonLength(before.messages, messages);
      // The conversation grows in place.
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
  if (message.role !== "user") return message;
  const { role, content, images } = message;
  const named = images?.map(({ name, mediaType, data }) => ({ name, mediaType, bytes: data.length }));
  return { role, content, ...(named !== undefined && { images: named }) };
}
