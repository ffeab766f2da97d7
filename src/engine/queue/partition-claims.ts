import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { claim } from "#db/queries/queue/claim-jobs.ts";
import type { Claim, Partition } from "#db/queries/queue/claim-jobs.ts";
import { createBatcher } from "#lib/async/batcher.ts";
import type { ClaimRunner } from "./claim-runner.ts";
import type { Slots } from "./slots.ts";

/** The number of partitions that one statement claims from. */
const MAX_CLAIMED_PARTITIONS = 100;

/** Dependencies of {@link createPartitionClaims}. */
export interface PartitionClaimOptions {
  readonly db: Database;
  readonly executorId: () => string;
  readonly slots: Slots;
  readonly claims: ClaimRunner;
  readonly log: Logger;
}

/** Claims the queued jobs of partitions. */
export interface PartitionClaims {
  /** Claims a partition's jobs into the free slots. A call during its claim causes one more round of that claim. */
  wake(partition: Partition): Promise<void>;
  /** Claims from the waiting partitions that have free slots now. */
  fill(): Promise<void>;
  /** Whether a partition may hold more jobs than it had free slots. */
  isWaiting(partition: Partition): boolean;
}

/** Creates the partition claims of a process. */
export function createPartitionClaims(options: PartitionClaimOptions): PartitionClaims {
  const { db, executorId, slots, claims, log } = options;
  const claiming = new Map<string, { again: boolean }>();
  const waiting = new Map<string, Partition>();
  let filling: Promise<void> | undefined;

  // Partitions woken together, such as by the deliveries of a task, are claimed by one statement.
  const claimTogether = createBatcher({
    intervalMs: 0,
    maxBatch: MAX_CLAIMED_PARTITIONS,
    write: (parts: readonly Claim[]) => claim(db, executorId(), parts),
  });

  async function wake(partition: Partition): Promise<void> {
    const key = keyOf(partition);
    const state = claiming.get(key);
    if (state !== undefined) {
      state.again = true;
      return;
    }
    const mine = { again: true };
    claiming.set(key, mine);
    try {
      while (mine.again) {
        mine.again = false;
        await claimFrom(partition);
      }
    } catch (error) {
      // The keeper polls again within a second.
      log.warn({ err: error }, "could not claim jobs");
    } finally {
      claiming.delete(key);
    }
    void fill();
  }

  async function claimFrom(partition: Partition): Promise<void> {
    const { kind, lane } = partition;
    const key = keyOf(partition);
    const limit = slots.free(kind, lane);
    waiting.delete(key);
    if (limit === 0) return void waiting.set(key, partition);
    const frees = Array.from({ length: limit }, () => slots.take(kind, lane));
    const claimed = await claims.run(() => claimTogether({ kind, lane, limit }), frees);
    // The claim filled all free slots: more jobs may be queued.
    if (claimed === limit) waiting.set(key, partition);
  }

  /** Delayed: jobs that end together free their slots together, and one claim fills them. */
  function fill(): Promise<void> {
    filling ??= nextTurn().then(async () => {
      filling = undefined;
      const ready = Array.from(waiting.values()).filter(({ kind, lane }) => slots.free(kind, lane) > 0);
      await Promise.all(ready.map(wake));
    });
    return filling;
  }

  return { wake, fill, isWaiting: (partition) => waiting.has(keyOf(partition)) };
}

function keyOf({ kind, lane }: Partition): string {
  return `${kind} ${lane}`;
}
