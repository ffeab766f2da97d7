import type { z } from "zod";
import type { Database } from "#db/database.ts";
import { readSteps } from "#db/queries/tasks/run-steps.ts";
import type { UsageEntry } from "#db/queries/tasks/run-steps.ts";
import type { JobKey } from "#db/queries/queue/jobs.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { RunWriter } from "./run-writer.ts";

/** What a step gives: its value, which is recorded, and what it used. */
export interface StepResult<T> {
  readonly value: T;
  readonly usage?: UsageEntry | undefined;
  /** Whether nothing follows but the run's end: then the step is stored together with that. */
  readonly isLast?: boolean;
}

/** The finished steps of one attempt of a run. */
export interface StepJournal {
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

/** Opens a run's journal; a fresh run has none to read. */
export async function openJournal(
  { db, writer }: { readonly db: Database; readonly writer: Pick<RunWriter, "record"> },
  run: JobKey,
  { isFresh }: { readonly isFresh: boolean },
): Promise<StepJournal> {
  const finished: ReadonlyMap<string, string> = isFresh ? new Map() : await retryOutage(() => readSteps(db, run));
  return {
    find(key, schema) {
      const result = finished.get(key);
      return result === undefined ? undefined : schema.parse(JSON.parse(result));
    },
    mentions: (id) => [...finished.values()].some((result) => result.includes(id)),
    record: (key, { value, usage }) => writer.record({ run, key, result: JSON.stringify(value), usage }),
  };
}
