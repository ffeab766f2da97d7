import type { Database } from "#db/database.ts";
import { appendEvents } from "#db/queries/task-events.ts";
import type { AppendRow, LoggedEvent } from "#db/queries/task-events.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/batcher.ts";
import { newId } from "#lib/ids.ts";
import { createRateMeter } from "#lib/rate-meter.ts";
import type { EventBus } from "#operations/event-bus.ts";
import { OwnershipLost } from "./queue/ownership.ts";

const MAX_BATCH = 2_000;
/** What arrives within one window shares a statement; the window grows with load, in milliseconds. */
const MIN_WINDOW_MS = 2;
const MAX_WINDOW_MS = 50;
/** At this many events per second and millisecond of the window. */
const EVENTS_PER_WINDOW_MS = 20;

/** An event on its way into a log. */
export interface PendingEvent extends Omit<AppendRow, "text"> {
  /**
   * The event as JSON; or what makes it when it is written. Until then more may be put into such an event, and it waits
   * for others as long as the window of the load is.
   */
  readonly text: string | (() => string);
}

/** Appends the events of all runs in this process to their logs, many in one statement. */
export interface EventWriter {
  /**
   * Appends an event. Readers get it only when it is stored, so that none ever sees an event
   * that a crash could take back.
   * @throws OwnershipLost when the execution may not write to this log any more.
   */
  append(event: PendingEvent): Promise<void>;
  /** Writes what waits for others without further delay. */
  flush(): void;
}

/** Makes the process's writer. */
export function createEventWriter(db: Database, bus: EventBus): EventWriter {
  const rate = createRateMeter();
  const append = createBatcher({
    intervalMs: MIN_WINDOW_MS,
    maxBatch: MAX_BATCH,
    maxDelayMs: ({ text }: PendingEvent) => (typeof text === "string" ? MIN_WINDOW_MS : windowMs(rate.perSecond())),
    write,
  });

  async function write(events: readonly PendingEvent[]): Promise<readonly { readonly kept: boolean }[]> {
    const batchId = newId();
    rate.add(events.length);
    const rows = events.map(({ text, ...row }) => ({ ...row, text: typeof text === "string" ? text : text() }));
    const appended = await retryOutage(() => appendEvents(db, batchId, rows));
    const stored = new Map<string, LoggedEvent[]>();
    rows.forEach(({ subjectId, text }, index) => {
      const seq = appended[index]?.seq ?? null;
      if (seq === null) return;
      const logged = stored.get(subjectId) ?? [];
      stored.set(subjectId, logged);
      logged.push({ seq, text, final: false });
    });
    for (const [subjectId, logged] of stored) bus.publish(subjectId, logged);
    return appended.map(({ seq, owned }) => ({ kept: seq !== null || owned }));
  }

  return {
    async append(event) {
      const { kept } = await append(event);
      if (!kept) throw new OwnershipLost(`The job of ${event.subjectId} has another owner.`);
    },
    flush: append.flush,
  };
}

/** How long events that can wait are gathered, in milliseconds, at so many events per second. */
function windowMs(perSecond: number): number {
  return Math.min(Math.max(perSecond / EVENTS_PER_WINDOW_MS, MIN_WINDOW_MS), MAX_WINDOW_MS);
}
