import type { Database, Transaction } from "#db/database.ts";
import { limitLockWait } from "#db/queries/lock-wait.ts";
import { finishRuns } from "#db/queries/runs/finish-runs.ts";
import type { FinishedRun, RunFinish } from "#db/queries/runs/finish-runs.ts";
import { lockRuns } from "#db/queries/runs/lock-runs.ts";
import { startRuns } from "#db/queries/runs/start-runs.ts";
import type { RunStart, StartedRun } from "#db/queries/runs/start-runs.ts";
import { recordSteps } from "#db/queries/runs/run-steps.ts";
import type { FinishedStep } from "#db/queries/runs/run-steps.ts";
import { appendEvents } from "#db/queries/streams/task-events.ts";
import type { AppendRow, Appended } from "#db/queries/streams/task-events.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

/** An event to be appended to a log. */
export interface PendingEvent extends Omit<AppendRow, "text"> {
  /**
   * The event as JSON; or a function that builds it when it is written. Such an event can still grow, and waits as long
   * as the current batch window.
   */
  readonly text: string | (() => string);
}

/** One write of an execution. */
export type RunWrite =
  | { readonly type: "start"; readonly start: RunStart }
  | { readonly type: "event"; readonly event: PendingEvent }
  | { readonly type: "step"; readonly step: FinishedStep }
  | { readonly type: "finish"; readonly finish: RunFinish };

/** The outcomes of the writes. */
export interface WriteOutcomes {
  /** Whether the execution owned its job, and the run was in a state that allows the write. */
  readonly isAccepted: boolean;
  /** The result of a start. */
  readonly started?: StartedRun | undefined;
}

/** The writes of one batch, by kind, with built event texts. */
export interface RunBatch {
  /** The events of a log are stored once under it. */
  readonly id: string;
  readonly starts: readonly RunStart[];
  readonly events: readonly AppendRow[];
  readonly steps: readonly FinishedStep[];
  readonly finishes: readonly RunFinish[];
}

/** The outcomes of a batch, by kind and in the same order. */
export interface BatchOutcomes {
  readonly starts: readonly (StartedRun | undefined)[];
  readonly events: readonly Appended[];
  readonly steps: readonly boolean[];
  readonly finishes: readonly (FinishedRun | undefined)[];
}

/** The job that a write belongs to. */
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

/** Builds a batch from the pending writes. @param id that of an earlier batch with writes that are sent again */
export function batchOf(writes: readonly RunWrite[], id: string = newId()): RunBatch {
  return {
    id,
    starts: writes.flatMap((write) => (write.type === "start" ? [write.start] : [])),
    events: writes.flatMap((write) => (write.type === "event" ? [withText(write.event)] : [])),
    steps: writes.flatMap((write) => (write.type === "step" ? [write.step] : [])),
    finishes: writes.flatMap((write) => (write.type === "finish" ? [write.finish] : [])),
  };
}

/** The size of a write, in bytes; approximate. */
export function sizeOf(write: RunWrite): number {
  switch (write.type) {
    case "start":
      return write.start.event.length;
    case "event":
      return Buffer.byteLength(withText(write.event).text);
    case "step":
      return sizeOfStep(write.step);
    case "finish": {
      const { events, result } = write.finish.end;
      return events.reduce((sum, text) => sum + Buffer.byteLength(text), Buffer.byteLength(result ?? ""));
    }
  }
}

function sizeOfStep({ result, record }: FinishedStep): number {
  const texts = [result, record?.facts, record?.request, record?.tries, record?.exchanges];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0);
}

function withText({ text, ...row }: PendingEvent): AppendRow {
  return { ...row, text: typeof text === "string" ? text : text() };
}

/**
 * Writes a batch in one transaction, in the order of an execution: starts, events, steps, ends. Safe to repeat.
 * @throws an error with code 55P03 when another transaction holds a lock for too long
 */
export async function writeBatch(db: Database, batch: RunBatch): Promise<BatchOutcomes> {
  return db.transaction(async (tx) => {
    // Runs are locked first, as a cancellation does; then jobs and logs.
    const runIds = [...batch.starts, ...batch.finishes].map(({ runId }) => runId);
    const sent = allSettledOrThrow([limitLockWait(tx), lockRuns(tx, runIds), writeOn(db, batch, tx)]);
    tx.commit();
    const [, , written] = await sent;
    return written;
  });
}

async function writeOn(db: Database, batch: RunBatch, on: Database | Transaction = db): Promise<BatchOutcomes> {
  const [starts, events, steps, finishes] = await allSettledOrThrow([
    batch.starts.length === 0 ? [] : startRuns(on, batch.starts),
    batch.events.length === 0 ? [] : appendEvents(db, batch.id, batch.events, on),
    batch.steps.length === 0 ? [] : recordSteps(on, batch.steps),
    batch.finishes.length === 0 ? [] : finishRuns(on, batch.finishes),
  ]);
  return { starts, events, steps, finishes };
}

/** The outcome of each write of a batch. */
export function resultsOf(writes: readonly RunWrite[], written: BatchOutcomes): ReadonlyMap<RunWrite, WriteOutcomes> {
  const next = { start: 0, event: 0, step: 0, finish: 0 };
  const results = new Map<RunWrite, WriteOutcomes>();
  for (const write of writes) results.set(write, resultOf(write.type, next[write.type]++, written));
  return results;
}

function resultOf(type: RunWrite["type"], index: number, written: BatchOutcomes): WriteOutcomes {
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

/** The events that a batch has stored, by log and in order. */
export function storedEvents(batch: RunBatch, written: BatchOutcomes): ReadonlyMap<string, readonly LoggedEvent[]> {
  const started = batch.starts.flatMap(({ runId, event: text }, index) => {
    const row = written.starts[index];
    return row?.fresh === true ? [{ id: runId, seq: row.last_seq, text, final: false }] : [];
  });
  const appended = batch.events.flatMap(({ subjectId: id, text }, index) => {
    const seq = written.events[index]?.seq ?? null;
    return seq === null ? [] : [{ id, seq, text, final: false }];
  });
  const finished = batch.finishes.flatMap(({ runId: id, end: { events } }, index) => {
    const row = written.finishes[index];
    if (row === undefined) return [];
    return events.map((text, place) => ({ id, seq: row.first_seq + place, text, final: place === events.length - 1 }));
  });
  return Map.groupBy([...started, ...appended, ...finished], ({ id }) => id);
}
