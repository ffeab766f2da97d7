import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { chargeRemainingReservations } from "#db/queries/budgets/budget-reservations.ts";
import { countRunEnds, sumUsage } from "#db/queries/runs/report-sums.ts";
import { undefinedAtLock } from "#db/retry-outage.ts";

const INTERVAL_MS = 15_000;
/** Ends counted by one statement: a few milliseconds of work. */
const BATCH = 2_000;

/**
 * Maintains the sums by hour and day that reports read: adds ended attempts, and the usage of past hours; and records
 * the calls that were lost with their processes. Entries not yet counted stay in tables that reports read too, so
 * nothing is missing meanwhile or lost in a crash. One process counts at a time.
 */
export interface ReportSums {
  start(): void;
  /** Counts all pending entries. */
  runOnce(): Promise<void>;
  /** Waits for the statement in flight; the rest is left to the next start or another process. */
  stop(): Promise<void>;
}

/** Creates what maintains the sums in a process. */
export function createReportSums({ db, log }: { readonly db: Database; readonly log: Logger }): ReportSums {
  let timer: NodeJS.Timeout | undefined;
  let counting: Promise<void> | undefined;
  let stopped = false;

  async function runOnce(): Promise<void> {
    await chargeRemainingReservations(db).catch(undefinedAtLock);
    for (let counted = BATCH; counted === BATCH && !stopped;) counted = await countRunEnds(db, BATCH);
    for (let summed = true; summed && !stopped;) summed = await sumUsage(db);
  }

  return {
    runOnce,
    start() {
      timer = setInterval(() => {
        counting ??= runOnce()
          .catch((error: unknown) =>
            log.warn({ err: error }, "could not add ended runs and usage to the sums of reports"),
          )
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
