import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { QueueName } from "#domain/workflow.ts";
import { claimRuns } from "./claim-runs.ts";

/** How many runs a process takes from each queue. */
export interface Concurrency {
  /** At most so many at once in this process. */
  readonly perProcess: number;
  /** At most so many of one workspace at once in this process. */
  readonly perWorkspace: number;
}

/** What {@link createDispatcher} needs. */
export interface DispatcherOptions {
  readonly pool: Pool;
  readonly queue: QueueName;
  /** The process for which it takes runs. */
  readonly executorId: string;
  readonly concurrency: Concurrency;
  /** Whether the process is closing: it takes no more runs then. */
  readonly isClosing: () => boolean;
  readonly log: Logger;
}

/** Takes runs from one queue, as many as this process may have. */
export interface Dispatcher {
  /** Takes what waits in a workspace's partition, as far as there is room; the rest as soon as there is. */
  wake(workspaceId: string): Promise<void>;
  /** Wakes every partition in which something waits. */
  wakeAll(): Promise<void>;
  /** Whether this process may take more runs from the queue. */
  hasRoom(): boolean;
  /** Call it in a run that is about to end: once its place is free, the next one gets it. */
  noteEnd(): void;
}

/**
 * DBOS looks at its queues at intervals, and wakes this then; whoever has enqueued a run wakes it at once. Calls
 * for a partition that is being claimed are folded into one more round. Partitions in which more may
 * wait than there was room for are remembered, and asked in turn when there is room again.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { pool, queue, executorId, log } = options;
  const claiming = new Map<string, { again: boolean }>();
  const waiting = new Set<string>();
  const places = createPlaces(options);

  async function claim(partition: string): Promise<void> {
    const executor = DBOSExecutor.globalInstance;
    if (executor === undefined) return;
    const limit = places.freeFor(partition);
    waiting.delete(partition);
    const owner = randomUUID();
    const give = places.reserve(limit);
    try {
      const claimed = await claimRuns(pool, { queue, partition, executorId, owner, limit });
      // All that there was room for, if only for none: more may wait.
      if (claimed.length === limit) waiting.add(partition);
      if (claimed.length > 0) await executor.dispatchDequeuedWorkflows(claimed, owner);
    } finally {
      give();
    }
  }

  async function wake(partition: string): Promise<void> {
    const state = claiming.get(partition);
    if (state !== undefined) {
      state.again = true;
      return;
    }
    const mine = { again: true };
    claiming.set(partition, mine);
    try {
      while (mine.again) {
        mine.again = false;
        await claim(partition);
      }
    } catch (error) {
      // The library's next look comes within a second.
      log.warn({ err: error }, "could not take runs");
    } finally {
      claiming.delete(partition);
    }
    void fill();
  }

  /** Asks the partitions in which something may wait, those first that have waited longest, while there is room. */
  async function fill(): Promise<void> {
    for (const partition of waiting) {
      if (places.free() === 0) return;
      if (places.freeFor(partition) > 0) await wake(partition);
    }
  }

  return {
    wake,
    async wakeAll() {
      const partitions = await DBOSExecutor.globalInstance?.systemDatabase.getQueuePartitions(queue);
      await Promise.all((partitions ?? []).map(wake));
    },
    hasRoom: () => places.free() > 0,
    noteEnd() {
      const running = DBOSExecutor.globalInstance?.systemDatabase.runningWorkflowMap;
      for (const { promise } of running?.get(DBOS.workflowID ?? "") ?? []) void promise.then(fill);
    },
  };
}

/** The places of this process for runs of a queue; those for which a claim is under way count as taken. */
function createPlaces({ queue, concurrency, isClosing }: DispatcherOptions) {
  let reserved = 0;

  function free(): number {
    if (isClosing()) return 0;
    const running = DBOSExecutor.globalInstance?.systemDatabase.countRunningWorkflowsForQueue(queue) ?? 0;
    return Math.max(0, concurrency.perProcess - running - reserved);
  }

  return {
    free,
    freeFor(partition: string): number {
      const database = DBOSExecutor.globalInstance?.systemDatabase;
      const running = database?.countRunningWorkflowsForPartition(queue, partition) ?? 0;
      return Math.min(free(), Math.max(0, concurrency.perWorkspace - running));
    },
    reserve(count: number): () => void {
      reserved += count;
      return () => {
        reserved -= count;
      };
    },
  };
}
