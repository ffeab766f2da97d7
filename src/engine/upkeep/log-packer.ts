import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { packAttempt } from "#db/queries/streams/event-pages.ts";
import { createPoller } from "#lib/async/poller.ts";
import type { Poller } from "#lib/async/poller.ts";

const POLL_INTERVAL_MS = 5_000;
/** Events packed by one statement: a few milliseconds of work, so that locks are short. */
const LIMITS = { events: 2_000, pageBytes: 65_536 } as const;

/**
 * Creates the log packer of a process. It packs the event logs of closed attempts into pages a few seconds after they
 * close. Pending logs are listed in a table: a crash loses nothing, and several processes share the work. A run returns
 * the number of statements.
 */
export function createLogPacker({ db, log }: { readonly db: Database; readonly log: Logger }): Poller<number> {
  return createPoller({
    intervalMs: POLL_INTERVAL_MS,
    async run(isStopped) {
      let count = 0;
      while (!isStopped() && (await packAttempt(db, LIMITS))) count += 1;
      return count;
    },
    onError: (error) => log.warn({ err: error }, "could not pack event logs"),
  });
}
