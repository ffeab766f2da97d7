import type { FinishReason } from "#domain/models/reply-parts.ts";
import { sourcesOf } from "#domain/tasks/task-status.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { Database, Transaction } from "../../database.ts";
import type { CreatedFile } from "../files/files.ts";
import { LEFT_JOB, OWNED_JOB, ownerColumns, recordExecutions } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

// With several runs, tasks are locked before the heads of their logs, both in id order, as everywhere.
const START = statement({
  name: "start-runs",
  text: `
    with incoming as (
      select * from rows from (unnest($1::uuid[], $2::integer[], $3::uuid[], $4::uuid[], $5::integer[], $6::json[],
        $7::integer[])) with ordinality as i (id, attempt, job_id, executor_id, fence, event, agent_version, n)
    ),
    locked as (
      select i.* from incoming i join tasks t on t.id = i.id and t.attempt = i.attempt and t.status = any($8)
      order by t.id for update of t
    ),
    owned_job as (select i.* from locked i cross join lateral (${OWNED_JOB} for share) owned),
    started as (
      update tasks t set status = 'running', updated_at = clock_timestamp(),
        started_at = coalesce(t.started_at, clock_timestamp()), agent_version = i.agent_version
      from owned_job i where t.id = i.id
      returning t.id, t.attempt, t.workspace_id, i.event, i.n, clock_timestamp() - t.started_at - t.waited as age
    ),
    prior as (
      select t.*, s.last_seq < s.first_seq as fresh
      from started t join task_streams s on s.log_id = t.id
      for update of s
    ),
    owned as (
      update task_streams s set last_seq = s.last_seq + case when p.fresh then 1 else 0 end
      from prior p where s.log_id = p.id and s.attempt = p.attempt
      returning p.*, s.last_seq
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select id, last_seq, workspace_id, attempt, event from owned where fresh
    )
    select n::integer, fresh, last_seq, (extract(epoch from age) * 1000)::double precision as age_ms from owned`,
});

/** The start of a run's execution. */
export interface StartedRun {
  /** Whether the log was empty, so that it now contains the given event. */
  readonly fresh: boolean;
  readonly last_seq: number;
  /** The age of the attempt, without its waits for answers, in milliseconds. */
  readonly age_ms: number;
}

/** An execution to start. */
export interface RunStart {
  readonly taskId: string;
  /** The execution: of the task's own job, or of its team run's job. */
  readonly job: JobKey;
  /** The event that opens an empty log; JSON. */
  readonly event: string;
  /** The version of its agent; null for a team, or an agent changed for this run. */
  readonly agentVersion: number | null;
}

/**
 * Makes executions the owners of their attempts, moves the tasks to `running`, and opens empty logs. Returns results in
 * input order; undefined for a task that must no longer run.
 */
export async function startRuns(
  db: Database | Transaction,
  starts: readonly RunStart[],
): Promise<(StartedRun | undefined)[]> {
  const sorted = inLockOrder(starts);
  const jobs = sorted.map(({ job }) => job);
  const rows = await db.query<StartedRun & { n: number }>(START, [
    sorted.map(({ taskId }) => taskId),
    jobs.map(({ attempt }) => attempt),
    ...ownerColumns(jobs),
    sorted.map(({ event }) => event),
    sorted.map(({ agentVersion }) => agentVersion),
    ["dispatched", "running"] satisfies TaskStatus[],
  ]);
  const started = new Map(rows.map(({ n, ...row }) => [sorted[n - 1], row]));
  return starts.map((start) => started.get(start));
}

