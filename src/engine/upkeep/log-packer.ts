import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { packAttempt } from "#db/queries/streams/event-pages.ts";

const POLL_INTERVAL_MS = 5_000;
/** Events packed by one statement: a few milliseconds of work, so that locks are short. */
const LIMITS = { events: 2_000, pageBytes: 65_536 } as const;

/**
 * Packs the event logs of closed attempts into pages a few seconds after they close. Pending logs are listed in a
 * table: a crash loses nothing, and several processes share the work.
 */
export interface LogPacker {
  start(): void;
  /** Packs all pending logs; returns the number of statements. */
  runOnce(): Promise<number>;
  /** Waits for the statement in flight; the rest is left to the next start or another process. */
  stop(): Promise<void>;
}

/** Creates the log packer of a process. */
export function createLogPacker({ db, log }: { readonly db: Database; readonly log: Logger }): LogPacker {
  let timer: NodeJS.Timeout | undefined;
  let packing: Promise<void> | undefined;
  let stopped = false;

  async function runOnce(): Promise<number> {
    let count = 0;
    while (!stopped && (await packAttempt(db, LIMITS))) count += 1;
    return count;
  }

  return {
    runOnce,
    start() {
      timer = setInterval(() => {
        packing ??= runOnce()
          .then(() => undefined)
          .catch((error: unknown) => log.warn({ err: error }, "could not pack event logs"))
          .finally(() => (packing = undefined));
      }, POLL_INTERVAL_MS);
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await packing;
    },
  };
}
