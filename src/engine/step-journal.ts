import type { z } from "zod";
import type { Database } from "#db/database.ts";
import { readSteps, recordSteps } from "#db/queries/run-steps.ts";
import type { FinishedStep, UsageEntry } from "#db/queries/run-steps.ts";
import type { JobKey } from "#db/queries/jobs.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/batcher.ts";
import { OwnershipLost } from "./queue/ownership.ts";

const WRITE_INTERVAL_MS = 5;
const MAX_BATCH = 1_000;

/** What a step gives: its value, which is recorded, and what it used. */
export interface StepResult<T> {
  readonly value: T;
  readonly usage?: UsageEntry | undefined;
}

/** The finished steps of one attempt of a run. */
export interface StepJournal {
  /** How many steps have finished, here or in an earlier execution. */
  size(): number;
  /** What a step returned in an earlier execution; undefined when it had not finished. @throws ZodError when that does not fit. */
  find<T>(key: string, schema: z.ZodType<T>): T | undefined;
  /** Whether a step that had finished then returned something in which this id stands. */
  mentions(id: string): boolean;
  /**
   * Records that a step has finished.
   * @throws OwnershipLost when the execution may not write to this run any more.
   */
  record(key: string, result: StepResult<unknown>): Promise<void>;
}

/** The journals of all runs of this process, which are written many at once. */
export interface Journals {
  /** Opens a run's journal; a fresh run has none to read. */
  open(run: JobKey, { isFresh }: { readonly isFresh: boolean }): Promise<StepJournal>;
}

/** Makes the process's journals. */
export function createJournals(db: Database): Journals {
  const record = createBatcher({
    intervalMs: WRITE_INTERVAL_MS,
    maxBatch: MAX_BATCH,
    write: async (steps: readonly FinishedStep[]) => {
      const owned = await retryOutage(() => recordSteps(db, steps));
      return owned.map((isOwned) => ({ isOwned }));
    },
  });

  return {
    async open(run, { isFresh }) {
      const finished: ReadonlyMap<string, string> = isFresh ? new Map() : await retryOutage(() => readSteps(db, run));
      let count = finished.size;
      return {
        size: () => count,
        find(key, schema) {
          const result = finished.get(key);
          return result === undefined ? undefined : schema.parse(JSON.parse(result));
        },
        mentions: (id) => [...finished.values()].some((result) => result.includes(id)),
        async record(key, { value, usage }) {
          const result = JSON.stringify(value);
          const { isOwned } = await record({ run, key, result, usage });
          if (!isOwned) throw new OwnershipLost(`Run ${run.subjectId} has another owner.`);
          count += 1;
        },
      };
    },
  };
}
