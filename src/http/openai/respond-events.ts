import { sseStream } from "#lib/http/sse.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import type { BearerCaller } from "../middleware/bearer-caller.ts";
import type { HttpContext, HttpServices } from "../context.ts";

/** The interval without events after which a stream sends a comment, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/** The source of a stream, and its reader. */
export interface EventSource {
  readonly caller: BearerCaller;
  /** Opens the source; it ends when the signal is aborted. */
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<readonly SseMessage[]>>;
}

/**
 * Responds with server-sent events until the source ends, the client disconnects, its credential is revoked, or the
 * service stops.
 * @throws AppError `rate_limit_exceeded` as {@link HttpServices.streams}; any error of `open`.
 */
export async function respondEvents(
  services: Pick<HttpServices, "closing" | "streams">,
  c: HttpContext,
  { caller, open }: EventSource,
): Promise<Response> {
  const gone = new AbortController();
  const end = () => gone.abort();
  const release = services.streams.admit(caller, end);
  gone.signal.addEventListener("abort", release);
  try {
    const body = sseStream(await open(AbortSignal.any([gone.signal, services.closing])), {
      heartbeatMs: HEARTBEAT_MS,
      onClose: end,
    });
    return c.body(body, 200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    });
  } catch (error) {
    end();
    throw error;
  }
}
