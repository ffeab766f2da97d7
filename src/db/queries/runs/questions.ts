import type { Database, Transaction } from "../../database.ts";
import { LEFT_JOB, OWNED_JOB, recordExecutions } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import type { JobTransaction } from "../queue/jobs.ts";
import { statement } from "../../statement.ts";
import { notHeld } from "../queue/due-work.ts";
import type { DueRow } from "../queue/due-work.ts";
import { WHOLE_RUN } from "./whole-run.ts";

// The row of a run, those of its task, the job, the events and the question change together. Locks as in start-runs.ts.
const ASK = statement({
  name: "ask-question",
  text: `
    with q as (
      select *, clock_timestamp() + "timeoutMs" * interval '1 ms' as deadline
      from json_to_record($6::json) as q ("interactionId" uuid, "toolCallId" text, "timeoutMs" double precision,
        request text, event text, "taskEvent" text, question text, "answerKey" text)
    ),
    locked as (
      select r.id from runs r where r.id = ${WHOLE_RUN} and r.attempt = $2 and r.status is not distinct from 'running'
      order by r.parent_id is not null, r.id for no key update
    ),
    owned_job as (
      select i.job_id from locked
      cross join (values ($3::uuid, $4::uuid, $5::integer)) as i (job_id, executor_id, fence)
      cross join lateral (${OWNED_JOB} for update) owned
      where locked.id = $1
    ),
    asked as (
      update runs r set status = 'waiting_for_input', segment = r.segment + 1, updated_at = clock_timestamp(),
        interaction = open_request(q.request, q.deadline)
      from locked, owned_job, q where r.id = locked.id
      returning r.id, r.workspace_id, r.attempt, r.segment, owned_job.job_id
    ),
    suspended as (
      update jobs j set state = 'suspended', executor_id = null, crash_count = 0, suspicion = 0
      from asked where j.id = asked.job_id
      returning ${LEFT_JOB}
    ),
    waiting as (${recordExecutions("suspended", "'waiting'")}),
    head as (
      update task_streams s set last_seq = s.last_seq + 1 from asked where s.log_id = asked.id
      returning s.log_id, s.last_seq
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, key, event)
      select a.id, h.last_seq, a.workspace_id, a.attempt, 'question:' || a.segment,
        case a.id when $1 then q.event else q."taskEvent" end::json
      from asked a join head h on h.log_id = a.id, q
    ),
    kept as (
      insert into task_questions (subject_id, workspace_id, interaction_id, tool_call_id, deadline, question, answer_key)
      select a.id, a.workspace_id, q."interactionId", q."toolCallId", q.deadline, q.question::json, q."answerKey"
      from asked a, q where a.id = $1
    )
    select last_seq from head where log_id = $1`,
});

/** A question of a run. JSON texts are stored unchanged. */
export interface NewQuestion {
  readonly interactionId: string;
  readonly toolCallId: string;
  readonly timeoutMs: number;
  /** The open request, for the run's record. */
  readonly request: string;
  /** The event INTERACTION_REQUEST. */
  readonly event: string;
  /** The same for the log of the task that a team run works on, if any. */
  readonly taskEvent?: string | undefined;
  readonly question: string;
  /** The key of the answer among the run's recorded steps. */
  readonly answerKey: string;
}

/**
 * Makes a run, and the task that it works on, wait for an answer: writes the rows, the question, and the event in each
 * log, which then have no owner. Returns the number of the event in the run's log; undefined when this execution no
 * longer owns the run, or the question was asked before.
 */
export async function askQuestion(db: Database, run: JobKey, asked: NewQuestion): Promise<number | undefined> {
  const { subjectId, attempt, jobId, executorId, fence } = run;
  const values = [subjectId, attempt, jobId, executorId, fence, JSON.stringify(asked)];
  const [row] = await db.query<{ last_seq: number }>(ASK, values);
  return row?.last_seq;
}

