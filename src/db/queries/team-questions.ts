import type { RunStatus } from "#domain/team-run.ts";
import { TEAM_WORKFLOW } from "#domain/workflow.ts";
import type { Transaction } from "../database.ts";
import { questionValues } from "./questions.ts";
import type { NewQuestion } from "./questions.ts";
import type { RunKey } from "./runs.ts";

// The questions of teams' runs; each statement is the counterpart of one in questions.ts. A run's task waits, goes on
// and fails with it; the caller has locked it first.

const LOCK_TASK = {
  name: "lock-task-of-asking-run",
  text: `select t.id from team_runs r join tasks t on t.id = r.task_id where r.id = $1 for update of t`,
};
const ASK = {
  name: "ask-team-question",
  text: `
    with asked as (
      update team_runs set status = 'waiting_for_input', segment = segment + 1, updated_at = clock_timestamp(),
        interaction = $5::jsonb || jsonb_build_object('expiresAt', iso(clock_timestamp() + $6 * interval '1 ms'))
      where id = $1 and attempt = $2 and run_writer = $3 and status = any($4)
      returning id, workspace_id, attempt, segment, task_id, interaction
    ),
    task as (
      update tasks t set status = 'waiting_for_input', interaction = a.interaction, updated_at = clock_timestamp()
      from asked a where t.id = a.task_id and t.attempt = a.attempt and t.status = 'running'
    ),
    head as (
      update task_streams s set last_seq = s.last_seq + 1, writer = null, crash_step = -1, crash_count = 0
      from asked where s.task_id = asked.id
      returning s.task_id, s.last_seq
    ),
    stored as (
      insert into task_events (task_id, seq, workspace_id, attempt, key, event)
      select a.id, h.last_seq, a.workspace_id, a.attempt, 'question:' || a.segment, $7
      from asked a join head h on h.task_id = a.id
    ),
    kept as (
      insert into task_questions (task_id, workspace_id, interaction_id, tool_call_id, deadline, question, job, answer_key)
      select id, workspace_id, $8, $9, clock_timestamp() + $6 * interval '1 ms', $10, $11, $12 from asked
    )
    select last_seq from head`,
};

/** Lets a run and its task wait for an answer. Returns the event's number; undefined when the run has another owner. */
export async function askTeamQuestion(
  tx: Transaction,
  run: RunKey,
  asked: Omit<NewQuestion, "from"> & { readonly from: readonly RunStatus[] },
): Promise<number | undefined> {
  await tx.query(LOCK_TASK, [run.taskId]);
  const [row] = await tx.query<{ last_seq: number }>(ASK, questionValues(run, asked));
  return row?.last_seq;
}

const CONTINUE = {
  name: "continue-team-run",
  text: `select enqueue_team_continuation(r, $2, $3) from team_runs r where r.id = $1`,
};
const RESUME = {
  name: "resume-team-run",
  text: `
    with run as (
      update team_runs r set status = 'running', interaction = null, updated_at = clock_timestamp(),
        waited = r.waited + (clock_timestamp() - q.asked_at)
      from task_questions q
      where r.id = $1 and r.status = 'waiting_for_input' and q.task_id = $1
      returning r.task_id
    )
    update tasks t set status = 'running', interaction = null, updated_at = clock_timestamp()
    from run where t.id = run.task_id and t.status = 'waiting_for_input'`,
};

/** Records the answer (JSON), enqueues the execution that goes on with it, and ends the wait of the run and its task. */
export async function resumeTeamRun(tx: Transaction, runId: string, answer: string): Promise<void> {
  await tx.query(CONTINUE, [runId, answer, JSON.stringify(TEAM_WORKFLOW)]);
  await tx.query(RESUME, [runId]);
}

const NEXT_STEP = {
  name: "ask-next-step-of-team",
  text: `
    with moved as (
      update task_questions set answers = $2, deadline = clock_timestamp() + $3 * interval '1 ms'
      where task_id = $1
      returning task_id, deadline
    ),
    run as (
      update team_runs r set updated_at = clock_timestamp(),
        interaction = $4::jsonb || jsonb_build_object('expiresAt', iso(moved.deadline))
      from moved where r.id = moved.task_id
      returning r.task_id, r.interaction
    )
    update tasks t set interaction = run.interaction, updated_at = clock_timestamp()
    from run where t.id = run.task_id`,
};

/** Stores a wizard's answers so far and opens its next step, which has its full time. */
export async function askNextTeamStep(
  tx: Transaction,
  runId: string,
  next: { readonly answers: string; readonly timeoutMs: number; readonly request: string },
): Promise<void> {
  await tx.query(NEXT_STEP, [runId, next.answers, next.timeoutMs, next.request]);
}

const FAIL = {
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
};

/** Ends a waiting run and its task as failed. */
export async function failWaitingTeamRun(tx: Transaction, runId: string, error: string): Promise<void> {
  await tx.query(FAIL, [runId, error]);
}
