import type { Logger } from "pino";
import { closeParts, runIdOf, addTimestamp } from "#domain/streams/stream-event.ts";
import type { StreamEvent } from "#domain/streams/stream-event.ts";
import type { Transaction } from "#db/database.ts";
import { isLockTimeout } from "#db/retry-outage.ts";
import { expiredQuestions, readQuestion } from "#db/queries/tasks/questions.ts";
import { limitLockWait } from "#db/queries/tasks/run-bounds.ts";
import { readOpenParts } from "#db/queries/streams/task-events.ts";
import { closeTaskStream } from "#db/queries/tasks/tasks.ts";
import { lockRememberingTeam, rememberTeamRun } from "#db/queries/teams/team-memories.ts";
import { attemptAll } from "#lib/async/attempt-all.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "../context.ts";
import { titleOf } from "../runs/attempts.ts";
import { lockSuspendedWork } from "./suspended-work.ts";

const BATCH = 100;
const TIMED_OUT = "INTERACTION_TIMEOUT";
/** Questions that a process expires concurrently, each on its own connection. */
const AT_ONCE = 3;

/**
 * Fails tasks and team runs whose question has expired, at most {@link BATCH}. One that another transaction holds is
 * left for the next call. Safe to run concurrently. Returns the number of expired questions.
 */
export async function expireQuestions({
  db,
  events,
  log,
}: Pick<Services, "db" | "events"> & { readonly log: Logger }): Promise<number> {
  return attemptAll(await expiredQuestions(db, BATCH), AT_ONCE, async ({ id, workspaceId }) => {
    try {
      const failed = await db.transaction((tx) => expire(tx, id));
      if (failed !== undefined)
        log.warn({ ...failed, workspace_id: workspaceId, error_code: TIMED_OUT }, "a run failed");
    } catch (error) {
      if (isLockTimeout(error)) return false;
      throw error;
    }
    events.publish(id, "grown");
    return true;
  });
}

/** What the log says of a failed run. */
interface FailedRun {
  readonly run_id: string;
  readonly attempt: number;
  readonly reason: string;
}

async function expire(tx: Transaction, subjectId: string): Promise<FailedRun | undefined> {
  await limitLockWait(tx);
  const remembers = await lockRememberingTeam(tx, subjectId);
  const waiting = await lockSuspendedWork(tx, subjectId);
  if (waiting?.status !== "waiting_for_input") return undefined;
  // Read under the lock: an answer, or the next page of a wizard, may have arrived.
  const open = await readQuestion(tx, subjectId);
  if (open === undefined || !open.expired) return undefined;
  const now = new Date();
  const { interactionId } = open;
  const title = titleOf(open);
  const message = `The question ${title === "" ? "" : `"${title}" `}was not answered in time.`;
  const { ofTask } = waiting;
  const events = [
    addTimestamp({ type: "INTERACTION_TIMEOUT", threadId: subjectId, interactionId }, now),
    ...closeParts(await readOpenParts(tx, subjectId), message, now),
    endOf({ id: subjectId, attempt: waiting.attempt }, message),
  ];
  await waiting.fail(message);
  if (remembers) await rememberTeamRun(tx, subjectId, newId());
  await closeTaskStream(
    tx,
    subjectId,
    events.map((event) => JSON.stringify(event)),
  );
  if (ofTask !== undefined) await closeTaskStream(tx, ofTask.id, [JSON.stringify(endOf(ofTask, message))]);
  return { run_id: ofTask?.id ?? subjectId, attempt: waiting.attempt, reason: message };
}

function endOf({ id, attempt }: { readonly id: string; readonly attempt: number }, message: string): StreamEvent {
  const ids = { threadId: id, runId: runIdOf(id, attempt) };
  return addTimestamp({ type: "RUN_ERROR", ...ids, message, code: TIMED_OUT }, new Date());
}
