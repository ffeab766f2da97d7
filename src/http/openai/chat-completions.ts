import type { Hono } from "hono";
import { z } from "zod";
import { chatFormat } from "#protocols/openai/format.ts";
import { continuingResults, isTextOnly, toConversation } from "#protocols/openai/items.ts";
import type { ResolvedItem } from "#protocols/openai/items.ts";
import { chatMessages } from "#protocols/openai/messages.ts";
import { chatTools, readClientTools } from "#protocols/openai/tools.ts";
import { changesForRun } from "#operations/conversations/changes-for-run.ts";
import { converse } from "#operations/conversations/converse.ts";
import type { RunRequest } from "#operations/conversations/converse.ts";
import { beginReply, followReply } from "#operations/conversations/follow-reply.ts";
import type { BegunReply } from "#operations/conversations/follow-reply.ts";
import { finalReply, readReply, succeeded } from "#operations/conversations/read-reply.ts";
import { replyPieces } from "#protocols/openai/reply-pieces.ts";
import { resolveModel } from "#operations/conversations/runnable-models.ts";
import type { HttpContext, HttpEnv, HttpServices, HttpWorkspace } from "../context.ts";
import { originOf } from "../middleware/origin.ts";
import { readBody } from "../middleware/read-body.ts";
import { openAiCaller, repeatableBy } from "./caller.ts";
import { completionBody, completionChunks } from "#protocols/openai/completion-body.ts";
import type { Completion } from "#protocols/openai/completion-body.ts";
import { effort, metadata, unsupportedInChat } from "#protocols/openai/request-fields.ts";
import { keptSettings } from "./kept-settings.ts";
import { imageWarnings, setWarnings } from "./warnings.ts";
import { respondEvents } from "../streams/respond-events.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";
import type { Said } from "#protocols/openai/reply.ts";
import { fieldsWithoutEffect } from "#protocols/openai/fields-without-effect.ts";

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

/** A request, and who sent it. */
interface Asked {
  readonly workspace: HttpWorkspace;
  readonly request: z.output<typeof chatRequest>;
}

/** A completion that has begun. */
interface BegunCompletion extends BegunReply {
  readonly model: NamedModel;
}

/** Adds Chat Completions (https://platform.openai.com/docs/api-reference/chat). */
export function addChatCompletions(app: Hono<HttpEnv>, services: HttpServices): void {
  app.post("/chat/completions", async (c) => {
    const caller = await openAiCaller(services, c, "write");
    const request = await readBody(c, chatRequest);
    const asked = { workspace: caller.workspace, request };
    return request.stream === true ? stream(c, { ...asked, caller }) : complete(c, asked);
  });

  async function complete(c: HttpContext, asked: Asked): Promise<Response> {
    const signal = AbortSignal.any([c.req.raw.signal, services.closing]);
    const begun = await run(c, { ...asked, signal });
    const { part, model, events } = begun;
    const reply = await finalReply(asked.workspace, { ...part, ...model, events, signal });
    return c.json(completionBody(completionOf(c, asked, begun), succeeded(reply)));
  }

  function stream(c: HttpContext, { caller, ...asked }: Asked & { readonly caller: BearerCaller }): Promise<Response> {
    const { workspace } = asked;
    return respondEvents(services, c, {
      caller,
      async open(signal) {
        const begun = await run(c, { ...asked, signal });
        const { part, model, events } = begun;
        const pieces = replyPieces(events ?? (await followReply(workspace, { ...part, signal })), model);
        const read = (said: Said) => readReply(workspace, { part, said });
        return completionChunks(completionOf(c, asked, begun), pieces, read);
      },
    });
  }

  function completionOf(c: HttpContext, { request }: Asked, { part, model }: BegunCompletion): Completion {
    const includeUsage = request.stream_options?.include_usage === true;
    return { part, model, includeUsage, origin: originOf(c, services) };
  }
}

/** Starts or continues the run of a request. */
async function run(
  c: HttpContext,
  { workspace, request, signal: follows }: Asked & { readonly signal: AbortSignal },
): Promise<BegunCompletion> {
  const clientTools = readClientTools(request);
  const asked = { clientTools, once: await repeatableBy(c), requestId: c.get("requestId") };
  return beginReply(workspace, {
    follows,
    // Schemas are checked elsewhere, which may take a while.
    isOneTransaction: request.response_format == null && clientTools.tools.length === 0 && isTextOnly(request.messages),
    async begin(joined, taskId) {
      const model = await resolveModel(joined, request.model);
      return { model, part: await converseWith(c, { workspace: joined, request, asked: { ...asked, model, taskId } }) };
    },
  });
}

/** Passes a request on to its model; warns about what has no effect in it. */
async function converseWith(
  c: HttpContext,
  { workspace, request, asked }: Asked & { readonly asked: RunRequest },
): Promise<ReplyPart> {
  const { model } = asked;
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
    const part = await converse(workspace, { ...asked, results });
    setWarnings(c, { without, others: await keptSettings(workspace, { ...wanted, part }) });
    return part;
  }
  const messages = toConversation(items, "messages");
  const agent = await changesForRun(workspace, wanted);
  setWarnings(c, { without, others: imageWarnings(workspace, model, items) });
  const conversation = { messages, clientRequest: { agent, stored: true }, metadata: request.metadata ?? {} };
  return converse(workspace, { ...asked, ...conversation });
}
