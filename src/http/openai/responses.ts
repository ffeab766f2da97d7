import type { Hono } from "hono";
import { z } from "zod";
import type { KeyScope } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { followReply } from "#operations/protocols/follow-reply.ts";
import type { ReplyPart } from "#operations/protocols/follow-reply.ts";
import { currentReply, finalReply, previousReply, storedReply } from "#operations/protocols/read-reply.ts";
import type { Reply } from "#operations/protocols/read-reply.ts";
import { replyPieces } from "#operations/protocols/reply-pieces.ts";
import { modelOf, resolveModel } from "#operations/protocols/runnable-models.ts";
import { deleteTasks, updateTask } from "#operations/tasks/tasks.ts";
import type { BearerCaller } from "../middleware/bearer-caller.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { originOf } from "../middleware/origin.ts";
import { readBody, readQuery } from "../middleware/read-body.ts";
import { openAiCaller } from "./caller.ts";
import { replyPartOf, responseId } from "./ids.ts";
import { inputItems, inputItemsQuery } from "./input-items.ts";
import { respondEvents } from "../streams/respond-events.ts";
import { responseBody } from "./response-body.ts";
import type { ResponseOf } from "./response-body.ts";
import { responseEvents } from "./response-events.ts";
import { NO_ECHO, echoOf, responseRequest } from "./response-request.ts";
import { startResponse } from "./start-response.ts";
import { wholeNumber } from "../api/shape/whole-number.ts";

const readingQuery = z.looseObject({
  stream: z.stringbool().optional(),
  starting_after: wholeNumber({ min: 0 }).optional(),
});

/** A response as its stream is made. */
interface StreamedResponse {
  readonly response: ResponseOf;
  /** As in {@link replyPieces}. */
  readonly templated: boolean;
}

interface ReadResponse extends StreamedResponse {
  readonly reply: Reply;
}

/** A response, and its reader. */
interface Reading extends StreamedResponse {
  readonly caller: BearerCaller;
  /** The sequence number of the last event that the reader has. */
  readonly after: number;
}

/** Adds Responses (https://platform.openai.com/docs/api-reference/responses). */
export function addResponses(app: Hono<HttpEnv>, services: HttpServices): void {
  app.post("/responses", async (c) => {
    const caller = await openAiCaller(services, c, "write");
    const request = await readBody(c, responseRequest);
    const who = caller.principal;
    const model = await resolveModel(services, who, request.model);
    const echo = echoOf(request, model);
    const part = await startResponse(services, c, { who, request, model, echo });
    const response = { part, model: model.model, echo, origin: originOf(c, services) };
    if (request.stream === true) return stream(c, { response, caller, templated: model.templated, after: -1 });
    const signal = AbortSignal.any([c.req.raw.signal, services.closing]);
    const reply = await (request.background === true
      ? currentReply(services, who, part)
      : finalReply(services, who, { ...part, ...model, signal }));
    return c.json(responseBody(response, reply));
  });

  app.get("/responses/:id", async (c) => {
    const { caller, part } = await named(c, "read");
    const query = readQuery(c, readingQuery);
    const { response, reply, templated } = await read(c, caller, part);
    const after = query.starting_after ?? -1;
    return query.stream === true
      ? stream(c, { response, caller, templated, after })
      : c.json(responseBody(response, reply));
  });

  app.get("/responses/:id/input_items", async (c) => {
    const { caller, part } = await named(c, "read");
    const query = readQuery(c, inputItemsQuery);
    return c.json(await inputItems(services, caller.principal, { part, query }));
  });

  app.delete("/responses/:id", async (c) => {
    const { caller, part } = await named(c, "write");
    await storedReply(services, caller.principal, part);
    await deleteTasks(services, caller.principal, [part.taskId]);
    return c.json({ id: responseId(part), object: "response", deleted: true });
  });

  app.post("/responses/:id/cancel", async (c) => {
    const { caller, part } = await named(c, "write");
    const change = { id: part.taskId, patch: { status: "cancelled" } } as const;
    await updateTask(services, caller.principal, change).catch(ignoreEnded);
    const { response, reply } = await read(c, caller, part);
    return c.json(responseBody(response, reply));
  });

  async function named(c: HttpContext, scope: KeyScope) {
    const caller = await openAiCaller(services, c, scope);
    return { caller, part: replyPartOf(c.req.param("id") ?? "") };
  }

  async function read(c: HttpContext, { principal: who }: BearerCaller, part: ReplyPart): Promise<ReadResponse> {
    const reply = await storedReply(services, who, part);
    const { model, templated } = await modelOf(services, who, reply.assigneeId);
    const previous = await previousReply(services, who, part);
    const echo = {
      ...(reply.request?.response ?? NO_ECHO),
      ...(previous !== undefined && { previous_response_id: responseId(previous) }),
    };
    return { response: { part, model, echo, origin: originOf(c, services) }, reply, templated };
  }

  function stream(c: HttpContext, { response, caller, templated, after }: Reading): Promise<Response> {
    const { part } = response;
    const who = caller.principal;
    return respondEvents(services, c, {
      caller,
      async open(signal) {
        const batches = replyPieces(await followReply(services, who, { ...part, signal }), { templated });
        const current = () => currentReply(services, who, part);
        return responseEvents({ ...response, batches, after, read: current });
      },
    });
  }
}

/** A finished response is not cancelled; it is returned as it is. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "conflict") throw error;
}
