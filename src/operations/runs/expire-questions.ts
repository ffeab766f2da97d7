import type { Logger } from "pino";
import { addTimestamp } from "#domain/streams/stream-event.ts";
import type { Transaction } from "#db/database.ts";
import { isLockTimeout } from "#db/retry-outage.ts";
import { limitLockWait } from "#db/queries/lock-wait.ts";
import { endRun } from "#db/queries/runs/end-run.ts";
import { lockAsking } from "#db/queries/runs/lock-runs.ts";
import { expiredQuestions, readQuestion } from "#db/queries/runs/questions.ts";
import { lockRememberingTeam, rememberTeamRun } from "#db/queries/teams/team-memories.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { attemptAll } from "#lib/async/attempt-all.ts";
import { newId } from "#lib/ids.ts";
import type { ChangeServices } from "../change-workspace.ts";
import { titleOf } from "./attempts.ts";
import { closeEndedLog } from "./cancel-run.ts";
import { followRule } from "./follow-rule.ts";

const BATCH = 100;
/** Questions that a process expires concurrently, each on its own connection. */
const AT_ONCE = 3;
const CODE = "INTERACTION_TIMEOUT";

/**
 * Fails runs whose question has expired, at most {@link BATCH}, unless the rule that asked says otherwise. One that another transaction holds is left for the next
 * call. Safe to run concurrently. Returns the number of expired questions.
 */
export async function expireQuestions(services: ChangeServices & { readonly log: Logger }): Promise<number> {
  const { db, events, log } = services;
  return attemptAll(await expiredQuestions(db, BATCH), AT_ONCE, async ({ id, workspaceId, isRuled }) => {
    try {
      if (isRuled && (await followRule(services, { runId: id, workspaceId }))) return true;
      const failed = await db.transaction((tx) => expire(tx, id));
      if (failed !== undefined) log.warn({ ...failed, workspace_id: workspaceId, error_code: CODE }, "a run failed");
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

async function expire(tx: Transaction, runId: string): Promise<FailedRun | undefined> {
  await limitLockWait(tx);
  const remembers = await lockRememberingTeam(tx, runId);
  const waiting = await lockAsking(tx, runId);
  if (waiting?.status !== "waiting_for_input") return undefined;
  // Read under the lock: an answer, or the next page of a wizard, may have arrived.
  const open = await readQuestion(tx, runId);
  if (open === undefined || open.expired !== true) return undefined;
  const { interactionId } = open;
  const title = titleOf(open);
  const message = `The question ${title === "" ? "" : `"${title}" `}was not answered in time.`;
  const ended = await endRun(tx, runId, { status: "failed", error: message, errorCode: CODE });
  if (remembers) await rememberTeamRun(tx, runId, newId());
  const cause = addTimestamp({ type: CODE, threadId: runId, interactionId }, new Date());
  const words = { code: CODE, message, closing: message } as const;
  await allSettledOrThrow(ended.map((run) => closeEndedLog(tx, run, run.id === runId ? { ...words, cause } : words)));
  return { run_id: waiting.parentId ?? runId, attempt: waiting.attempt, reason: message };
}
