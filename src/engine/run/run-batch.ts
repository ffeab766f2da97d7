import type { Database, Transaction } from "#db/database.ts";
import { finishRuns, limitLockWait, lockTasks, startRuns } from "#db/queries/tasks/run-bounds.ts";
import type { FinishedRun, RunFinish, RunStart, StartedRun } from "#db/queries/tasks/run-bounds.ts";
import { recordSteps } from "#db/queries/tasks/run-steps.ts";
import type { FinishedStep } from "#db/queries/tasks/run-steps.ts";
import { appendEvents } from "#db/queries/streams/task-events.ts";
import type { AppendRow, Appended, LoggedEvent } from "#db/queries/streams/task-events.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";

/** An event on its way into a log. */
export interface PendingEvent extends Omit<AppendRow, "text"> {
  /**
   * The event as JSON; or what makes it when it is written. Until then more may be put into such an event, and it waits
   * for others as long as the window of the load is.
   */
  readonly text: string | (() => string);
}

/** Something that an execution writes. */
export type RunWrite =
  | { readonly type: "start"; readonly start: RunStart }
  | { readonly type: "event"; readonly event: PendingEvent }
  | { readonly type: "step"; readonly step: FinishedStep }
  | { readonly type: "finish"; readonly finish: RunFinish };

/** What came of it. */
export interface Written {
  /** Whether the execution owned its job, and the task was in a state for it. */
  readonly isAccepted: boolean;
  /** Of a start. */
  readonly started?: StartedRun | undefined;
}

/** What is written together, by kind; the texts of events are made. */
export interface RunBatch {
  readonly id: string;
  readonly starts: readonly RunStart[];
  readonly events: readonly AppendRow[];
  readonly steps: readonly FinishedStep[];
  readonly finishes: readonly RunFinish[];
}

/** What came of a batch, by kind and in the same order. */
export interface WrittenBatch {
  readonly starts: readonly (StartedRun | undefined)[];
  readonly events: readonly Appended[];
  readonly steps: readonly boolean[];
  readonly finishes: readonly (FinishedRun | undefined)[];
}

/** The job for which something is written. */
export function jobOf(write: RunWrite): string {
  switch (write.type) {
    case "start":
      return write.start.job.jobId;
    case "event":
      return write.event.owner.jobId;
    case "step":
      return write.step.run.jobId;
    case "finish":
      return write.finish.job.jobId;
  }
}

/** Puts together what is written at a time. */
export function batchOf(writes: readonly RunWrite[]): RunBatch {
  return {
    id: newId(),
    starts: writes.flatMap((write) => (write.type === "start" ? [write.start] : [])),
    events: writes.flatMap((write) => (write.type === "event" ? [withText(write.event)] : [])),
    steps: writes.flatMap((write) => (write.type === "step" ? [write.step] : [])),
    finishes: writes.flatMap((write) => (write.type === "finish" ? [write.finish] : [])),
  };
}

function withText({ text, ...row }: PendingEvent): AppendRow {
  return { ...row, text: typeof text === "string" ? text : text() };
}

/**
 * Writes a batch in one transaction, in the order of an execution: starts, events, steps, ends. Safe to do twice.
 * @throws an error with the code 55P03 when somebody else holds a lock for longer than a moment
 */
export async function writeBatch(db: Database, batch: RunBatch): Promise<WrittenBatch> {
  const { starts, events, steps, finishes } = batch;
  const bounds = [...starts, ...finishes];
  // One statement is a transaction of its own.
  if (bounds.length === 0 && (events.length === 0 || steps.length === 0)) return writeIn(db, batch);
  return db.transaction(async (tx) => {
    // The tasks first, as whoever cancels them does; only then their jobs and logs.
    const [, , written] = await allSettledOrThrow([
      limitLockWait(tx),
      lockTasks(
        tx,
        bounds.map(({ taskId }) => taskId),
      ),
      writeIn(tx, batch),
    ]);
    return written;
  });
}

async function writeIn(on: Database | Transaction, batch: RunBatch): Promise<WrittenBatch> {
  const [starts, events, steps, finishes] = await allSettledOrThrow([
    batch.starts.length === 0 ? [] : startRuns(on, batch.starts),
    batch.events.length === 0 ? [] : appendEvents(on, batch.id, batch.events),
    batch.steps.length === 0 ? [] : recordSteps(on, batch.steps),
    batch.finishes.length === 0 ? [] : finishRuns(on, batch.finishes),
  ]);
  return { starts, events, steps, finishes };
}

/** What came of each write of a batch. */
export function resultsOf(writes: readonly RunWrite[], written: WrittenBatch): ReadonlyMap<RunWrite, Written> {
  const next = { start: 0, event: 0, step: 0, finish: 0 };
  const results = new Map<RunWrite, Written>();
  for (const write of writes) results.set(write, resultOf(write.type, next[write.type]++, written));
  return results;
}

function resultOf(type: RunWrite["type"], index: number, written: WrittenBatch): Written {
  switch (type) {
    case "start": {
      const started = written.starts[index];
      return { isAccepted: started !== undefined, started };
    }
    case "event": {
      const appended = written.events[index];
      return { isAccepted: appended !== undefined && (appended.seq !== null || appended.owned) };
    }
    case "step":
      return { isAccepted: written.steps[index] === true };
    case "finish":
      return { isAccepted: written.finishes[index] !== undefined };
  }
}

/** The events that a batch has stored, by the log in which they stand, in order. */
export function storedEvents(batch: RunBatch, written: WrittenBatch): ReadonlyMap<string, readonly LoggedEvent[]> {
  const started = batch.starts.flatMap(({ taskId, event: text }, index) => {
    const row = written.starts[index];
    return row?.fresh === true ? [{ id: taskId, seq: row.last_seq, text, final: false }] : [];
  });
  const appended = batch.events.flatMap(({ subjectId: id, text }, index) => {
    const seq = written.events[index]?.seq ?? null;
    return seq === null ? [] : [{ id, seq, text, final: false }];
  });
  const finished = batch.finishes.flatMap(({ taskId: id, end: { events } }, index) => {
    const row = written.finishes[index];
    if (row === undefined) return [];
    return events.map((text, place) => ({ id, seq: row.first_seq + place, text, final: place === events.length - 1 }));
  });
  return Map.groupBy([...started, ...appended, ...finished], ({ id }) => id);
}
