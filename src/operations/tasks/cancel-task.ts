import { closeParts, runIdOf, addTimestamp } from "#domain/streams/stream-event.ts";
import { sourcesOf } from "#domain/tasks/task-status.ts";
import { runSourcesOf } from "#domain/teams/team-run.ts";
import type { Transaction } from "#db/database.ts";
import { hasNoEvents, readOpenParts } from "#db/queries/streams/task-events.ts";
import { cancelTask, closeTaskStream } from "#db/queries/tasks/tasks.ts";
import { cancelTeamRun } from "#db/queries/teams/team-runs.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";

/**
 * Cancels a task within the caller's transaction: its row, its log, and its team run. The executing process is notified
 * at commit and aborts its model call. Returns the logs that this ended, the task's and its team run's; the caller
 * notifies their followers after the commit. Returns none when the task had already ended.
 */
export async function cancelInTransaction(tx: Transaction, taskId: string): Promise<readonly string[]> {
  const cancelled = await cancelTask(tx, taskId, sourcesOf("cancelled"));
  if (cancelled === undefined) return [];
  const { attempt, teamRunId } = cancelled;
  const ended = teamRunId === null ? [] : await cancelRunInTransaction(tx, teamRunId);
  await closeLog(tx, { id: taskId, attempt, message: "The task was cancelled." });
  return [taskId, ...ended];
}

/** Like {@link cancelInTransaction}, for a team run without a task. */
export async function cancelRunInTransaction(tx: Transaction, runId: string): Promise<readonly string[]> {
  const attempt = await cancelTeamRun(tx, runId, runSourcesOf("cancelled"));
  if (attempt === undefined) return [];
  await closeLog(tx, { id: runId, attempt, message: "The run was cancelled." });
  return [runId];
}

async function closeLog(
  tx: Transaction,
  { id, attempt, message }: { readonly id: string; readonly attempt: number; readonly message: string },
): Promise<void> {
  const now = new Date();
  const ids = { threadId: id, runId: runIdOf(id, attempt) };
  const [open, isEmpty] = await allSettledOrThrow([readOpenParts(tx, id), hasNoEvents(tx, id)]);
  const events = [
    // The run may have started without its start being stored yet.
    ...(isEmpty ? [addTimestamp({ type: "RUN_STARTED", ...ids }, now)] : []),
    ...closeParts(open, "cancelled", now),
    addTimestamp({ type: "RUN_ERROR", ...ids, message, code: "CANCELLED" }, now),
  ];
  await closeTaskStream(
    tx,
    id,
    events.map((event) => JSON.stringify(event)),
  );
}
