import { setImmediate as nextTurn } from "node:timers/promises";
import { Hono } from "hono";
import { z } from "zod";
import { AppError, notFound } from "#domain/errors.ts";
import { invalid, issuesOf } from "#domain/invalid.ts";
import { isUuid } from "#lib/ids.ts";
import type { ThreadKey } from "#db/queries/tasks/agent-threads.ts";
import { openNewStream, openRunStream, openStream } from "#operations/streams/open-stream.ts";
import { postMessage } from "#operations/tasks/post-message.ts";
import { respond } from "#operations/runs/respond.ts";
import { resolveAnswered } from "#operations/tasks/resolve-answered.ts";
import { resumeWithResults } from "#operations/conversations/resume-with-results.ts";
import { isNewMessage, openQuestionAt, resumeThread } from "#operations/tasks/resume-thread.ts";
import type { HttpContext, HttpEnv, HttpServices, HttpWorkspace } from "../context.ts";
import { countStarts } from "../middleware/rate-limit.ts";
import { readOptionalJson } from "../middleware/read-body.ts";
import { leaveRun } from "#operations/runs/leave-run.ts";
import { feedbackInput } from "#domain/runs/feedback.ts";
import { giveFeedback } from "#operations/runs/feedback.ts";
import { respondStream } from "./respond-stream.ts";
import { streamCaller } from "./stream-caller.ts";
import { asRuns } from "#protocols/ag-ui/interrupts.ts";
import type { ResumedRun } from "#protocols/ag-ui/interrupts.ts";
import { asThreadKey, readReading, readRunInput } from "#protocols/ag-ui/run-input.ts";
import type { RunInput } from "#protocols/ag-ui/run-input.ts";

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
  const { workspace } = caller;
  const input = readRunInput(await readOptionalJson(c), { interrupts: wantsInterrupts(services, c) });
  const { message, resume, results, attempt, thread: threadId, interrupts, ...dialect } = input;
  const thread = { agentId: idOf(c, "agentId"), threadId } as const;
  caller.allow({ ...thread, sends: message !== undefined });
  if (message !== undefined || resume !== undefined || results.size > 0) await countStarts(workspace);
  let started: string | undefined;
  return respondStream(services, c, {
    caller,
    dialect,
    async open(reading) {
      const steersAway = await leavesQuestion(workspace, { thread, input });
      const resumed = steersAway ? undefined : await continueTask(workspace, { thread, input });
      const posted = steersAway || resume === undefined ? await post(workspace, { thread, input }) : undefined;
      started = posted?.taskId ?? resumed?.taskId;
      const lastSeen = resumed?.seq ?? reading.lastSeen;
      const isNew = posted?.isNew === true && lastSeen === undefined && attempt === undefined;
      const events = isNew
        ? openNewStream(workspace, { taskId: posted.taskId, signal: reading.signal })
        : await openStream(workspace, { ...reading, ...thread, attempt, lastSeen });
      // The run's request to its provider is sent first; then the response starts with the first event.
      if (isNew) await nextTurn();
      if (events === undefined || !dialect.isStandard || attempt !== undefined) return events;
      return asRuns(events, { interrupts, resumed, questionAt: (at) => openQuestionAt(workspace, at) });
    },
    onLeave() {
      if (started === undefined) return;
      leaveRun(workspace, started).catch((error: unknown) => {
        services.log.warn({ taskId: started, err: error }, "a run without readers was not cancelled");
      });
    },
  });
}

const onOrOff = z.enum(["true", "false"]).default("true");

/** Whether standard clients get interrupts: `?interrupts=false` switches them off for a request. */
function wantsInterrupts({ agUiInterrupts }: HttpServices, c: HttpContext): boolean {
  const asked = onOrOff.safeParse(c.req.query("interrupts"));
  if (!asked.success) throw new AppError("bad_request", "interrupts must be true or false");
  return agUiInterrupts && asked.data === "true";
}

/** A request in a thread. */
interface ThreadRequest {
  readonly thread: ThreadKey;
  readonly input: RunInput;
}

/** Whether the client cancels the question that it was asked, and sends a new message instead. */
async function leavesQuestion(
  workspace: HttpWorkspace,
  { thread, input: { message, resume } }: ThreadRequest,
): Promise<boolean> {
  if (resume === undefined || resume.body !== undefined || message === undefined) return false;
  return isNewMessage(workspace, { ...thread, message });
}

/** Continues a waiting thread with the client's answer or results, if any. */
async function continueTask(
  workspace: HttpWorkspace,
  { thread, input: { message, resume, results, clientTools } }: ThreadRequest,
): Promise<ResumedRun | undefined> {
  if (resume !== undefined) {
    const at = await resumeThread(workspace, { ...thread, ...resume, message });
    return { ...at, toolCallIds: [] };
  }
  if (results.size === 0) return undefined;
  return resumeWithResults(workspace, { ...thread, results, clientTools });
}

/** Posts the client's message to the thread, if any; with a `resume`, it leaves that question. */
async function post(workspace: HttpWorkspace, { thread, input }: ThreadRequest) {
  const { message, clientTools, resume } = input;
  if (message === undefined) return undefined;
  const { files, ...posted } = message;
  const leaves = resume?.interactionId;
  return postMessage(workspace, { ...thread, message: posted, files, clientTools, leavesQuestion: leaves });
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
