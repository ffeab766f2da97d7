import type { Database } from "#db/database.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { createSemaphore } from "#lib/async/semaphore.ts";
import { batchOf, sizeOf, writeBatch } from "./run-batch.ts";
import type { BatchOutcomes, RunBatch, RunWrite, WriteOutcomes } from "./run-batch.ts";

/** The maximum size of a batch with several writes, in bytes. */
const MAX_BATCH_BYTES = 1_048_576;
/** Jobs written at the same time: each needs one of the service's connections. */
const MAX_CONCURRENT = 2;

/** Writes of jobs that would delay those of others. */
export interface ApartWrites {
  /** Whether writes of this job are pending here; its next writes must follow them. */
  has(jobId: string): boolean;
  /**
   * Writes for one job, after its pending writes here.
   * @param batchId that of the batch with these writes that failed; it may have been stored all the same
   */
  add(jobId: string, writes: readonly RunWrite[], batchId?: string): readonly Promise<WriteOutcomes>[];
}

/** A pending write. */
interface Entry {
  readonly write: RunWrite;
  readonly batchId: string | undefined;
  readonly done: PromiseWithResolvers<WriteOutcomes>;
}

/**
 * Creates the apart writes of a process: batches of one job each, in the order of its execution. A job that cannot be
 * written, because another transaction has locked its rows, delays no other one.
 * @param stored called with each stored batch; returns the outcome of each write
 */
export function createApartWrites(
  db: Database,
  stored: (
    writes: readonly RunWrite[],
    batch: RunBatch,
    written: BatchOutcomes,
  ) => ReadonlyMap<RunWrite, WriteOutcomes>,
): ApartWrites {
  const queues = new Map<string, Entry[]>();
  const connections = createSemaphore(MAX_CONCURRENT);

  async function drain(jobId: string, queue: Entry[]): Promise<void> {
    queues.set(jobId, queue);
    while (queue.length > 0) await writeNext(queue.splice(0, nextBatch(queue)));
    queues.delete(jobId);
  }

  async function writeNext(entries: readonly Entry[]): Promise<void> {
    const writes = entries.map(({ write }) => write);
    const batch = batchOf(writes, entries[0]?.batchId);
    try {
      // Without a connection during the pauses.
      const written = await retryOutage(() => connections.run(() => writeBatch(db, batch)));
      const outcomes = stored(writes, batch, written);
      for (const { write, done } of entries) done.resolve(outcomes.get(write) ?? { isAccepted: false });
    } catch (error) {
      for (const { done } of entries) done.reject(error);
    }
  }

  return {
    has: (jobId) => queues.has(jobId),
    add(jobId, writes, batchId) {
      const entries = writes.map((write) => ({ write, batchId, done: Promise.withResolvers<WriteOutcomes>() }));
      const queue = queues.get(jobId);
      if (queue === undefined) void drain(jobId, [...entries]);
      else queue.push(...entries);
      return entries.map(({ done: { promise } }) => {
        // The writer may be waiting for a batch of other jobs.
        promise.catch(() => undefined);
        return promise;
      });
    },
  };
}

/**
 * How many of these entries the next batch has. An end is written by itself: a lock that blocks it, or an error, does
 * not undo the step before it, which is paid for. What shared a batch before shares one again.
 */
function nextBatch(entries: readonly Entry[]): number {
  const [first] = entries;
  let bytes = 0;
  const end = entries.findIndex(({ write, batchId }, index) => {
    bytes += sizeOf(write);
    if (index === 0) return false;
    const isFull = batchId === undefined && bytes > MAX_BATCH_BYTES;
    return isFull || write.type === "finish" || first?.write.type === "finish" || batchId !== first?.batchId;
  });
  return end === -1 ? entries.length : end;
}
