import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { sseStream } from "#lib/sse.ts";
import type { SseMessage } from "#lib/sse.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import { openStream } from "#operations/open-stream.ts";
import { bearerKey } from "../authenticate.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { readJson } from "../read-body.ts";

/** Silence after which a stream sends a comment, in milliseconds. */
const HEARTBEAT_MS = 15_000;
const RUN_EVENT = /"type":"RUN_/;
const NO_VALID_TOKEN = "Unauthorized — provide Bearer token";

/** The AG-UI surface, mounted at /ag-ui. Its errors are `{error: message}`. */
export function agUi(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/health", (c) => c.json({ status: "ok", protocol: "ag-ui", version: "1.1" }));
  app.post("/:agentId/sse", stream);
  app.all("/:agentId/sse", (c) => refuseMethod(c, "POST, OPTIONS"));
  app.all("/health", (c) => refuseMethod(c, "GET, HEAD, OPTIONS"));
  return app;

  async function stream(c: HttpContext): Promise<Response> {
    const who = await bearerKey(services, c, { kinds: ["ag-ui", "a2a"], refusal: NO_VALID_TOKEN });
    const { threadId, runId } = await readJson(c);
    if (typeof threadId !== "string" || threadId === "") {
      throw new AppError("bad_request", "threadId is required (maps to task ID)");
    }
    if (runId !== undefined && typeof runId !== "string") throw new AppError("bad_request", "runId must be a string");
    const gone = new AbortController();
    services.closing.addEventListener("abort", () => gone.abort(), { signal: gone.signal });
    const events = await openStream(services, who, {
      agentId: c.req.param("agentId") ?? "",
      taskId: threadId,
      lastSeen: lastEventId(c),
      signal: gone.signal,
    });
    const body = sseStream(asMessages(events, runId), { heartbeatMs: HEARTBEAT_MS, onClose: () => gone.abort() });
    return c.body(body, 200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    });
  }
}

async function* asMessages(
  events: AsyncIterable<readonly LoggedEvent[]>,
  runId: string | undefined,
): AsyncGenerator<readonly SseMessage[]> {
  for await (const batch of events) yield batch.map(({ seq, text }) => ({ id: seq, data: withRunId(text, runId) }));
}

/** The client's own name for the run, in the events that name it. */
function withRunId(text: string, runId: string | undefined): string {
  if (runId === undefined || !RUN_EVENT.test(text)) return text;
  return JSON.stringify({ ...JSON.parse(text), runId });
}

function lastEventId(c: HttpContext): number | undefined {
  const header = c.req.header("Last-Event-ID");
  if (header === undefined || header === "") return undefined;
  if (!/^\d{1,9}$/.test(header)) {
    throw new AppError("bad_request", "Last-Event-ID must be the id of an event of this stream");
  }
  return Number(header);
}

function refuseMethod(c: HttpContext, allow: string): never {
  throw new AppError("method_not_allowed", `${c.req.method} is not supported here. Allowed: ${allow}.`, {
    headers: { Allow: allow },
  });
}
