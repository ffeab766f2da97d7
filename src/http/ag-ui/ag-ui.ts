import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { sseStream } from "#lib/sse.ts";
import type { SseMessage } from "#lib/sse.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import { openStream } from "#operations/open-stream.ts";
import { respond } from "#operations/respond.ts";
import { say } from "#operations/say.ts";
import { bearerKey } from "../authenticate.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { readJson } from "../read-body.ts";
import { asSseMessages, parseEventId } from "./dialect.ts";
import type { Dialect, ResumePoint } from "./dialect.ts";
import { readRunInput } from "./run-input.ts";

/** Silence after which a stream sends a comment, in milliseconds. */
const HEARTBEAT_MS = 15_000;
const NO_VALID_TOKEN = "Unauthorized — provide Bearer token";

/** The AG-UI surface, mounted at /ag-ui. Its errors are `{error: message}`. */
export function agUi(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/health", (c) => c.json({ status: "ok", protocol: "ag-ui", version: "1.1" }));
  app.post("/:agentId/sse", stream);
  app.post("/:agentId/respond", answer);
  app.post("/runs/:runId/respond", answerRun);
  app.all("/runs/:runId/respond", (c) => refuseMethod(c, "POST, OPTIONS"));
  app.all("/:agentId/respond", (c) => refuseMethod(c, "POST, OPTIONS"));
  app.all("/:agentId/sse", (c) => refuseMethod(c, "POST, OPTIONS"));
  app.all("/health", (c) => refuseMethod(c, "GET, HEAD, OPTIONS"));
  return app;

  async function stream(c: HttpContext): Promise<Response> {
    const who = await bearerKey(services, c, { kinds: ["ag-ui", "a2a"], refusal: NO_VALID_TOKEN });
    const { message, ...input } = readRunInput(await readJson(c));
    const agentId = c.req.param("agentId") ?? "";
    const from = lastEventId(c);
    if (message !== undefined) await say(services, who, { agentId, threadId: input.threadId, message });
    const gone = new AbortController();
    const events = await openStream(services, who, {
      agentId,
      taskId: input.threadId,
      attempt: input.attempt,
      lastSeen: from?.seq,
      signal: gone.signal,
    });
    // Only now: a stream that is refused would leave its listener behind.
    services.closing.addEventListener("abort", () => gone.abort(), { signal: gone.signal });
    if (services.closing.aborted) gone.abort();
    const body = sseStream(asMessages(events, input, from), { heartbeatMs: HEARTBEAT_MS, onClose: () => gone.abort() });
    return c.body(body, 200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    });
  }

  async function answer(c: HttpContext): Promise<Response> {
    const who = await answerer(c);
    const { threadId, interactionId, ...body } = await readJson(c);
    if (!isName(threadId) || !isName(interactionId)) {
      throw new AppError("bad_request", "threadId and interactionId are required");
    }
    await respond(services, who, { taskId: threadId, agentId: c.req.param("agentId"), interactionId, body });
    return c.json({ ok: true, interactionId });
  }

  async function answerRun(c: HttpContext): Promise<Response> {
    const who = await answerer(c);
    const { interactionId, threadId: _, ...body } = await readJson(c);
    if (!isName(interactionId)) throw new AppError("bad_request", "interactionId is required");
    await respond(services, who, { taskId: c.req.param("runId") ?? "", interactionId, body });
    return c.json({ ok: true, interactionId });
  }

  async function answerer(c: HttpContext) {
    const who = await bearerKey(services, c, { kinds: ["ag-ui", "a2a"], refusal: NO_VALID_TOKEN });
    if (!who.scopes.includes("write")) throw new AppError("forbidden", "This key has no write scope.");
    return who;
  }
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

async function* asMessages(
  events: AsyncIterable<readonly LoggedEvent[]>,
  dialect: Dialect,
  from: ResumePoint | undefined,
): AsyncGenerator<readonly SseMessage[]> {
  const partsOf = (event: LoggedEvent) => {
    const has = from !== undefined && event.seq === from.seq + 1 ? from.parts : 0;
    return asSseMessages(event, dialect).slice(has);
  };
  for await (const batch of events) yield batch.flatMap(partsOf);
}

function lastEventId(c: HttpContext): ResumePoint | undefined {
  const header = c.req.header("Last-Event-ID");
  if (header === undefined || header === "") return undefined;
  const point = parseEventId(header);
  if (point === undefined) {
    throw new AppError("bad_request", "Last-Event-ID must be the id of an event of this stream");
  }
  return point;
}

function refuseMethod(c: HttpContext, allow: string): never {
  throw new AppError("method_not_allowed", `${c.req.method} is not supported here. Allowed: ${allow}.`, {
    headers: { Allow: allow },
  });
}
