import type { Hono } from "hono";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { parseClientCallId } from "#domain/protocols/client-call-id.ts";
import { toConversation, trailingResults } from "#domain/protocols/openai-items.ts";
import { responseInput } from "#domain/protocols/openai-messages.ts";
import { readClientTools, responseTools } from "#domain/protocols/openai-tools.ts";
import { conversationOf, converse } from "#operations/protocols/converse.ts";
import { followReply } from "#operations/protocols/follow-reply.ts";
import type { ReplyPart } from "#operations/protocols/follow-reply.ts";
import { currentReply, finalReply } from "#operations/protocols/read-reply.ts";
import { replyPieces } from "#operations/protocols/reply-pieces.ts";
import { resolveItems } from "#operations/protocols/resolve-items.ts";
import { modelOf, resolveModel } from "#operations/protocols/runnable-models.ts";
import type { NamedModel } from "#operations/protocols/runnable-models.ts";
import { updateTask } from "#operations/tasks/tasks.ts";
import type { BearerCaller } from "../middleware/bearer-caller.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { readBody, readQuery } from "../middleware/read-body.ts";
import { openAiCaller, repeatableBy } from "./caller.ts";
import { replyPartOf } from "./ids.ts";
import { unsupportedInResponses } from "./request-fields.ts";
import { respondEvents } from "../streams/respond-events.ts";
import { responseBody } from "./response-body.ts";
import { responseEvents } from "./response-events.ts";
import { wholeNumber } from "../api/shape/whole-number.ts";

const responseRequest = z.looseObject({
  model: z.string().min(1),
  input: responseInput,
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  ...responseTools,
  ...unsupportedInResponses,
});

const readingQuery = z.looseObject({
  stream: z.stringbool().optional(),
  starting_after: wholeNumber({ min: 0 }).optional(),
});

/** A response in progress, and its reader. */
interface Reading {
  readonly part: ReplyPart;
  readonly model: NamedModel;
  readonly caller: BearerCaller;
  readonly previousId: string | null;
  /** The sequence number of the last event that the reader has. */
  readonly after: number;
}

/** Adds Responses (https://platform.openai.com/docs/api-reference/responses). */
export function addResponses(app: Hono<HttpEnv>, services: HttpServices): void {
  app.post("/responses", async (c) => {
    const caller = await openAiCaller(services, c, "write");
    const request = await readBody(c, responseRequest);
    const clientTools = readClientTools(request);
    const who = caller.principal;
    const model = await resolveModel(services, who, request.model);
    const asked = { model, clientTools, once: await repeatableBy(c), requestId: c.get("requestId") };
    const said = await readInput(services, who, request);
    const part = await converse(services, who, { ...asked, ...said });
    const previousId = request.previous_response_id ?? null;
    if (request.stream === true) return stream(c, { part, model, caller, previousId, after: -1 });
    const signal = AbortSignal.any([c.req.raw.signal, services.closing]);
    const reply = await (request.background === true
      ? currentReply(services, who, part)
      : finalReply(services, who, { ...part, signal }));
    return c.json(responseBody({ part, model: model.model, previousId }, reply));
  });

  app.get("/responses/:id", async (c) => {
    const caller = await openAiCaller(services, c, "read");
    const query = readQuery(c, readingQuery);
    const part = replyPartOf(c.req.param("id"));
    const reply = await currentReply(services, caller.principal, part);
    const model = await modelOf(services, caller.principal, reply.assigneeId);
    const reading = { part, model, caller, previousId: null, after: query.starting_after ?? -1 };
    if (query.stream === true) return stream(c, reading);
    return c.json(responseBody({ part, model: model.model, previousId: null }, reply));
  });

  app.post("/responses/:id/cancel", async (c) => {
    const { principal } = await openAiCaller(services, c, "write");
    const part = replyPartOf(c.req.param("id"));
    await updateTask(services, principal, { id: part.taskId, patch: { status: "cancelled" } }).catch(ignoreEnded);
    const reply = await currentReply(services, principal, part);
    const { model } = await modelOf(services, principal, reply.assigneeId);
    return c.json(responseBody({ part, model, previousId: null }, reply));
  });

  function stream(c: HttpContext, { part, model, caller, previousId, after }: Reading): Promise<Response> {
    const who = caller.principal;
    return respondEvents(services, c, {
      caller,
      async open(signal) {
        const batches = replyPieces(await followReply(services, who, { ...part, signal }), model);
        const read = () => currentReply(services, who, part);
        return responseEvents({ part, model: model.model, previousId, batches, after, read });
      },
    });
  }
}

/** Reads the input of a request: function outputs, which continue a run, or a conversation. */
async function readInput(services: HttpServices, who: Principal, request: z.output<typeof responseRequest>) {
  const { input, previous_response_id: previousId } = request;
  const results = trailingResults(input);
  const previous = previousId == null ? undefined : replyPartOf(previousId);
  const [first] = results;
  if (first !== undefined) {
    if (previous !== undefined && parseClientCallId(first.callId)?.taskId !== previous.taskId) {
      throw new AppError("bad_request", `The response ${previousId} did not make the call ${first.callId}.`);
    }
    return { results };
  }
  const earlier = previous === undefined ? [] : await conversationOf(services, who, previous.taskId);
  const instructions = request.instructions ? [{ role: "user", content: request.instructions } as const] : [];
  const items = await resolveItems(services, who, input, (id) => replyPartOf(id, "msg_"));
  return { messages: [...earlier, ...instructions, ...toConversation(items, "input")] };
}

/** A finished response is not cancelled; it is returned as it is. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "conflict") throw error;
}
