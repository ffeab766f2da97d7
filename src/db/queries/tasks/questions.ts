import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { Database, Transaction } from "../../database.ts";
import { LEFT_JOB, ownedSubject, recordExecutions } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import type { JobTransaction } from "../queue/jobs.ts";
import type { DueRow } from "../queue/due-work.ts";
import { statement } from "../../statement.ts";

/**
 * SQL with the parameters of {@link questionValues}: a task or a team run begins to wait. Its row, its job, the event and
 * the question change together; nothing changes when this execution no longer owns it.
 * @param beside further parts of the statement, which can read `asked`
 */
export function askSql(table: "tasks" | "team_runs", beside = ""): string {
  return `
    with ${ownedSubject(table, { states: "$6", lock: "update" })},
    asked as (
      update ${table} t set status = 'waiting_for_input', segment = t.segment + 1, updated_at = clock_timestamp(),
        interaction = $7::jsonb || jsonb_build_object('expiresAt', iso(clock_timestamp() + $8 * interval '1 ms'))
      from owned_job i where t.id = i.id
      returning t.id, t.workspace_id, t.attempt, t.segment, t.interaction, i.job_id
    ),
    suspended as (
      update jobs j set state = 'suspended', executor_id = null, crash_count = 0, suspicion = 0
      from asked where j.id = asked.job_id
      returning ${LEFT_JOB}
    ),
    waiting as (${recordExecutions("suspended", "'waiting'")}),
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
    )${beside}
    select last_seq from head`;
}

const ASK = statement({ name: "ask-question", text: askSql("tasks") });

/** A question of a run. JSON texts are stored unchanged. */
export interface NewQuestion {
  readonly interactionId: string;
  readonly toolCallId: string;
  readonly timeoutMs: number;
  /** The open request, for the task's record. */
  readonly request: string;
  /** The event INTERACTION_REQUEST. */
  readonly event: string;
  readonly question: string;
  /** The key of the answer among the run's recorded steps. */
  readonly answerKey: string;
  /** The statuses from which a task may start to wait. */
  readonly from: readonly TaskStatus[];
}

/**
 * Makes a task wait for an answer: writes its row, the question, and the event in its log, which then has no owner.
 * Returns the event's number; undefined when this execution no longer owns the task, or the question was asked before.
 */
export async function askQuestion(db: Database, run: JobKey, asked: NewQuestion): Promise<number | undefined> {
  const [row] = await db.query<{ last_seq: number }>(ASK, questionValues(run, asked));
  return row?.last_seq;
}

/** The parameters of the statements that ask a question: `$1` to `$5` the execution, `$6` the states, then the question. */
export function questionValues(
  run: JobKey,
  asked: Omit<NewQuestion, "from"> & { readonly from: readonly string[] },
): readonly unknown[] {
  return [
    run.subjectId,
    run.attempt,
    run.jobId,
    run.executorId,
    run.fence,
    asked.from,
    asked.request,
    asked.timeoutMs,
    asked.event,
    asked.interactionId,
    asked.toolCallId,
    asked.question,
    asked.answerKey,
  ];
}

const READ = statement({
  name: "read-question",
  text: `
    select interaction_id as "interactionId", tool_call_id as "toolCallId", question, answers,
      deadline <= clock_timestamp() as expired
    from task_questions where subject_id = $1`,
});

/** The open question of a task or a team run. */
export interface OpenQuestion {
  readonly interactionId: string;
  readonly toolCallId: string;
  readonly question: unknown;
  readonly answers: unknown;
  /** Whether its deadline has passed, although it still waits. */
  readonly expired: boolean;
}

/** Reads the open question of a task or a team run that the caller has locked. */
export async function readQuestion(tx: Transaction, subjectId: string): Promise<OpenQuestion | undefined> {
  const [row] = await tx.query<OpenQuestion>(READ, [subjectId]);
  return row;
}

