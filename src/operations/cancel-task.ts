import { closeParts, runIdOf, stamp } from "#domain/stream-event.ts";
import { sourcesOf } from "#domain/task.ts";
import { runSourcesOf } from "#domain/team-run.ts";
import type { Transaction } from "#db/database.ts";
import { readOpenParts } from "#db/queries/task-events.ts";
import { cancelTask, closeTaskStream } from "#db/queries/tasks.ts";
import { cancelTeamRun } from "#db/queries/team-runs.ts";

/**
 * Cancels a task within the caller's transaction: its row, the end of its log, and its team's run. The process
 * that runs it is told when the transaction commits and breaks off its model call.
 * The caller tells local followers after the commit. Returns false when the task had ended.
 */
export async function cancelInTransaction(tx: Transaction, taskId: string): Promise<boolean> {
  const cancelled = await cancelTask(tx, taskId, sourcesOf("cancelled"));
  if (cancelled === undefined) return false;
  const { attempt, teamRunId } = cancelled;
  if (teamRunId !== null) await cancelTeamRun(tx, teamRunId, runSourcesOf("cancelled"));
  const now = new Date();
  const ids = { threadId: taskId, runId: runIdOf(taskId, attempt) };
  const events = [
    ...closeParts(await readOpenParts(tx, taskId), "cancelled", now),
    stamp({ type: "RUN_ERROR", ...ids, message: "The task was cancelled.", code: "CANCELLED" }, now),
  ];
  await closeTaskStream(
    tx,
    taskId,
    events.map((event) => JSON.stringify(event)),
  );
  return true;
}
