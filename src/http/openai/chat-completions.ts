import type { Hono } from "hono";
import { z } from "zod";
import { openAiMessages, unsupportedTools } from "#domain/protocols/openai-messages.ts";
import { converse } from "#operations/protocols/converse.ts";
import { followReply } from "#operations/protocols/follow-reply.ts";
import { completed, finalReply } from "#operations/protocols/read-reply.ts";
import { resolveModel } from "#operations/protocols/runnable-models.ts";
import type { NamedModel } from "#operations/protocols/runnable-models.ts";
import type { BearerCaller } from "../authenticate.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { readBody } from "../read-body.ts";
import { openAiCaller, repeatableBy } from "./caller.ts";
import { failedReply } from "./errors.ts";
import { replyPieces } from "./reply-pieces.ts";
import type { ReplyPiece } from "./reply-pieces.ts";
import { respondEvents } from "./respond-events.ts";

/** The agent's own settings decide how it works: other fields of a request (temperature, max_tokens …) have no effect. */
const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: openAiMessages,
  n: z.literal(1, { error: "must be 1" }).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  ...unsupportedTools,
});

/** A completion in progress. */
interface Completion {
  readonly taskId: string;
  readonly model: NamedModel;
  readonly caller: BearerCaller;
  readonly includeUsage: boolean;
}

/** Adds Chat Completions (https://platform.openai.com/docs/api-reference/chat). */
export function addChatCompletions(app: Hono<HttpEnv>, services: HttpServices): void {
  app.post("/chat/completions", async (c) => {
    const caller = await openAiCaller(services, c, "write");
    const request = await readBody(c, chatRequest);
    const model = await resolveModel(services, caller.principal, request.model);
    const { messages } = request;
    const once = await repeatableBy(c);
    const taskId = await converse(services, caller.principal, { model, messages, once, requestId: c.get("requestId") });
    const includeUsage = request.stream_options?.include_usage === true;
    const completion = { taskId, model, caller, includeUsage };
    return request.stream === true ? stream(c, completion) : complete(c, completion);
  });

  async function complete(c: HttpContext, { taskId, model, caller }: Completion): Promise<Response> {
    const signal = AbortSignal.any([c.req.raw.signal, services.closing]);
    const { created, text, usage } = completed(await finalReply(services, caller.principal, { taskId, signal }));
    const message = { role: "assistant", content: text, refusal: null };
    const choices = [{ index: 0, message, finish_reason: "stop", logprobs: null }];
    return c.json({ id: idOf(taskId), object: "chat.completion", created, model: model.model, choices, usage });
  }

  function stream(c: HttpContext, completion: Completion): Promise<Response> {
    const { taskId, model, caller } = completion;
    const who = caller.principal;
    return respondEvents(services, c, {
      caller,
      async open(signal) {
        const events = await followReply(services, who, { taskId, signal });
        const usage = async () => (await finalReply(services, who, { taskId, signal })).usage;
        return chunks(completion, replyPieces(events, model), usage);
      },
    });
  }
}

/** The chunks of a completion, and `[DONE]` (https://platform.openai.com/docs/api-reference/chat-streaming). */
async function* chunks(
  { taskId, model, includeUsage }: Completion,
  batches: AsyncIterable<readonly ReplyPiece[]>,
  readUsage: () => Promise<object>,
) {
  const head = {
    id: idOf(taskId),
    object: "chat.completion.chunk",
    created: Math.floor(Date.now() / 1_000),
    model: model.model,
  };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason, logprobs: null }] });
  yield [{ data: chunk({ role: "assistant", content: "" }) }];
  for await (const batch of batches) {
    for (const piece of batch) {
      if (piece.kind === "text") yield [{ data: chunk({ content: piece.delta }) }];
      if (piece.kind === "failed") yield [{ data: JSON.stringify(failedReply(piece)) }];
      if (piece.kind === "end") yield [{ data: chunk({}, "stop") }];
    }
    if (batch.some(({ kind }) => kind === "end") && includeUsage) {
      yield [{ data: JSON.stringify({ ...head, choices: [], usage: await readUsage() }) }];
    }
  }
  yield [{ data: "[DONE]" }];
}

function idOf(taskId: string): string {
  return `chatcmpl-${taskId}`;
}
