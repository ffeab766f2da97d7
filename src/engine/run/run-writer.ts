import type { Database } from "#db/database.ts";
import type { RunFinish } from "#db/queries/runs/finish-runs.ts";
import type { RunStart, StartedRun } from "#db/queries/runs/start-runs.ts";
import type { FinishedStep } from "#db/queries/runs/run-steps.ts";
import type { Observe } from "#domain/observation.ts";
import { isLockTimeout, isOutage, retryOutage } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/async/batcher.ts";
import { createRateMeter } from "#lib/async/rate-meter.ts";
import { createApartWrites } from "./apart-writes.ts";
import { batchOf, jobOf, resultsOf, sizeOf, storedEvents, writeBatch } from "./run-batch.ts";
import type { PendingEvent, RunBatch, RunWrite, WriteOutcomes, BatchOutcomes } from "./run-batch.ts";
import { OwnershipLostError } from "../queue/ownership.ts";
import type { EventBus } from "#operations/ports.ts";

const MAX_BATCH = 2_000;
const MAX_BATCH_BYTES = 1_048_576;
/** A job with more bytes to write than this is written apart. */
const LARGE_BYTES = 131_072;
/**
 * Writes within one window share a transaction; for events that can wait, the window grows with load, in milliseconds.
 */
const MIN_WINDOW_MS = 2;
const MAX_WINDOW_MS = 50;
/** The events per second for each millisecond of the window. */
const EVENTS_PER_WINDOW_MS = 20;
/** How long a start waits for the first events to share its transaction, in milliseconds. */
const START_LINGER_MS = 20;

const REJECTED: WriteOutcomes = { isAccepted: false };

const NOBODY = "00000000-0000-0000-0000-000000000000";
/** No execution owns this job, so nothing is stored. */
const PROBE: PendingEvent = {
  subjectId: NOBODY,
  owner: { jobId: NOBODY, executorId: NOBODY, fence: 0 },
  text: "{}",
};

/**
 * Writes what executions do: starts, events, steps and ends. Concurrent writes of all runs of the process share a
 * transaction, except those of a job that would delay the others; the writes of one execution are stored in call
 * order. Readers get events only after they are stored, so a crash never takes back an event that was read.
 */
export interface RunWriter {
  /** Moves a run to `running` and opens its log; undefined when it must not run any more. */
  start(start: RunStart): Promise<StartedRun | undefined>;
  /** Appends an event. @throws OwnershipLostError when the execution no longer owns its job */
  append(event: PendingEvent): Promise<void>;
  /** Records a finished step with its usage. @throws OwnershipLostError as `append` */
  record(step: FinishedStep): Promise<void>;
  /** Ends a run with its last events. @throws OwnershipLostError as `append`, and when the run was cancelled */
  finish(finish: RunFinish): Promise<void>;
  /** Writes everything that is pending without further delay. */
  flush(): void;
  /** Resolves when something could be written: the event of no run, which takes the way of all events. */
  probe(): Promise<void>;
}

/** Creates the writer of a process. */
export function createRunWriter(db: Database, bus: EventBus, observe: Observe): RunWriter {
  const rate = createRateMeter();
  const apart = createApartWrites(db, stored);
  let probing: Promise<unknown> | undefined;
  const write = createBatcher({
    intervalMs: MIN_WINDOW_MS,
    maxBatch: MAX_BATCH,
    maxBytes: MAX_BATCH_BYTES,
    sizeOf,
    maxDelayMs: (item: RunWrite) =>
      item.type === "event" && typeof item.event.text !== "string" ? windowMs(rate.perSecond()) : MIN_WINDOW_MS,
    lingerMs: ({ type }) => (type === "start" ? START_LINGER_MS : 0),
    write: writeAll,
  });

  /** Returns promises for jobs that are written apart, so that only their own runs wait. */
  async function writeAll(writes: readonly RunWrite[]): Promise<readonly (WriteOutcomes | Promise<WriteOutcomes>)[]> {
    rate.add(writes.length);
    const jobs = [...Map.groupBy(writes, jobOf)];
    const mustWait = ([jobId, own]: JobWrites) => apart.has(jobId) || isLarge(own);
    const alone = writeApart(jobs.filter(mustWait));
    const shared = jobs.filter(([jobId]) => !apart.has(jobId));
    const results = new Map([...alone, ...(shared.length === 0 ? [] : await writeShared(shared))]);
    return writes.map((each) => results.get(each) ?? REJECTED);
  }

  /** Writes for several jobs in one transaction; if it fails, for each of them apart. */
  async function writeShared(jobs: readonly JobWrites[]): Promise<WriteResults> {
    const writes = jobs.flatMap(([, own]) => own);
    const batch = batchOf(writes);
    const written = await retryOutage(() => writeBatch(db, batch).catch(undefinedUnlessOutage));
    // Under the same id: the batch may have been stored over a broken connection, before a lock.
    return written === undefined ? writeApart(jobs, batch.id) : stored(writes, batch, written);
  }

  function writeApart(jobs: readonly JobWrites[], batchId?: string): WriteResults {
    return new Map(
      jobs.flatMap(([jobId, own]) => {
        const outcomes = apart.add(jobId, own, batchId);
        return own.map((each, index) => [each, outcomes[index] ?? REJECTED] as const);
      }),
    );
  }

  function stored(
    writes: readonly RunWrite[],
    batch: RunBatch,
    written: BatchOutcomes,
  ): ReadonlyMap<RunWrite, WriteOutcomes> {
    for (const [logId, events] of storedEvents(batch, written)) bus.publish(logId, events);
    return resultsOf(writes, written);
  }

  async function accepted(item: RunWrite, subjectId: string): Promise<void> {
    const { isAccepted } = await write(item);
    if (isAccepted) return;
    observe({ type: "write_rejected" });
    throw new OwnershipLostError(`The job of ${subjectId} has another owner.`);
  }

  return {
    start: async (start) => (await write({ type: "start", start })).started,
    append: (event) => accepted({ type: "event", event }, event.subjectId),
    record: (step) => accepted({ type: "step", step }, step.run.subjectId),
    finish: (finish) => accepted({ type: "finish", finish }, finish.runId),
    flush: write.flush,
    async probe() {
      probing ??= write({ type: "event", event: PROBE }).finally(() => (probing = undefined));
      await probing;
    },
  };
}

/** The writes of a job, in order. */
type JobWrites = readonly [jobId: string, writes: readonly RunWrite[]];

type WriteResults = ReadonlyMap<RunWrite, WriteOutcomes | Promise<WriteOutcomes>>;

function isLarge(writes: readonly RunWrite[]): boolean {
  return writes.reduce((sum, each) => sum + sizeOf(each), 0) > LARGE_BYTES;
}

/** For the `catch` of a write for several jobs: undefined when one of them may have caused the error. */
function undefinedUnlessOutage(error: unknown): undefined {
  if (isOutage(error) && !isLockTimeout(error)) throw error;
}

/** How long events that can wait are gathered, in milliseconds, at this many events per second. */
function windowMs(perSecond: number): number {
  return Math.min(Math.max(perSecond / EVENTS_PER_WINDOW_MS, MIN_WINDOW_MS), MAX_WINDOW_MS);
}
