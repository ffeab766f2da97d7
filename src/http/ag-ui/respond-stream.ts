import { AppError } from "#domain/errors.ts";
import { sseStream } from "#lib/sse.ts";
import type { SseMessage } from "#lib/sse.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import type { Reading } from "#operations/open-stream.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { asSseMessages, parseEventId } from "./dialect.ts";
import type { Dialect, ResumePoint } from "./dialect.ts";

/** Silence after which a stream sends a comment, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/** What a stream is made of. */
interface StreamSource {
  readonly dialect: Dialect;
  /** Opens the log from where the reader is. It is called only when the request is found right. */
  readonly open: (reading: Reading) => Promise<AsyncIterable<readonly LoggedEvent[]>>;
}

/**
 * Answers with a log as server-sent events, behind the request's `Last-Event-ID` if it has one. The stream ends with
 * the run, with the reader, or with the service.
 * @throws AppError `bad_request` for a `Last-Event-ID` that is none of ours; whatever `open` throws.
 */
export async function respondStream(
  services: Pick<HttpServices, "closing">,
  c: HttpContext,
  { dialect, open }: StreamSource,
): Promise<Response> {
  const from = lastEventId(c);
  const gone = new AbortController();
  const events = await open({ lastSeen: from?.seq, signal: gone.signal });
  // Only now: a stream that is refused would leave its listener behind.
  services.closing.addEventListener("abort", () => gone.abort(), { signal: gone.signal });
  if (services.closing.aborted) gone.abort();
  const body = sseStream(asMessages(events, dialect, from), { heartbeatMs: HEARTBEAT_MS, onClose: () => gone.abort() });
  return c.body(body, 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
  });
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
