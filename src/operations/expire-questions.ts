import { closeParts, runIdOf, stamp } from "#domain/stream-event.ts";
import type { Transaction } from "#db/database.ts";
import { expiredQuestions, failWaitingTask, readQuestion } from "#db/queries/questions.ts";
import { readOpenParts } from "#db/queries/task-events.ts";
import { closeTaskStream, lockTask } from "#db/queries/tasks.ts";
import type { Services } from "./context.ts";

const BATCH = 100;

/** Fails every task whose question was not answered in time. Safe when several processes do it. */
export async function expireQuestions({ db, events }: Pick<Services, "db" | "events">): Promise<void> {
  for (let found = BATCH; found === BATCH;) {
    const taskIds = await expiredQuestions(db, BATCH);
    for (const taskId of taskIds) {
      await db.transaction((tx) => expire(tx, taskId));
      events.publish(taskId, "look");
    }
    found = taskIds.length;
  }
}

async function expire(tx: Transaction, taskId: string): Promise<void> {
  const task = await lockTask(tx, taskId);
  if (task?.status !== "waiting_for_input") return;
  // Read behind the lock: an answer, or the next step of a wizard, may have come meanwhile.
  const open = await readQuestion(tx, taskId);
  if (open === undefined || !open.expired) return;
  const now = new Date();
  const { interactionId } = open;
  const message = "The question was not answered in time.";
  const ids = { threadId: taskId, runId: runIdOf(taskId, task.attempt) };
  const events = [
    stamp({ type: "INTERACTION_TIMEOUT", threadId: taskId, interactionId }, now),
    ...closeParts(await readOpenParts(tx, taskId), message, now),
    stamp({ type: "RUN_ERROR", ...ids, message, code: "INTERACTION_TIMEOUT" }, now),
  ];
  await failWaitingTask(tx, taskId, message);
  await closeTaskStream(
    tx,
    taskId,
    events.map((event) => JSON.stringify(event)),
  );
}
