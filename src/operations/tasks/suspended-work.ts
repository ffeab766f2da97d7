import type { Transaction } from "#db/database.ts";
import { cancel } from "#db/queries/queue/jobs.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import * as questions from "#db/queries/tasks/questions.ts";
import * as teamQuestions from "#db/queries/teams/team-questions.ts";
import { lockTask } from "#db/queries/tasks/tasks.ts";
import { lockTeamRun, runsOfTask } from "#db/queries/teams/team-runs.ts";

/** The next page of a wizard: JSON texts, and its timeout in milliseconds. */
export interface NextStep {
  readonly answers: string;
  readonly timeoutMs: number;
  readonly request: string;
}

/** A task or a team run that may wait for an answer, locked until the transaction ends. */
export interface SuspendedWork {
  /** The id of its log and its question. */
  readonly logId: string;
  readonly attempt: number;
  readonly status: string;
  /** The agent that works on the task; null for a team run. */
  readonly agentId: string | null;
  /** The task that the run works on; it waits, continues and ends with the run. */
  readonly ofTask?: { readonly id: string; readonly attempt: number };
  /** Continues with this answer, in the transaction that holds the lock. */
  resume(tx: JobTransaction, answer: questions.RecordedAnswer): Promise<void>;
  askOn(next: NextStep): Promise<void>;
  fail(error: string): Promise<void>;
}

/** Locks a task or a run by its id. For a team's task, the team run waits. */
export async function lockSuspendedWork(tx: Transaction, id: string): Promise<SuspendedWork | undefined> {
  const task = await lockTask(tx, id);
  if (task === undefined) return lockWaitingRun(tx, id);
  const { status, attempt, assigned_agent_id: agentId } = task;
  const run = (await runsOfTask(tx, id)).find((one) => one.attempt === attempt);
  if (run !== undefined) return lockWaitingRun(tx, run.id);
  return {
    logId: id,
    attempt,
    status,
    agentId,
    async resume(resuming, answer) {
      await questions.resumeWith(resuming, { subjectId: id, attempt }, answer);
      await questions.resumeTask(resuming, id);
    },
    askOn: (next) => questions.askNextStep(tx, id, next),
    async fail(error) {
      await questions.failWaitingTask(tx, id, error);
      await cancel(tx, id, attempt);
    },
  };
}

async function lockWaitingRun(tx: Transaction, id: string): Promise<SuspendedWork | undefined> {
  const run = await lockTeamRun(tx, id);
  if (run === undefined) return undefined;
  const { status, attempt, taskId } = run;
  return {
    logId: id,
    attempt,
    status,
    agentId: null,
    ...(taskId !== null && { ofTask: { id: taskId, attempt } }),
    async resume(resuming, answer) {
      await questions.resumeWith(resuming, { subjectId: id, attempt }, answer);
      await teamQuestions.resumeTeamRun(resuming, id);
    },
    askOn: (next) => teamQuestions.askNextTeamStep(tx, id, next),
    async fail(error) {
      await teamQuestions.failWaitingTeamRun(tx, id, error);
      await cancel(tx, id, attempt);
    },
  };
}
