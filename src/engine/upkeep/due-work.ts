import type { Logger } from "pino";
import { nextDue } from "#db/queries/queue/due-work.ts";
import type { ChangeServices } from "#operations/change-workspace.ts";
import { warnOfExpiringKeys } from "#operations/access/expiring-keys.ts";
import { checkAlerts } from "#operations/alerts/check-alerts.ts";
import { dispatchDueTasks } from "#operations/tasks/dispatch-due.ts";
import { expireQuestions } from "#operations/runs/expire-questions.ts";
import { fireDueSchedules } from "#operations/schedules/fire-schedules.ts";

/** A process polls at least this often, so that a lost notification only causes a delay. */
const MAX_SLEEP_MS = 60_000;
/** The delay when due work failed or another process is doing it. */
const PAUSE_MS = 1_000;

/** Kinds of due work; each does a batch and returns its size. */
const KINDS = [
  { what: "questions without an answer", run: expireQuestions },
  { what: "tasks whose time has come", run: dispatchDueTasks },
  { what: "schedules whose time has come", run: fireDueSchedules },
  { what: "alerts", run: checkAlerts },
  { what: "keys that expire soon", run: warnOfExpiringKeys },
] as const;

/** Does work that is due at a time: deadlines of questions, scheduled tasks, schedules, alerts, and keys that expire. */
export interface DueWork {
  start(): void;
  /** Notes that something is due at a time, in milliseconds since 1970 by the database's clock. */
  note(at: number): void;
  stop(): Promise<void>;
}

/**
 * Creates a process's timer for due work. It sleeps until the earliest time in the database, and is notified of earlier
 * ones; a quiet minute costs one query, independent of the number of waiting tasks. Several processes may run it concurrently, and a new
 * process finds work that became due while none was running.
 */
export function createDueWork(options: ChangeServices & { readonly log: Logger }): DueWork {
  let isOn = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  /** The end of its sleep, by the database's clock. */
  let sleepsUntil = Infinity;
  /** The earliest time that was noted during a poll. */
  let noted = Infinity;

  function sleep(ms: number): void {
    clearTimeout(timer);
    if (isOn) timer = setTimeout(poll, Math.min(Math.max(Math.ceil(ms), 0), MAX_SLEEP_MS));
  }

  function poll(): void {
    clearTimeout(timer);
    polling ??= pollOnce()
      .catch((error: unknown) => {
        options.log.warn({ err: error }, "could not check for due work");
        sleepsUntil = Infinity;
        return PAUSE_MS;
      })
      .then((ms) => {
        polling = undefined;
        sleep(noted < sleepsUntil ? 0 : ms);
      });
  }

  /** Returns how long to sleep, in milliseconds. */
  async function pollOnce(): Promise<number> {
    noted = Infinity;
    let next = await nextDue(options.db);
    let pause = 0;
    if (next !== undefined && next.inMs <= 0) {
      const found = await processDue(options);
      next = await nextDue(options.db);
      if (found === 0) pause = PAUSE_MS;
    }
    sleepsUntil = next?.due ?? Infinity;
    return Math.max(pause, next?.inMs ?? MAX_SLEEP_MS);
  }

  return {
    start() {
      isOn = true;
      poll();
    },
    note(at) {
      if (polling !== undefined) noted = Math.min(noted, at);
      else if (isOn && at < sleepsUntil) poll();
    },
    async stop() {
      isOn = false;
      clearTimeout(timer);
      await polling;
    },
  };
}

/** Does a batch of everything that is due; failed work is retried at the next poll. Returns how much was done. */
async function processDue(options: ChangeServices & { readonly log: Logger }): Promise<number> {
  const found = await Promise.all(
    KINDS.map(({ what, run }) =>
      run(options).catch((error: unknown) => {
        options.log.warn({ err: error }, `could not process ${what}`);
        return 0;
      }),
    ),
  );
  return found.reduce((sum, count) => sum + count, 0);
}
