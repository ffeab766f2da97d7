import type { Hono } from "hono";
import { z } from "zod";
import type { KeyScope } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { followReply } from "#operations/conversations/follow-reply.ts";
import {
  currentReply,
  finalReply,
  previousReply,
  readReply,
  storedReply,
} from "#operations/conversations/read-reply.ts";
import { replyPieces } from "#protocols/openai/reply-pieces.ts";
import { modelOf } from "#operations/conversations/runnable-models.ts";
import { updateTask } from "#operations/tasks/tasks.ts";
import { deleteRuns } from "#operations/runs/delete-run.ts";
import type { HttpContext, HttpEnv, HttpServices, WorkspaceCaller } from "../context.ts";
import { originOf } from "../middleware/origin.ts";
import { readBody, readQuery } from "../middleware/read-body.ts";
import { openAiCaller } from "./caller.ts";
import { replyPartOf, responseId } from "#protocols/openai/ids.ts";
import { inputItems, inputItemsQuery } from "./input-items.ts";
import { respondEvents } from "../streams/respond-events.ts";
import { responseBody } from "#protocols/openai/response-body.ts";
import type { ResponseOf } from "#protocols/openai/response-body.ts";
import { responseEvents } from "#protocols/openai/response-events.ts";
import { NO_ECHO, responseRequest } from "#protocols/openai/response-request.ts";
import { startResponse } from "./start-response.ts";
import type { AskedResponse, BegunResponse } from "./start-response.ts";
import { wholeNumber } from "../api/shape/whole-number.ts";
import type { ReplyEvents, ReplyPart } from "#protocols/openai/reply-event.ts";
import type { Reply, Said } from "#protocols/openai/reply.ts";

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
  readonly caller: WorkspaceCaller;
  /** The sequence number of the last event that the reader has. */
  readonly after: number;
}

/** A request for a response. */
type Asked = Omit<AskedResponse, "follows">;

interface FollowedReading extends Reading {
  /** Undefined: they are read from the log. */
  readonly events?: ReplyEvents | undefined;
  /** The response at its beginning; undefined: it is read. */
  readonly opening?: Reply | undefined;
  readonly signal: AbortSignal;
}

/** Adds Responses (https://platform.openai.com/docs/api-reference/responses). */
export function addResponses(app: Hono<HttpEnv>, services: HttpServices): void {
  app.post("/responses", async (c) => {
    const caller = await openAiCaller(services, c, "write");
    const request = await readBody(c, responseRequest);
    const { workspace } = caller;
    const asked = { workspace, request };
    if (request.stream === true) return streamNew(c, caller, asked);
    const signal = AbortSignal.any([c.req.raw.signal, services.closing]);
    const isAwaited = request.background !== true;
    const begun = await startResponse(c, { ...asked, follows: isAwaited ? signal : undefined });
    const { part, model, events } = begun;
    const reply = await (isAwaited
      ? finalReply(workspace, { ...part, ...model, events, signal })
      : currentReply(workspace, part));
    return c.json(responseBody(newResponse(c, begun), reply));
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
    return c.json(await inputItems(caller.workspace, { part, query }));
  });

  app.delete("/responses/:id", async (c) => {
    const { caller, part } = await named(c, "write");
    await storedReply(caller.workspace, part);
    await deleteRuns(caller.workspace, "task", [part.taskId]);
    return c.json({ id: responseId(part), object: "response", deleted: true });
  });

  app.post("/responses/:id/cancel", async (c) => {
    const { caller, part } = await named(c, "write");
    const change = { id: part.taskId, patch: { status: "cancelled" } } as const;
    await updateTask(caller.workspace, change).catch(ignoreEnded);
    const { response, reply } = await read(c, caller, part);
    return c.json(responseBody(response, reply));
  });

  async function named(c: HttpContext, scope: KeyScope) {
    const caller = await openAiCaller(services, c, scope);
    return { caller, part: replyPartOf(c.req.param("id") ?? "") };
  }

  async function read(c: HttpContext, { workspace }: WorkspaceCaller, part: ReplyPart): Promise<ReadResponse> {
    const reply = await storedReply(workspace, part);
    const { model, templated } = await modelOf(workspace, reply.assigneeId);
    const previous = await previousReply(workspace, part);
    const echo = {
      ...(reply.request?.response ?? NO_ECHO),
      ...(previous !== undefined && { previous_response_id: responseId(previous) }),
    };
    return { response: { part, model, echo, origin: originOf(c, services) }, reply, templated };
  }

  function newResponse(c: HttpContext, { part, model: { model }, echo }: BegunResponse): ResponseOf {
    return { part, model, echo, origin: originOf(c, services) };
  }

  function streamNew(c: HttpContext, caller: WorkspaceCaller, asked: Asked): Promise<Response> {
    return respondEvents(services, c, {
      caller,
      async open(follows) {
        const begun = await startResponse(c, { ...asked, follows });
        const { templated } = begun.model;
        const response = newResponse(c, begun);
        return eventsOf({ ...begun, response, caller, templated, after: -1, signal: follows });
      },
    });
  }

  function stream(c: HttpContext, reading: Reading): Promise<Response> {
    return respondEvents(services, c, {
      caller: reading.caller,
      open: (signal) => eventsOf({ ...reading, signal }),
    });
  }

  async function eventsOf({ response, caller, templated, after, events, opening, signal }: FollowedReading) {
    const { part } = response;
    const { workspace } = caller;
    const batches = replyPieces(events ?? (await followReply(workspace, { ...part, signal })), { templated });
    const read = (said: Said) => readReply(workspace, { part, said });
    return responseEvents({ ...response, batches, after, opening, read });
  }
}

/** A finished response is not cancelled; it is returned as it is. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "conflict") throw error;
}
