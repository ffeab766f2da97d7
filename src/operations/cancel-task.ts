import { closeParts, runIdOf, stamp } from "#domain/stream-event.ts";
import { sourcesOf } from "#domain/task.ts";
import type { Transaction } from "#db/database.ts";
import { readOpenParts } from "#db/queries/task-events.ts";
import { cancelTask, closeTaskStream } from "#db/queries/tasks.ts";

/**
 * Cancels a task within the caller's transaction: its row, and the end of its log. The process
 * that runs it is told when the transaction commits and breaks off its model call.
 * The caller tells local followers after the commit. Returns false when the task had ended.
 */
export async function cancelInTransaction(tx: Transaction, taskId: string): Promise<boolean> {
  const attempt = await cancelTask(tx, taskId, sourcesOf("cancelled"));
  if (attempt === undefined) return false;
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
