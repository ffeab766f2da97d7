import { closeParts, runIdOf, addTimestamp } from "#domain/streams/stream-event.ts";
import type { RunErrorCode, StreamEvent } from "#domain/streams/stream-event.ts";
import type { Transaction } from "#db/database.ts";
import { endRun } from "#db/queries/runs/end-run.ts";
import type { EndedRun } from "#db/queries/runs/end-run.ts";
import { closeLog } from "#db/queries/streams/log-heads.ts";
import { hasNoEvents, readOpenParts } from "#db/queries/streams/task-events.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";

/**
 * Cancels a run that the caller has locked, within the caller's transaction: its row, its job and its log, and those of
 * the run that it is one with. The executing process is notified at commit and aborts its model call. Returns the logs
 * that this ended; the caller notifies their followers after the commit. Returns none when the run had already ended.
 */
export async function cancelRun(tx: Transaction, runId: string): Promise<readonly string[]> {
  const ended = await endRun(tx, runId, { status: "cancelled" });
  await allSettledOrThrow(
    ended.map((run) => {
      const message = `The ${run.kind === "task" ? "task" : "run"} was cancelled.`;
      return closeEndedLog(tx, run, { code: "CANCELLED", message, closing: "cancelled" });
    }),
  );
  return ended.map(({ id }) => id);
}

/** What the log of a run says that was ended from outside its execution. */
export interface LastWords {
  readonly code: RunErrorCode;
  readonly message: string;
  /** Why its open messages and steps end. */
  readonly closing: string;
  /** The event before its end, if any. */
  readonly cause?: StreamEvent;
}

/** Ends the log of a run that {@link endRun} has ended. */
export async function closeEndedLog(
  tx: Transaction,
  { id, attempt }: Pick<EndedRun, "id" | "attempt">,
  { code, message, closing, cause }: LastWords,
): Promise<void> {
  const now = new Date();
  const ids = { threadId: id, runId: runIdOf(id, attempt) };
  const [open, isEmpty] = await allSettledOrThrow([readOpenParts(tx, id), hasNoEvents(tx, id)]);
  const events = [
    // The run may have started without its start being stored yet.
    ...(isEmpty ? [addTimestamp({ type: "RUN_STARTED", ...ids }, now)] : []),
    ...(cause === undefined ? [] : [cause]),
    ...closeParts(open, closing, now),
    addTimestamp({ type: "RUN_ERROR", ...ids, message, code }, now),
  ];
  await closeLog(
    tx,
    id,
    events.map((event) => JSON.stringify(event)),
  );
}
