import type { ServerResponse } from "node:http";
import { z } from "zod";
import { argumentsOf, sendEvent } from "./strict-server.ts";
import type { StrictReply } from "./strict-server.ts";

const call = z.looseObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.unknown(),
  tool_calls: z.array(call).optional(),
  tool_call_id: z.string().optional(),
  reasoning_content: z.string().optional(),
  reasoning: z.string().optional(),
  reasoning_details: z.array(z.looseObject({ type: z.string() })).optional(),
});

/** A request to any Chat Completions API. */
export const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(message),
  tools: z
    .array(
      z.looseObject({
        type: z.literal("function"),
        function: z.looseObject({ name: z.string(), parameters: z.unknown() }),
      }),
    )
    .optional(),
  tool_choice: z.unknown().optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
  temperature: z.number().optional(),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
  reasoning_effort: z.string().optional(),
  stream: z.literal(true),
  stream_options: z.unknown().optional(),
});

/** A request that has the form of Chat Completions. */
export type StrictChatRequest = z.output<typeof chatRequest>;
/** A message of it. */
export type StrictChatMessage = z.output<typeof message>;

/** What differs between the streams of those who speak Chat Completions. */
export interface ChatDialect {
  /** How it sends reasoning, in one or several pieces. */
  readonly reasoning: (text: string) => object | readonly object[];
  readonly usage: Readonly<Record<string, unknown>>;
  /** The id of a call without one in its script. */
  readonly callId: string;
  /** A comment before the reply. */
  readonly comment?: string;
}

/** Writes a reply as Chat Completions streams it; arguments come in two pieces. */
export function writeChat(
  response: ServerResponse,
  { model, reply, dialect }: { readonly model: string; readonly reply: StrictReply; readonly dialect: ChatDialect },
): void {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model };
  const send = (delta: object, finish_reason: string | null = null) =>
    sendEvent(response, { ...head, choices: [{ index: 0, delta, finish_reason }] });
  let index = 0;
  if (dialect.comment !== undefined) {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(`: ${dialect.comment}\n\n`);
  }
  for (const part of reply.parts) {
    if (part.type === "text") send({ role: "assistant", content: part.text });
    else if (part.type === "reasoning") {
      for (const piece of [dialect.reasoning(part.text)].flat()) send({ role: "assistant", ...piece });
    } else {
      const text = argumentsOf(part);
      const at = Math.floor(text.length / 2);
      const id = part.id ?? dialect.callId;
      send({
        tool_calls: [{ index, id, type: "function", function: { name: part.name, arguments: text.slice(0, at) } }],
      });
      send({ tool_calls: [{ index, function: { arguments: text.slice(at) } }] });
      index += 1;
    }
  }
  send({}, reply.finish ?? (index > 0 ? "tool_calls" : "stop"));
  sendEvent(response, { ...head, choices: [], usage: dialect.usage });
  sendEvent(response, "[DONE]");
  response.end();
}
