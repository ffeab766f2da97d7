import type { RunStatus } from "#domain/teams/team-run.ts";
import type { Transaction } from "../../database.ts";
import { askSql, questionValues } from "../tasks/questions.ts";
import type { NewQuestion } from "../tasks/questions.ts";
import type { JobKey } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

// Questions of team runs; each statement corresponds to one in questions.ts. A run's task waits, continues and fails
// with it; the caller has locked the task first.

const LOCK_TASK = statement({
  name: "lock-task-of-asking-run",
  text: `select t.id from team_runs r join tasks t on t.id = r.task_id where r.id = $1 for update of t`,
});

const ASK = statement({
  name: "ask-team-question",
  text: askSql(
    "team_runs",
    `,
    task as (
      update tasks t set status = 'waiting_for_input', interaction = a.interaction, updated_at = clock_timestamp()
      from asked a join team_runs r on r.id = a.id
      where t.id = r.task_id and t.attempt = a.attempt and t.status = 'running'
      returning t.id, t.workspace_id, t.attempt
    ),
    task_head as (
      update task_streams s set last_seq = s.last_seq + 1 from task where s.log_id = task.id returning s.last_seq
    ),
    task_stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select task.id, task_head.last_seq, task.workspace_id, task.attempt, $14 from task, task_head
    )`,
  ),
});

/** A question of a team run. */
interface TeamQuestion extends Omit<NewQuestion, "from"> {
  readonly from: readonly RunStatus[];
  /** The event for the log of the run's task; null without a task. */
  readonly taskEvent: string | null;
}

/**
 * Makes a run and its task wait for an answer. Returns the event's number; undefined when another execution owns the
 * run.
 */
export async function askTeamQuestion(tx: Transaction, run: JobKey, asked: TeamQuestion): Promise<number | undefined> {
  await tx.query(LOCK_TASK, [run.subjectId]);
  const [row] = await tx.query<{ last_seq: number }>(ASK, [...questionValues(run, asked), asked.taskEvent]);
  return row?.last_seq;
}

const RESUME = statement({
  name: "resume-team-run",
  text: `
    with run as (
      update team_runs set status = 'running', interaction = null, updated_at = clock_timestamp()
      where id = $1 and status = 'waiting_for_input'
      returning task_id
    )
    update tasks t set status = 'running', interaction = null, updated_at = clock_timestamp()
    from run where t.id = run.task_id and t.status = 'waiting_for_input'`,
});

/** Ends the wait of a run and its task. */
export async function resumeTeamRun(tx: Transaction, runId: string): Promise<void> {
  await tx.query(RESUME, [runId]);
}

const NEXT_STEP = statement({
  name: "ask-next-step-of-team",
  text: `
    with moved as (
      update task_questions set answers = $2, deadline = clock_timestamp() + $3 * interval '1 ms'
      where subject_id = $1
      returning subject_id, deadline
    ),
    run as (
      update team_runs r set updated_at = clock_timestamp(),
        interaction = $4::jsonb || jsonb_build_object('expiresAt', iso(moved.deadline))
      from moved where r.id = moved.subject_id
      returning r.task_id, r.interaction
    )
    update tasks t set interaction = run.interaction, updated_at = clock_timestamp()
    from run where t.id = run.task_id`,
});

/** Stores the answers of a wizard so far and opens its next page with a new deadline. */
export async function askNextTeamStep(
  tx: Transaction,
  runId: string,
  next: { readonly answers: string; readonly timeoutMs: number; readonly request: string },
): Promise<void> {
  await tx.query(NEXT_STEP, [runId, next.answers, next.timeoutMs, next.request]);
}

const FAIL = statement({
  name: "fail-waiting-team-run",
  text: `
    with run as (
      update team_runs set status = 'failed', error = $2, interaction = null,
        completed_at = clock_timestamp(), updated_at = clock_timestamp()
      where id = $1 and status = 'waiting_for_input'
      returning task_id
    )
    update tasks t set status = 'failed', error = $2, interaction = null,
      completed_at = clock_timestamp(), updated_at = clock_timestamp()
    from run where t.id = run.task_id and t.status = 'waiting_for_input'`,
});

/** Ends a waiting run and its task as failed. */
export async function failWaitingTeamRun(tx: Transaction, runId: string, error: string): Promise<void> {
  await tx.query(FAIL, [runId, error]);
}
