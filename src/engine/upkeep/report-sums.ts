import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { chargeRemainingReservations } from "#db/queries/budgets/budget-reservations.ts";
import { countRunEnds, sumUsage } from "#db/queries/runs/report-sums.ts";
import { undefinedAtLock } from "#db/retry-outage.ts";
import { createPoller } from "#lib/async/poller.ts";
import type { Poller } from "#lib/async/poller.ts";

const INTERVAL_MS = 15_000;
/** Ends counted by one statement: a few milliseconds of work. */
const BATCH = 2_000;

/**
 * Creates what maintains the sums by hour and day that reports read: it adds ended attempts, and the usage of past
 * hours; and records the calls that were lost with their processes. Entries not yet counted stay in tables that reports
 * read too, so nothing is missing meanwhile or lost in a crash. One process counts at a time.
 */
export function createReportSums({ db, log }: { readonly db: Database; readonly log: Logger }): Poller<void> {
  return createPoller({
    intervalMs: INTERVAL_MS,
    async run(isStopped) {
      await chargeRemainingReservations(db).catch(undefinedAtLock);
      for (let counted = BATCH; counted === BATCH && !isStopped();) counted = await countRunEnds(db, BATCH);
      for (let summed = true; summed && !isStopped();) summed = await sumUsage(db);
    },
    onError: (error) => log.warn({ err: error }, "could not add ended runs and usage to the sums of reports"),
  });
}
