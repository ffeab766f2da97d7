import type { RunEvent } from "../../../api/live-stream.ts";
import { NO_WAITS, addWaits } from "./budget-waits.ts";
import type { BudgetWaits } from "./budget-waits.ts";
import { EMPTY_TRANSCRIPT, addEvents } from "./transcript.ts";
import type { Transcript } from "./transcript.ts";

/** What has come of a run's log. */
export interface LogSnapshot {
  readonly events: readonly RunEvent[];
  readonly transcript: Transcript;
  readonly waits: BudgetWaits;
}

/** The log of an attempt, gathered outside of the page, which is drawn ten times a second at most. */
export interface LogStore {
  readonly add: (event: RunEvent) => void;
  readonly subscribe: (listener: () => void) => () => void;
  readonly snapshot: () => LogSnapshot;
}

const FLUSH_MS = 100;
/** Older ones are in the record; a page that is open for days stays small. */
const MAX_EVENTS = 20_000;

/** Creates the log of an attempt; events of other attempts are left out. */
export function createLogStore(attempt: number): LogStore {
  const listeners = new Set<() => void>();
  const waiting: RunEvent[] = [];
  let current: LogSnapshot = { events: [], transcript: EMPTY_TRANSCRIPT, waits: NO_WAITS };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let at = 1;

  function flush(): void {
    timer = undefined;
    const added = waiting.splice(0);
    current = {
      events: [...current.events, ...added].slice(-MAX_EVENTS),
      transcript: addEvents(current.transcript, added),
      waits: addWaits(current.waits, added),
    };
    for (const listener of listeners) listener();
  }

  return {
    add(event) {
      if (event.type === "RUN_STARTED") at = attemptOf(event);
      if (at !== attempt) return;
      waiting.push(event);
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => current,
  };
}

/** The stream names the first attempt as the run, the others `<id>.2`, `<id>.3`. */
function attemptOf({ runId }: RunEvent): number {
  return Number(typeof runId === "string" ? (/\.(\d+)$/.exec(runId)?.[1] ?? 1) : 1);
}
