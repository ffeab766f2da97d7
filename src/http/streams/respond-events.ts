import type { HttpBindings } from "@hono/node-server";
import { sseStream } from "#lib/http/sse.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import { asUnavailable } from "#operations/unavailable.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import { loggedPath } from "../middleware/log-requests.ts";

/** The interval without events after which a stream sends a comment, in milliseconds. */
const HEARTBEAT_MS = 15_000;
/** Given explicitly, because the default reason is a new exception with a stack for every stream. */
const ENDED = new Error("The stream has ended.");

/** The headers of a stream; some proxies need them to pass events on at once. */
export const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/** The source of a stream, and its reader. */
export interface EventSource {
  readonly caller: BearerCaller;
  /** Opens the source, which ends when the signal is aborted; undefined when nothing will ever be sent. */
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<readonly SseMessage[]> | undefined>;
  /** Called when the client has disconnected before the source ended. */
  readonly onLeave?: () => void;
}

/**
 * Responds with server-sent events until the source ends, the client disconnects, its credential is revoked, or the
 * service stops; with 204 without a source.
 * @throws AppError `rate_limit_exceeded` as {@link OpenStreams.admit}; any error of `open`.
 */
export async function respondEvents(
  services: Pick<HttpServices, "closing" | "streams" | "log">,
  c: HttpContext,
  { caller, open, onLeave }: EventSource,
): Promise<Response> {
  const gone = new AbortController();
  const end = () => gone.abort(ENDED);
  gone.signal.addEventListener("abort", services.streams.admit(caller, end));
  const events = await open(gone.signal).catch((error: unknown) => {
    end();
    throw error;
  });
  if (events === undefined) {
    end();
    return c.body(null, 204);
  }
  services.closing.addEventListener("abort", end, { signal: gone.signal });
  if (services.closing.aborted) end();
  sendTogether(c.env.outgoing);
  const onError = (error: unknown) => interrupt(services, c, error);
  const stream = sseStream(events, { heartbeatMs: HEARTBEAT_MS, onClose: end, onLeave, onError });
  return c.body(stream, 200, STREAM_HEADERS);
}

/** Breaks the connection of a stream that cannot go on, so that no reader takes its end for the whole. */
function interrupt({ log }: Pick<HttpServices, "log">, c: HttpContext, error: unknown): void {
  const about = { err: error, requestId: c.get("requestId"), path: loggedPath(c) };
  log[asUnavailable(error) === undefined ? "error" : "warn"](about, "stream interrupted");
  c.env.outgoing.destroy();
}

/** Sends what is written to a response in this turn of the event loop, headers included, with one system call. */
function sendTogether({ socket }: HttpBindings["outgoing"]): void {
  if (socket === null) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}
