import type { Logger } from "pino";
import type { Queries } from "#db/database.ts";
import { isHeldCopy } from "#db/queries/access/hold.ts";
import { createPoller } from "#lib/async/poller.ts";

const POLL_INTERVAL_MS = 1_000;
const HELD =
  "this database is a restored copy, which is held: it serves reads, and runs, schedules, triggers and deliveries wait. " +
  "Release it with: muster restore --release";

/** What a process knows of the hold of its database. */
export interface Hold {
  readonly isHeld: () => boolean;
  /** Starts the engine: now, or when the copy is released. */
  begin(start: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Reads whether the database is a restored copy that was not released; a process that serves never becomes held. */
export async function readHold(db: Queries, log: Logger): Promise<Hold> {
  let isHeld = await isHeldCopy(db);
  let start = () => Promise.resolve();
  const poller = createPoller({
    intervalMs: POLL_INTERVAL_MS,
    async run() {
      if (!isHeld || (await isHeldCopy(db))) return;
      await start();
      isHeld = false;
      log.warn("the copy is released");
    },
    onError: (error) => log.warn({ err: error }, "could not check for the release of the copy"),
  });
  return {
    isHeld: () => isHeld,
    async begin(engine) {
      if (!isHeld) return engine();
      log.warn(HELD);
      start = engine;
      poller.start();
    },
    stop: poller.stop,
  };
}
