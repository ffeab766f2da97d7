import type { Database } from "#db/database.ts";
import { announceWork } from "#db/queries/queue/claim-jobs.ts";
import type { Dispatcher } from "./dispatcher.ts";

/** The number of partitions announced to other processes at a time. */
const MAX_ANNOUNCED = 20;

/**
 * Creates the keeper's work after each of its beats: it claims queued jobs, and delayed ones when their time has come,
 * and announces those without a slot here to other processes. So a lost notification only causes a delay.
 * @param hasOthers whether there may be other processes
 */
export function createKeeperPoll(db: Database, dispatcher: Dispatcher, hasOthers: () => boolean): () => Promise<void> {
  let turn = 0;
  return async () => {
    const left = await dispatcher.wakeAll();
    if (left.length === 0 || !hasOthers()) return;
    // In turn, so that each is announced eventually.
    const first = (turn++ * MAX_ANNOUNCED) % left.length;
    await announceWork(db, left.slice(first, first + MAX_ANNOUNCED));
  };
}
