import type { Database } from "#db/database.ts";
import { announceWork, promoteDelayed } from "#db/queries/queue/claim-jobs.ts";
import type { Dispatcher } from "./dispatcher.ts";

/** Partitions that are announced to other processes at a time. */
const MAX_ANNOUNCED = 20;

/**
 * Creates what the keeper does after each of its beats, for all processes: it lets delayed jobs be claimed whose time
 * has come, claims what waits, and announces to others what it has no slots for. So nothing is lost with a notification.
 */
export function createKeeperPoll(db: Database, dispatcher: Dispatcher): () => Promise<void> {
  let turn = 0;
  return async () => {
    await promoteDelayed(db);
    await dispatcher.wakeSuspects();
    const left = await dispatcher.wakeAll();
    if (left.length === 0) return;
    // In turn, so that each is announced some time.
    const first = (turn++ * MAX_ANNOUNCED) % left.length;
    await announceWork(db, left.slice(first, first + MAX_ANNOUNCED));
  };
}
