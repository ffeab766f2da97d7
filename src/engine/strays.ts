import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { putBackStrays } from "#db/queries/strays.ts";

const INTERVAL_MS = 5_000;
/** A run that was claimed so long ago is done by now, or nobody will do it. */
const STRAY_AFTER_MS = 10_000;

/**
 * Finds the runs that this process has claimed without learning of it: the connection broke between the claim and its
 * answer. To the others they look as if they were being done.
 */
export interface Strays {
  start(): void;
  stop(): Promise<void>;
}

/** What {@link createStrays} needs. */
export interface StraysOptions {
  readonly db: Database;
  readonly executorId: string;
  /** The runs that this process is doing. */
  readonly running: () => readonly string[];
  /** Takes what waits in the queues. */
  readonly wakeAll: () => Promise<void>;
  readonly log: Logger;
}

/** Makes a process's search for its strays. */
export function createStrays({ db, executorId, running, wakeAll, log }: StraysOptions): Strays {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const strays = await putBackStrays(db, { executorId, known: running(), olderThanMs: STRAY_AFTER_MS });
    if (strays.length === 0) return;
    log.warn({ runs: strays }, "putting back runs that were claimed over a connection that broke");
    await wakeAll();
  }

  return {
    start() {
      timer = setInterval(() => {
        looking ??= look()
          .catch((error: unknown) => log.warn({ err: error }, "could not look for stray runs"))
          .finally(() => (looking = undefined));
      }, INTERVAL_MS);
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
