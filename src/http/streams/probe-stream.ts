import { setTimeout as after } from "node:timers/promises";
import { sseStream } from "#lib/http/sse.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import type { HttpContext } from "../context.ts";
import { STREAM_HEADERS } from "./respond-events.ts";

/** The path of a short stream without contents. It shows whether what is in front of the service passes events on. */
export const PROBE_STREAM = "/healthz/stream";
/** The number of its events. */
export const PROBE_EVENTS = 4;
/** The time between two of its events, in milliseconds. */
export const PROBE_INTERVAL_MS = 300;

/** Serves {@link PROBE_STREAM}. It needs no key, as it reads nothing. */
export function respondProbeStream(c: HttpContext): Response {
  const stream = sseStream(events(), {
    heartbeatMs: PROBE_INTERVAL_MS * PROBE_EVENTS,
    onClose: () => undefined,
    onError: () => c.env.outgoing.destroy(),
  });
  return c.body(stream, 200, STREAM_HEADERS);
}

async function* events(): AsyncGenerator<readonly SseMessage[]> {
  for (let nth = 0; nth < PROBE_EVENTS; nth += 1) {
    if (nth > 0) await after(PROBE_INTERVAL_MS);
    yield [{ data: JSON.stringify({ nth }) }];
  }
}
