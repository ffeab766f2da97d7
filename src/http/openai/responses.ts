import type { Hono } from "hono";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { openAiMessages, unsupportedTools } from "#domain/protocols/openai-messages.ts";
import { conversationOf, converse } from "#operations/protocols/converse.ts";
import { followReply } from "#operations/protocols/follow-reply.ts";
import { currentReply, finalReply } from "#operations/protocols/read-reply.ts";
import { modelOf, resolveModel } from "#operations/protocols/runnable-models.ts";
import type { NamedModel } from "#operations/protocols/runnable-models.ts";
import { updateTask } from "#operations/tasks.ts";
import type { BearerCaller } from "../authenticate.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { readBody, readQuery } from "../read-body.ts";
import { openAiCaller, repeatableBy } from "./caller.ts";
import { replyPieces } from "./reply-pieces.ts";
import { respondEvents } from "./respond-events.ts";
import { responseBody, taskIdOf } from "./response-body.ts";
import { responseEvents } from "./response-events.ts";

const userText = z
  .string()
  .min(1)
  .transform((content) => [{ role: "user", content } as const]);

const responseRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([userText, openAiMessages]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  ...unsupportedTools,
});

const readingQuery = z.looseObject({
  stream: z.stringbool().optional(),
  starting_after: z.coerce.number().int().min(0).optional(),
});

/** A response in progress, and who reads it. */
interface Reading {
  readonly taskId: string;
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
    const model = await resolveModel(services, caller.principal, request.model);
    const previousId = request.previous_response_id ?? null;
    const earlier = previousId === null ? [] : await conversationOf(services, caller.principal, taskIdOf(previousId));
    const instructions = request.instructions ? [{ role: "user", content: request.instructions } as const] : [];
    const messages = [...earlier, ...instructions, ...request.input];
    const once = await repeatableBy(c);
    const taskId = await converse(services, caller.principal, { model, messages, once, requestId: c.get("requestId") });
    const reading = { taskId, model, caller, previousId, after: -1 };
    if (request.stream === true) return stream(c, reading);
    const signal = AbortSignal.any([c.req.raw.signal, services.closing]);
    const reply = await (request.background === true
      ? currentReply(services, caller.principal, taskId)
      : finalReply(services, caller.principal, { taskId, signal }));
    return c.json(responseBody({ taskId, model: model.model, previousId }, reply));
  });

  app.get("/responses/:id", async (c) => {
    const caller = await openAiCaller(services, c, "read");
    const query = readQuery(c, readingQuery);
    const taskId = taskIdOf(c.req.param("id"));
    const reply = await currentReply(services, caller.principal, taskId);
    const model = await modelOf(services, caller.principal, reply.assigneeId);
    const reading = { taskId, model, caller, previousId: null, after: query.starting_after ?? -1 };
    if (query.stream === true) return stream(c, reading);
    return c.json(responseBody({ taskId, model: model.model, previousId: null }, reply));
  });

  app.post("/responses/:id/cancel", async (c) => {
    const { principal } = await openAiCaller(services, c, "write");
    const taskId = taskIdOf(c.req.param("id"));
    await updateTask(services, principal, { id: taskId, patch: { status: "cancelled" } }).catch(ignoreEnded);
    const reply = await currentReply(services, principal, taskId);
    const { model } = await modelOf(services, principal, reply.assigneeId);
    return c.json(responseBody({ taskId, model, previousId: null }, reply));
  });

  function stream(c: HttpContext, { taskId, model, caller, previousId, after }: Reading): Promise<Response> {
    const who = caller.principal;
    return respondEvents(services, c, {
      caller,
      async open(signal) {
        const batches = replyPieces(await followReply(services, who, { taskId, signal }), model);
        const read = () => currentReply(services, who, taskId);
        return responseEvents({ taskId, model: model.model, previousId, batches, after, read });
      },
    });
  }
}

/** A response that has ended is not cancelled any more; it is shown as it is. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "conflict") throw error;
}