const READ = statement({
  name: "read-question",
  text: `
    select interaction_id as "interactionId", tool_call_id as "toolCallId", question, answers, stage,
      deadline <= clock_timestamp() and (select w.held_at is null from workspaces w where w.id = q.workspace_id) as expired
    from task_questions q where subject_id = $1`,
});

/** The open question of a run. */
export interface OpenQuestion {
  readonly interactionId: string;
  readonly toolCallId: string;
  readonly question: unknown;
  readonly answers: unknown;
  /** Of a question that a rule asks: the stage, from 0. */
  readonly stage: number;
  /** Whether its deadline has passed, although it still waits; never while the workspace is held. */
  readonly expired: boolean | null;
}

/** Reads the open question of a run that the caller has locked. */
export async function readQuestion(tx: Transaction, subjectId: string): Promise<OpenQuestion | undefined> {
  const [row] = await tx.query<OpenQuestion>(READ, [subjectId]);
  return row;
}

const RESUME = statement({
  name: "resume-run",
  text: `
    update runs r set status = 'running', interaction = null, updated_at = clock_timestamp()
    where r.id = ${WHOLE_RUN} and r.attempt = $2 and r.status is not distinct from 'waiting_for_input'`,
});

// Includes the time of the question, because its row is deleted when the run continues.
const RECORD_ANSWER = statement({
  name: "record-answer",
  text: `
    insert into run_steps (run_id, attempt, key, workspace_id, result, started_at, ended_at, facts, request)
    select q.subject_id, $2, q.answer_key, q.workspace_id, $3::json, q.asked_at, clock_timestamp(), $4::json,
      q.question
    from task_questions q where q.subject_id = $1
    returning key`,
});

/**
 * Ends the wait of a run that the caller has locked, and of its task: records the answer as a step and resumes the job.
 */
export async function resumeRun(
  tx: JobTransaction,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  { answer, facts }: RecordedAnswer,
): Promise<void> {
  const recorded = await tx.query(RECORD_ANSWER, [id, attempt, answer, facts]);
  if (recorded.length === 0) throw new Error("A run that waits has an open question.");
  await tx.resume(id, attempt);
  await tx.query(RESUME, [id, attempt]);
}

/** An answer to record, as JSON texts. */
export interface RecordedAnswer {
  readonly answer: string;
  /** Its details, as `stepFacts`. */
  readonly facts: string;
}

const ASK_ON = statement({
  name: "ask-next-step",
  text: `
    with moved as (
      update task_questions set answers = $2, deadline = clock_timestamp() + $3 * interval '1 ms'
      where subject_id = $1
      returning subject_id, deadline
    )
    update runs r set updated_at = clock_timestamp(),
      interaction = open_request($4, moved.deadline)
    from moved where r.id = ${WHOLE_RUN} and r.status is not distinct from 'waiting_for_input'`,
});

/** The next page of a wizard: JSON texts, and its timeout in milliseconds. */
export interface NextStep {
  readonly answers: string;
  readonly timeoutMs: number;
  readonly request: string;
}

/** Stores the answers of a wizard so far and opens its next page with a new deadline. */
export async function askNextStep(tx: Transaction, runId: string, next: NextStep): Promise<void> {
  await tx.query(ASK_ON, [runId, next.answers, next.timeoutMs, next.request]);
}

const EXPIRED = statement({
  name: "expired-questions",
  text: `
    select subject_id as id, workspace_id as "workspaceId", question->'policy' is not null as "isRuled"
    from task_questions q where deadline <= clock_timestamp() and ${notHeld("q")} order by deadline limit $1`,
});

/** A run whose question has passed its deadline. */
export interface ExpiredQuestion extends DueRow {
  /** Whether a rule on approvals asks it, and says what follows. */
  readonly isRuled: boolean;
}

/** The runs whose question has passed its deadline, oldest first. */
export function expiredQuestions(db: Database, limit: number): Promise<ExpiredQuestion[]> {
  return db.query<ExpiredQuestion>(EXPIRED, [limit]);
}
