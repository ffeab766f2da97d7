import type { Database } from "#db/database.ts";
import { finishRuns, startRuns } from "#db/queries/run-bounds.ts";
import type { RunFinish, RunStart, StartedRun } from "#db/queries/run-bounds.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/batcher.ts";

const WRITE_INTERVAL_MS = 5;
const MAX_BATCH = 100;

/** Begins and ends the runs of tasks, those that do so at the same time in one statement. */
export interface RunBounds {
  /** Makes an execution the owner of its attempt; undefined when the task is no longer to be run. */
  start(start: RunStart): Promise<StartedRun | undefined>;
  /** Ends a task; gives the number of the first of its last events, or undefined when its execution no longer owns it. */
  finish(finish: RunFinish): Promise<number | undefined>;
}

/** Makes the process's bounds of runs. */
export function createRunBounds(db: Database): RunBounds {
  const batching = { intervalMs: WRITE_INTERVAL_MS, maxBatch: MAX_BATCH };
  const start = createBatcher({
    ...batching,
    // Two executions of one task come one after the other, so that the second one becomes the owner.
    apart: ({ taskId }: RunStart) => taskId,
    async write(starts: readonly RunStart[]) {
      const started = await retryOutage(() => startRuns(db, starts));
      return started.map((row) => ({ row }));
    },
  });
  const finish = createBatcher({
    ...batching,
    async write(finishes: readonly RunFinish[]) {
      const finished = await retryOutage(() => finishRuns(db, finishes));
      return finished.map((row) => ({ seq: row?.first_seq }));
    },
  });
  return {
    start: async (run) => (await start(run)).row,
    finish: async (run) => (await finish(run)).seq,
  };
}