// The cost and the code of a failure are written with the end: each update of a task adds to all its indexes.
const FINISH = statement({
  name: "finish-runs",
  text: `
    with incoming as (
      select * from rows from (unnest($1::uuid[], $2::integer[], $3::uuid[], $4::uuid[], $5::integer[], $6::text[],
        $7::text[], $8::text[], $9::text[], $10::integer[], $13::text[], $14::text[])) with ordinality
        as i (id, attempt, job_id, executor_id, fence, status, sources, result, error, events, error_code, finish_reason, n)
    ),
    locked as (
      select i.* from incoming i join tasks t
        on t.id = i.id and t.attempt = i.attempt and t.status = any(string_to_array(i.sources, ' '))
      order by t.id for update of t
    ),
    owned_job as (select i.*, owned.kind from locked i cross join lateral (${OWNED_JOB} for update) owned),
    ended as (
      update tasks t set status = i.status, result = i.result, error = i.error, error_code = i.error_code,
        finish_reason = i.finish_reason,
        cost_usd = (select coalesce(sum(u.estimated_cost_usd), 0) from usage_records u
          where u.task_id = t.id and u.attempt = t.attempt),
        interaction = null, completed_at = clock_timestamp(), updated_at = clock_timestamp()
      from owned_job i where t.id = i.id
      returning t.id, i.events, i.n, case when i.kind = 'task' then i.job_id end as job_id
    ),
    done as (delete from jobs j using ended e where j.id = e.job_id returning ${LEFT_JOB}),
    execution as (${recordExecutions("done", "'finished'")}),
    closed as (
      update task_streams s set closed = true, last_seq = s.last_seq + e.events
      from ended e where s.log_id = e.id
      returning s.log_id, s.workspace_id, s.attempt, s.last_seq - e.events as before, e.n
    ),
    made as (
      insert into files (id, workspace_id, task_id, direction, attempt, name, type, size, blob_key)
      select f.id, c.workspace_id, c.log_id, 'output', c.attempt, f.name, f.type, f.size, f.blob_key
      from closed c
      join json_to_recordset($11::json) as f (n integer, id uuid, name text, type text, size integer, blob_key text) using (n)
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select c.log_id, c.before + l.place, c.workspace_id, c.attempt, l.event
      from closed c cross join lateral json_array_elements(($12::json[])[c.n]) with ordinality as l (event, place)
    )
    select c.n::integer, c.before + 1 as first_seq from closed c`,
});

/** The end of a run. */
export interface RunEnd {
  readonly status: "completed" | "failed";
  readonly result: string | null;
  readonly error: string | null;
  /** The code of a failure. */
  readonly errorCode: string | null;
  /** Why the last reply of a completed run ended. */
  readonly finishReason: FinishReason | null;
  /** The last events of the log, as JSON. */
  readonly events: readonly string[];
  /** Its output files; their contents are stored. */
  readonly files: readonly CreatedFile[];
}

/** An execution to end. */
export interface RunFinish {
  readonly taskId: string;
  /** See {@link RunStart.job}; the task's own job ends with the task. */
  readonly job: JobKey;
  readonly end: RunEnd;
}

/** The effects of ending a run. */
export interface FinishedRun {
  /** The number of its first final event. */
  readonly first_seq: number;
}

/**
 * Ends tasks: writes each one's row, output files, final events and job, or nothing when its execution no longer owns
 * it or it was cancelled. Returns results in input order.
 */
export async function finishRuns(
  db: Database | Transaction,
  finishes: readonly RunFinish[],
): Promise<(FinishedRun | undefined)[]> {
  const sorted = inLockOrder(finishes);
  const jobs = sorted.map(({ job }) => job);
  const rows = await db.query<FinishedRun & { n: number }>(FINISH, [
    sorted.map(({ taskId }) => taskId),
    jobs.map(({ attempt }) => attempt),
    ...ownerColumns(jobs),
    sorted.map(({ end }) => end.status),
    sorted.map(({ end }) => sourcesOf(end.status).join(" ")),
    sorted.map(({ end }) => end.result),
    sorted.map(({ end }) => end.error),
    sorted.map(({ end }) => end.events.length),
    JSON.stringify(sorted.flatMap(({ end }, index) => end.files.map((file) => ({ n: index + 1, ...file })))),
    sorted.map(({ end }) => `[${end.events.join()}]`),
    sorted.map(({ end }) => end.errorCode),
    sorted.map(({ end }) => end.finishReason),
  ]);
  const finished = new Map(rows.map(({ n, ...row }) => [sorted[n - 1], row]));
  return finishes.map((finish) => finished.get(finish));
}

const LIMIT_LOCK_WAIT = statement({
  name: "limit-lock-wait",
  text: `select set_config('lock_timeout', '100ms', true)`,
});

/** Shortens the lock time limit for the rest of a transaction that others share. */
export async function limitLockWait(tx: Transaction): Promise<void> {
  await tx.query(LIMIT_LOCK_WAIT);
}

const LOCK_TASKS = statement({
  name: "lock-tasks",
  text: `select id from tasks where id = any($1::uuid[]) order by id for update`,
});

/** Locks tasks in the common lock order. */
export async function lockTasks(tx: Transaction, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length > 0) await tx.query(LOCK_TASKS, [taskIds]);
}

/** Statements on several runs lock rows in the same order, to avoid deadlocks. */
function inLockOrder<Item extends { readonly taskId: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => Number(a.taskId > b.taskId) - Number(a.taskId < b.taskId));
}
