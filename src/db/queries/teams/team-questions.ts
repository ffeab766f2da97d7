import type { RunStatus } from "#domain/teams/team-run.ts";
import type { Transaction } from "../../database.ts";
import { SUSPENDED, questionValues } from "../tasks/questions.ts";
import type { NewQuestion } from "../tasks/questions.ts";
import { OWNED_JOB } from "../queue/job-owner.ts";
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
  text: `
    with locked as (
      select t.id from team_runs t where t.id = $1 and t.attempt = $2 and t.status = any($6) for update
    ),
    owned_job as (
      select locked.id, i.job_id from locked
      cross join (values ($3::uuid, $4::uuid, $5::integer)) as i (job_id, executor_id, fence)
      cross join lateral (${OWNED_JOB} for update) owned
    ),
    asked as (
      update team_runs t set status = 'waiting_for_input', segment = t.segment + 1, updated_at = clock_timestamp(),
        interaction = $7::jsonb || jsonb_build_object('expiresAt', iso(clock_timestamp() + $8 * interval '1 ms'))
      from owned_job i where t.id = i.id
      returning t.id, t.workspace_id, t.attempt, t.segment, t.task_id, t.interaction, i.job_id
    ),
    ${SUSPENDED},
    task as (
      update tasks t set status = 'waiting_for_input', interaction = a.interaction, updated_at = clock_timestamp()
      from asked a where t.id = a.task_id and t.attempt = a.attempt and t.status = 'running'
    ),
    head as (
      update task_streams s set last_seq = s.last_seq + 1
      from asked where s.log_id = asked.id
      returning s.log_id, s.last_seq
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, key, event)
      select a.id, h.last_seq, a.workspace_id, a.attempt, 'question:' || a.segment, $9
      from asked a join head h on h.log_id = a.id
    ),
    kept as (
      insert into task_questions (subject_id, workspace_id, interaction_id, tool_call_id, deadline, question, answer_key)
      select id, workspace_id, $10, $11, clock_timestamp() + $8 * interval '1 ms', $12, $13 from asked
    )
    select last_seq from head`,
});

/**
 * Makes a run and its task wait for an answer. Returns the event's number; undefined when another execution owns the
 * run.
 */
export async function askTeamQuestion(
  tx: Transaction,
  run: JobKey,
  asked: Omit<NewQuestion, "from"> & { readonly from: readonly RunStatus[] },
): Promise<number | undefined> {
  await tx.query(LOCK_TASK, [run.subjectId]);
  const [row] = await tx.query<{ last_seq: number }>(ASK, questionValues(run, asked));
  return row?.last_seq;
}

const RESUME = statement({
  name: "resume-team-run",
  text: `
    with run as (
      update team_runs r set status = 'running', interaction = null, updated_at = clock_timestamp(),
        waited = r.waited + (clock_timestamp() - q.asked_at)
      from task_questions q
      where r.id = $1 and r.status = 'waiting_for_input' and q.subject_id = $1
      returning r.task_id
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
