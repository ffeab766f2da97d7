import type { Hono } from "hono";
import { z } from "zod";
import { toConversation, trailingResults } from "#domain/protocols/openai-items.ts";
import type { ResolvedItem } from "#domain/protocols/openai-items.ts";
import { chatMessages } from "#domain/protocols/openai-messages.ts";
import { chatTools, readClientTools } from "#domain/protocols/openai-tools.ts";
import { converse } from "#operations/protocols/converse.ts";
import { followReply } from "#operations/protocols/follow-reply.ts";
import { completed, currentReply, finalReply } from "#operations/protocols/read-reply.ts";
import { replyPieces } from "#operations/protocols/reply-pieces.ts";
import { resolveModel } from "#operations/protocols/runnable-models.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { readBody } from "../middleware/read-body.ts";
import { openAiCaller, repeatableBy } from "./caller.ts";
import { completionBody, completionChunks, usageBody } from "./completion-body.ts";
import type { Completion } from "./completion-body.ts";
import { unsupportedInChat } from "./request-fields.ts";
import { respondEvents } from "../streams/respond-events.ts";
import type { BearerCaller } from "../middleware/bearer-caller.ts";

/** The agent's own settings apply: other fields of a request (temperature, max_tokens …) have no effect. */
const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: chatMessages,
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  ...chatTools,
  ...unsupportedInChat,
});

/** A completion in progress, and its reader. */
interface Reading extends Completion {
  readonly caller: BearerCaller;
}

/** Adds Chat Completions (https://platform.openai.com/docs/api-reference/chat). */
export function addChatCompletions(app: Hono<HttpEnv>, services: HttpServices): void {
  app.post("/chat/completions", async (c) => {
    const caller = await openAiCaller(services, c, "write");
    const request = await readBody(c, chatRequest);
    const clientTools = readClientTools(request);
    const model = await resolveModel(services, caller.principal, request.model);
    const once = await repeatableBy(c);
    const asked = { model, clientTools, once, requestId: c.get("requestId") };
    const items = request.messages.filter((item): item is ResolvedItem => item.kind !== "reference");
    const results = trailingResults(items);
    const part = await converse(
      services,
      caller.principal,
      results.length > 0 ? { ...asked, results } : { ...asked, messages: toConversation(items, "messages") },
    );
    const includeUsage = request.stream_options?.include_usage === true;
    const reading = { part, model, caller, includeUsage };
    return request.stream === true ? stream(c, reading) : complete(c, reading);
  });

  async function complete(c: HttpContext, { caller, ...completion }: Reading): Promise<Response> {
    const signal = AbortSignal.any([c.req.raw.signal, services.closing]);
    const reply = await finalReply(services, caller.principal, { ...completion.part, signal });
    return c.json(completionBody(completion, completed(reply)));
  }

  function stream(c: HttpContext, { caller, ...completion }: Reading): Promise<Response> {
    const who = caller.principal;
    const { part, model } = completion;
    return respondEvents(services, c, {
      caller,
      async open(signal) {
        const events = await followReply(services, who, { ...part, signal });
        const usage = async () => usageBody((await currentReply(services, who, part)).usage);
        return completionChunks(completion, replyPieces(events, model), usage);
      },
    });
  }
}
