import { AppError } from "#domain/errors.ts";
import { mapAsync } from "#lib/async/map-async.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import type { EventStream, Reading } from "#operations/streams/open-stream.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondEvents } from "../streams/respond-events.ts";
import { createTranslator, parseEventId } from "#protocols/ag-ui/dialect.ts";
import type { Dialect, ResumePoint } from "#protocols/ag-ui/dialect.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

/** The source of a stream. */
interface StreamSource {
  readonly caller: BearerCaller;
  readonly dialect: Dialect;
  /** Opens the log at the reader's position. Called only for a valid request. */
  readonly open: (reading: Reading) => Promise<EventStream>;
  /** Called when the client has disconnected before it was sent the last event. */
  readonly onLeave?: () => void;
}

/**
 * Responds with a log as server-sent events, after the request's `Last-Event-ID` if it has one. The stream ends with
 * the run, the client, the caller's credential, or the service. 204 when the client has all of a closed log.
 * @throws AppError `bad_request` for an invalid `Last-Event-ID`; `rate_limit_exceeded` as {@link OpenStreams.admit};
 * any error of `open`.
 */
export async function respondStream(
  services: Pick<HttpServices, "closing" | "streams" | "log">,
  c: HttpContext,
  { caller, dialect, open, onLeave }: StreamSource,
): Promise<Response> {
  const from = lastEventId(c, dialect);
  let hasEnded = false;
  return respondEvents(services, c, {
    caller,
    async open(signal) {
      const events = await open({ lastSeen: from?.seq, signal });
      return events === undefined ? undefined : asMessages(events, { dialect, from, onEnd: () => (hasEnded = true) });
    },
    onLeave() {
      if (!hasEnded) onLeave?.();
    },
  });
}

interface Translation {
  readonly dialect: Dialect;
  readonly from: ResumePoint | undefined;
  /** Called at the last event. */
  readonly onEnd: () => void;
}

function asMessages(
  events: AsyncIterable<readonly LoggedEvent[]>,
  { dialect, from, onEnd }: Translation,
): AsyncIterable<readonly SseMessage[]> {
  const translate = createTranslator(dialect);
  const partsOf = (event: LoggedEvent) => {
    if (event.final) onEnd();
    const has = from !== undefined && event.seq === from.seq + 1 ? from.parts : 0;
    return translate(event).slice(has);
  };
  return mapAsync(events, { map: (batch) => batch.flatMap(partsOf) });
}

function lastEventId(c: HttpContext, { isStandard }: Dialect): ResumePoint | undefined {
  const header = c.req.header("Last-Event-ID");
  if (header === undefined || header === "") return undefined;
  const point = parseEventId(header);
  // Only standard clients receive events in parts.
  if (point === undefined || (point.parts > 0 && !isStandard)) {
    throw new AppError("bad_request", "Last-Event-ID must be the id of an event of this stream");
  }
  return point;
}
