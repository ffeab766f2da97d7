import { Hono } from "hono";
import { z } from "zod";
import { AppError, notFound } from "#domain/errors.ts";
import { invalid, issuesOf } from "#domain/invalid.ts";
import { isUuid } from "#lib/ids.ts";
import { openRunStream } from "#operations/streams/open-stream.ts";
import { respond } from "#operations/runs/respond.ts";
import { resolveAnswered } from "#operations/tasks/resolve-answered.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { countStarts } from "../middleware/rate-limit.ts";
import { readOptionalJson } from "../middleware/read-body.ts";
import { feedbackInput } from "#domain/runs/feedback.ts";
import { giveFeedback } from "#operations/runs/feedback.ts";
import { respondStream } from "./respond-stream.ts";
import { respondThread, startsWork } from "./respond-thread.ts";
import { streamCaller } from "./stream-caller.ts";
import { asThreadKey, readReading, readRunInput } from "#protocols/ag-ui/run-input.ts";

/** The AG-UI surface, mounted at /ag-ui. Its errors are `{error: message}`. */
export function agUi(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/health", (c) => c.json({ status: "ok", protocol: "ag-ui", version: "1.1" }));
  app.post("/:agentId/sse", (c) => streamThread(services, c));
  app.post("/runs/:runId/sse", (c) => streamRun(services, c));
  app.post("/:agentId/respond", (c) => answerInThread(services, c));
  app.post("/runs/:runId/respond", (c) => answerRun(services, c));
  app.post("/runs/:runId/feedback", (c) => rateRun(services, c));
  return app;
}

async function streamThread(services: HttpServices, c: HttpContext): Promise<Response> {
  const caller = await streamCaller(services, c, "read");
  const input = readRunInput(await readOptionalJson(c), { interrupts: wantsInterrupts(services, c) });
  const thread = { agentId: idOf(c, "agentId"), threadId: input.thread } as const;
  caller.allow({ ...thread, sends: input.message !== undefined });
  if (startsWork(input)) await countStarts(caller.workspace);
  return respondThread(services, c, { caller, thread, input });
}

const onOrOff = z.enum(["true", "false"]).default("true");

/** Whether standard clients get interrupts: `?interrupts=false` switches them off for a request. */
function wantsInterrupts({ agUiInterrupts }: HttpServices, c: HttpContext): boolean {
  const asked = onOrOff.safeParse(c.req.query("interrupts"));
  if (!asked.success) throw new AppError("bad_request", "interrupts must be true or false");
  return agUiInterrupts && asked.data === "true";
}

async function streamRun(services: HttpServices, c: HttpContext): Promise<Response> {
  const caller = await streamCaller(services, c, "read");
  const { attempt, ...dialect } = readReading(await readOptionalJson(c));
  const runId = idOf(c, "runId");
  caller.allow({ runId });
  return respondStream(services, c, {
    caller,
    dialect,
    open: (reading) => openRunStream(caller.workspace, { ...reading, runId, attempt }),
  });
}

async function answerInThread(services: HttpServices, c: HttpContext): Promise<Response> {
  const { workspace, allow } = await streamCaller(services, c, "write");
  const { threadId, interactionId, ...body } = await readOptionalJson(c);
  if (!isName(threadId) || !isName(interactionId)) {
    throw new AppError("bad_request", "threadId and interactionId are required");
  }
  const agentId = idOf(c, "agentId");
  const thread = { agentId, threadId: asThreadKey(threadId) };
  allow({ ...thread, sends: false });
  const answered = await resolveAnswered(workspace, thread);
  await respond(workspace, { ...answered, interactionId, body, via: "ag-ui" });
  return c.json({ ok: true, interactionId });
}

async function answerRun(services: HttpServices, c: HttpContext): Promise<Response> {
  const { workspace, allow } = await streamCaller(services, c, "write");
  const runId = idOf(c, "runId");
  allow({ runId });
  const { interactionId, threadId: _, ...body } = await readOptionalJson(c);
  if (!isName(interactionId)) throw new AppError("bad_request", "interactionId is required");
  await respond(workspace, { subjectId: runId, noun: "Run", interactionId, body, via: "ag-ui" });
  return c.json({ ok: true, interactionId });
}

async function rateRun(services: HttpServices, c: HttpContext): Promise<Response> {
  const { workspace, allow } = await streamCaller(services, c, "write");
  allow("other");
  const { messageId = null, ...said } = await readOptionalJson(c);
  const parsed = feedbackInput.safeParse({ ...said, message_id: messageId });
  if (!parsed.success) throw invalid("body", issuesOf(parsed.error));
  const runId = idOf(c, "runId");
  if (!isUuid(runId)) throw notFound("Run");
  const { id } = await giveFeedback(workspace, { ...parsed.data, runId, surface: "ag-ui" });
  return c.json({ ok: true, feedbackId: id });
}

/** Returns an id of the path in lower case, as ids are stored; an invalid id is not found. */
function idOf(c: HttpContext, name: "agentId" | "runId"): string {
  return (c.req.param(name) ?? "").toLowerCase();
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
