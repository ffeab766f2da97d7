import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { countRunEnds, sumUsageHours } from "#db/queries/runs/hour-counters.ts";

const INTERVAL_MS = 15_000;
/** Ends of one statement: some milliseconds of work. */
const BATCH = 2_000;

/**
 * Keeps the counters by hour that the overview reads: it adds to them the ends of attempts and the usage of past hours.
 * What waits to be counted is in tables that the overview reads, too: nothing is missing meanwhile, or lost with a
 * process. One process at a time counts.
 */
export interface HourCounter {
  start(): void;
  /** Counts all that waits. */
  runOnce(): Promise<void>;
  /** Waits for the statement in flight; what still waits is left for the next start, or another process. */
  stop(): Promise<void>;
}

/** Creates a process's counter. */
export function createHourCounter({ db, log }: { readonly db: Database; readonly log: Logger }): HourCounter {
  let timer: NodeJS.Timeout | undefined;
  let counting: Promise<void> | undefined;
  let stopped = false;

  async function runOnce(): Promise<void> {
    for (let counted = BATCH; counted === BATCH && !stopped;) counted = await countRunEnds(db, BATCH);
    for (let summed = true; summed && !stopped;) summed = await sumUsageHours(db);
  }

  return {
    runOnce,
    start() {
      timer = setInterval(() => {
        counting ??= runOnce()
          .catch((error: unknown) => log.warn({ err: error }, "could not count ended runs and usage by hour"))
          .finally(() => (counting = undefined));
      }, INTERVAL_MS);
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await counting;
    },
  };
}
