import type { Database } from "#db/database.ts";
import type { RunFinish, RunStart, StartedRun } from "#db/queries/tasks/run-bounds.ts";
import type { FinishedStep } from "#db/queries/tasks/run-steps.ts";
import { retryOutage, undefinedAtLock } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/async/batcher.ts";
import { createRateMeter } from "#lib/async/rate-meter.ts";
import type { EventBus } from "#operations/streams/event-bus.ts";
import { batchOf, jobOf, resultsOf, storedEvents, writeBatch } from "./run-batch.ts";
import type { PendingEvent, RunBatch, RunWrite, WriteOutcomes, BatchOutcomes } from "./run-batch.ts";
import { OwnershipLostError } from "../queue/ownership.ts";

const MAX_BATCH = 2_000;
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

/**
 * Writes what executions do: starts, events, steps and ends. Concurrent writes of all runs of the process share a
 * transaction; the writes of one execution are stored in call order. Readers get events only after they are stored, so
 * a crash never takes back an event that was read.
 */
export interface RunWriter {
  /** Moves a task to `running` and opens its log; undefined when the task must not run any more. */
  start(start: RunStart): Promise<StartedRun | undefined>;
  /** Appends an event. @throws OwnershipLostError when the execution no longer owns its job */
  append(event: PendingEvent): Promise<void>;
  /** Records a finished step with its usage. @throws OwnershipLostError as `append` */
  record(step: FinishedStep): Promise<void>;
  /** Ends a task with its last events. @throws OwnershipLostError as `append`, and when the task was cancelled */
  finish(finish: RunFinish): Promise<void>;
  /** Writes everything that is pending without further delay. */
  flush(): void;
}

/** Creates the writer of a process. */
export function createRunWriter(db: Database, bus: EventBus): RunWriter {
  const rate = createRateMeter();
  /** Jobs whose writes wait for a lock of another transaction; their next writes wait for these. */
  const blocked = new Map<string, Promise<unknown>>();
  const write = createBatcher({
    intervalMs: MIN_WINDOW_MS,
    maxBatch: MAX_BATCH,
    maxDelayMs: (item: RunWrite) =>
      item.type === "event" && typeof item.event.text !== "string" ? windowMs(rate.perSecond()) : MIN_WINDOW_MS,
    lingerMs: ({ type }) => (type === "start" ? START_LINGER_MS : 0),
    together: jobOf,
    write: (writes: readonly RunWrite[]) => writeAll(writes).catch((error: unknown) => writeWithoutEnd(writes, error)),
  });

  /** If an end cannot be written, the last step is still stored, so nothing that was paid for is repeated. */
  async function writeWithoutEnd(
    writes: readonly RunWrite[],
    error: unknown,
  ): Promise<readonly (WriteOutcomes | Promise<WriteOutcomes>)[]> {
    const [end, ...others] = writes.filter(({ type }) => type === "finish");
    const before = writes.filter((each) => each !== end);
    // A batch of several runs is split first.
    if (end === undefined || others.length > 0 || before.length === 0) throw error;
    if (before.some((each) => jobOf(each) !== jobOf(end))) throw error;
    const results = [...(await writeAll(before))];
    const ended = writeAll([end]).then(([written]) => written ?? REJECTED);
    return writes.map((each) => (each === end ? ended : (results.shift() ?? REJECTED)));
  }

  /** Returns promises for writes that wait for a lock, so that only their own runs wait. */
  async function writeAll(writes: readonly RunWrite[]): Promise<readonly (WriteOutcomes | Promise<WriteOutcomes>)[]> {
    rate.add(writes.length);
    const free = writes.filter((each) => !blocked.has(jobOf(each)));
    const batch = batchOf(free);
    const written =
      free.length === 0 ? undefined : await retryOutage(() => writeBatch(db, batch).catch(undefinedAtLock));
    const results = new Map<RunWrite, WriteOutcomes | Promise<WriteOutcomes>>(
      written === undefined ? [] : stored(free, batch, written),
    );
    const held = writes.filter((each) => !results.has(each));
    for (const own of splitEnds(held)) {
      // Under the same id: the batch may have been stored over a broken connection, before the lock.
      const done = writeApart(jobOf(own[0]), batchOf(own, batch.id), own);
      for (const each of own) {
        results.set(
          each,
          done.then((all) => all.get(each) ?? REJECTED),
        );
      }
    }
    return writes.map((each) => results.get(each) ?? REJECTED);
  }

  /** Writes for one job, after its pending writes. */
  function writeApart(
    jobId: string,
    batch: RunBatch,
    writes: readonly RunWrite[],
  ): Promise<ReadonlyMap<RunWrite, WriteOutcomes>> {
    const write = () => retryOutage(() => writeBatch(db, batch));
    const done = (blocked.get(jobId) ?? Promise.resolve())
      .then(write, write)
      .then((written) => stored(writes, batch, written))
      .finally(() => {
        if (blocked.get(jobId) === done) blocked.delete(jobId);
      });
    blocked.set(jobId, done);
    return done;
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
    if (!isAccepted) throw new OwnershipLostError(`The job of ${subjectId} has another owner.`);
  }

  return {
    start: async (start) => (await write({ type: "start", start })).started,
    append: (event) => accepted({ type: "event", event }, event.subjectId),
    record: (step) => accepted({ type: "step", step }, step.run.subjectId),
    finish: (finish) => accepted({ type: "finish", finish }, finish.taskId),
    flush: write.flush,
  };
}

/** One batch per job, with its end apart: a lock that blocks the end does not block the step before it. */
function splitEnds(writes: readonly RunWrite[]): readonly (readonly [RunWrite, ...RunWrite[]])[] {
  return [...Map.groupBy(writes, jobOf).values()]
    .flatMap((own) => [own.filter(({ type }) => type !== "finish"), own.filter(({ type }) => type === "finish")])
    .flatMap(([first, ...rest]) => (first === undefined ? [] : [[first, ...rest] as const]));
}

/** How long events that can wait are gathered, in milliseconds, at this many events per second. */
function windowMs(perSecond: number): number {
  return Math.min(Math.max(perSecond / EVENTS_PER_WINDOW_MS, MIN_WINDOW_MS), MAX_WINDOW_MS);
}