// Includes the time of the question, because its row is deleted when the run continues.
const RECORD_ANSWER = statement({
  name: "record-answer",
  text: `
    insert into run_steps (run_id, attempt, key, workspace_id, result, started_at, ended_at, facts, request)
    select q.subject_id, $2, q.answer_key, q.workspace_id, $3::json, q.asked_at, clock_timestamp(), $4::json,
      q.question::json
    from task_questions q where q.subject_id = $1
    returning key`,
});

/**
 * Records the answer as a step and resumes the job; call it while the question is open.
 * @param subjectId the task's or team run's id
 * @param answer JSON texts: the answer itself, and its details as `stepFacts`
 */
export async function resumeWith(
  tx: JobTransaction,
  { subjectId, attempt }: { readonly subjectId: string; readonly attempt: number },
  { answer, facts }: RecordedAnswer,
): Promise<void> {
  const recorded = await tx.query(RECORD_ANSWER, [subjectId, attempt, answer, facts]);
  if (recorded.length === 0) throw new Error("A run that waits has an open question.");
  await tx.resume(subjectId, attempt);
}

/** An answer to record, as JSON texts. */
export interface RecordedAnswer {
  readonly answer: string;
  /** Its details, as `stepFacts`. */
  readonly facts: string;
}

const RESUME = statement({
  name: "resume-task",
  text: `
    update tasks set status = 'running', interaction = null, updated_at = clock_timestamp()
    where id = $1 and status = 'waiting_for_input'`,
});

/** Ends a task's wait: it continues to run. */
export async function resumeTask(tx: Transaction, taskId: string): Promise<void> {
  await tx.query(RESUME, [taskId]);
}

const NEXT_STEP = statement({
  name: "ask-next-step",
  text: `
    with moved as (
      update task_questions set answers = $2, deadline = clock_timestamp() + $3 * interval '1 ms'
      where subject_id = $1
      returning subject_id, deadline
    )
    update tasks t set updated_at = clock_timestamp(),
      interaction = $4::jsonb || jsonb_build_object('expiresAt', iso(moved.deadline))
    from moved where t.id = moved.subject_id`,
});

/** Stores the answers of a wizard so far and opens its next page with a new deadline. */
export async function askNextStep(
  tx: Transaction,
  taskId: string,
  next: { readonly answers: string; readonly timeoutMs: number; readonly request: string },
): Promise<void> {
  await tx.query(NEXT_STEP, [taskId, next.answers, next.timeoutMs, next.request]);
}

const APPEND = statement({
  name: "append-while-waiting",
  text: `
    with events as (
      select e.event, e.n from rows from (json_to_recordset($2::json) as (event json)) with ordinality as e (event, n)
    ),
    head as (
      update task_streams set last_seq = last_seq + (select count(*)::integer from events)
      where log_id = $1 and not closed
      returning log_id, workspace_id, attempt, last_seq - (select count(*)::integer from events) as before
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select h.log_id, h.before + e.n, h.workspace_id, h.attempt, e.event from head h, events e
      returning log_id, seq
    )
    select announce_events(log_id, max(seq)) from stored group by log_id`,
});

/** Appends events (JSON texts) to the log of a waiting task or team run whose row the caller has locked. */
export async function appendWhileWaiting(tx: Transaction, logId: string, events: readonly string[]): Promise<void> {
  await tx.query(APPEND, [logId, `[${events.map((event) => `{"event":${event}}`).join(",")}]`]);
}

const EXPIRED = statement({
  name: "expired-questions",
  text: `
    select subject_id as id, workspace_id as "workspaceId" from task_questions
    where deadline <= clock_timestamp() order by deadline limit $1`,
});

/** The tasks and team runs whose question has passed its deadline, oldest first. */
export function expiredQuestions(db: Database, limit: number): Promise<DueRow[]> {
  return db.query<DueRow>(EXPIRED, [limit]);
}

const FAIL = statement({
  name: "fail-waiting-task",
  text: `
    update tasks set status = 'failed', error = $2, interaction = null,
      completed_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = $1 and status = 'waiting_for_input'`,
});

/** Ends a waiting task as failed. */
export async function failWaitingTask(tx: Transaction, taskId: string, error: string): Promise<void> {
  await tx.query(FAIL, [taskId, error]);
}
