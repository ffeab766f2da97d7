import type { Hono } from "hono";
import { z } from "zod";
import type { Principal } from "#domain/access/principal.ts";
import { chatFormat } from "#domain/protocols/openai-format.ts";
import { continuingResults, toConversation } from "#domain/protocols/openai-items.ts";
import type { ResolvedItem } from "#domain/protocols/openai-items.ts";
import { chatMessages } from "#domain/protocols/openai-messages.ts";
import { chatTools, readClientTools } from "#domain/protocols/openai-tools.ts";
import { changesForRun } from "#operations/protocols/changes-for-run.ts";
import { converse } from "#operations/protocols/converse.ts";
import { followReply } from "#operations/protocols/follow-reply.ts";
import { currentReply, finalReply, succeeded } from "#operations/protocols/read-reply.ts";
import { replyPieces } from "#operations/protocols/reply-pieces.ts";
import { resolveModel } from "#operations/protocols/runnable-models.ts";
import type { NamedModel } from "#operations/protocols/runnable-models.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { originOf } from "../middleware/origin.ts";
import { readBody } from "../middleware/read-body.ts";
import { openAiCaller, repeatableBy } from "./caller.ts";
import { completionBody, completionChunks, usageBody } from "./completion-body.ts";
import type { Completion } from "./completion-body.ts";
import { effort, metadata, unsupportedInChat } from "./request-fields.ts";
import { keptSettings } from "./kept-settings.ts";
import { fieldsWithoutEffect, imageWarnings, setWarnings } from "./warnings.ts";
import { respondEvents } from "../streams/respond-events.ts";
import type { BearerCaller } from "../middleware/bearer-caller.ts";

const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: chatMessages,
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: chatFormat,
  reasoning_effort: effort.nullish(),
  metadata,
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
    const model = await resolveModel(services, caller.principal, request.model);
    const part = await run(services, c, { who: caller.principal, request, model });
    const includeUsage = request.stream_options?.include_usage === true;
    const reading = { part, model, caller, includeUsage, origin: originOf(c, services) };
    return request.stream === true ? stream(c, reading) : complete(c, reading);
  });

  async function complete(c: HttpContext, { caller, ...completion }: Reading): Promise<Response> {
    const signal = AbortSignal.any([c.req.raw.signal, services.closing]);
    const { part, model } = completion;
    const reply = await finalReply(services, caller.principal, { ...part, ...model, signal });
    return c.json(completionBody(completion, succeeded(reply)));
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

interface Asked {
  readonly who: Principal;
  readonly request: z.output<typeof chatRequest>;
  readonly model: NamedModel;
}

/** Starts or continues the run of a request; warns about what has no effect in it. */
async function run(services: HttpServices, c: HttpContext, { who, request, model }: Asked) {
  const clientTools = readClientTools(request);
  const asked = { model, clientTools, once: await repeatableBy(c), requestId: c.get("requestId") };
  const items = request.messages.filter((item): item is ResolvedItem => item.kind !== "reference");
  const results = continuingResults(items);
  const wanted = {
    model,
    format: request.response_format ?? undefined,
    effort: request.reasoning_effort ?? undefined,
    effortPath: "reasoning_effort",
  };
  const without = fieldsWithoutEffect(request, { read: chatRequest.shape, model });
  if (results.length > 0) {
    const part = await converse(services, who, { ...asked, results });
    setWarnings(c, { without, others: await keptSettings(services, who, { ...wanted, part }) });
    return part;
  }
  const messages = toConversation(items, "messages");
  const agent = await changesForRun(services, who, wanted);
  setWarnings(c, { without, others: imageWarnings(services, model, items) });
  const conversation = { messages, clientRequest: { agent, stored: true }, metadata: request.metadata ?? {} };
  return converse(services, who, { ...asked, ...conversation });
}
