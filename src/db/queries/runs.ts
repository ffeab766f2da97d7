import type { TaskStatus } from "#domain/task.ts";
import type { Database } from "../database.ts";

const START = {
  name: "start-run",
  text: `
    with started as (
      update tasks set status = 'running', run_writer = $3, updated_at = clock_timestamp(),
        started_at = coalesce(started_at, clock_timestamp())
      where id = $1 and attempt = $2 and status = any($5)
      returning id
    ),
    prior as (
      select s.writer, s.last_seq < s.first_seq as fresh
      from task_streams s join started on s.task_id = started.id
      for update of s
    ),
    owned as (
      update task_streams s set writer = $3, last_seq = s.last_seq + case when p.fresh then 1 else 0 end
      from prior p where s.task_id = $1 and s.attempt = $2
      returning s.task_id, s.workspace_id, s.attempt, s.last_seq, p.fresh, p.writer is not null as resumed
    ),
    announced as (
      insert into task_events (task_id, seq, workspace_id, attempt, event)
      select task_id, last_seq, workspace_id, attempt, $4 from owned where fresh
      returning seq
    )
    select fresh, resumed, last_seq, (select announce_events($1, seq) from announced) as told from owned`,
};

/** A run as it begins or goes on. */
export interface StartedRun {
  /** Whether the log was empty, so that the given event now stands in it. */
  readonly fresh: boolean;
  /** Whether another execution had begun this attempt and did not hand it over. */
  readonly resumed: boolean;
  readonly last_seq: number;
}

/** Identifies an execution of a task's attempt. */
export interface RunKey {
  readonly taskId: string;
  readonly attempt: number;
  /** A fresh id for each execution; the newest one owns the task. */
  readonly writer: string;
}

/**
 * Makes this execution the owner of the attempt, moves the task to `running`, and opens its log
 * with the given event if it is empty. Undefined when the task is no longer to be run.
 */
export async function startRun(
  db: Database,
  run: RunKey,
  start: { readonly event: string; readonly from: readonly TaskStatus[] },
): Promise<StartedRun | undefined> {
  const [row] = await db.query<StartedRun & Record<string, unknown>>(START, [
    run.taskId,
    run.attempt,
    run.writer,
    start.event,
    start.from,
  ]);
  return row;
}

const FINISH = {
  name: "finish-run",
  text: `
    with ended as (
      update tasks set status = $4, result = $5, error = $6, interaction = null,
        completed_at = clock_timestamp(), updated_at = clock_timestamp()
      where id = $1 and attempt = $2 and run_writer = $3 and status = any($8)
      returning id
    ),
    closed as (
      update task_streams s set closed = true, last_seq = s.last_seq + 1
      from ended where s.task_id = ended.id
      returning s.task_id, s.workspace_id, s.attempt, s.last_seq
    ),
    stored as (
      insert into task_events (task_id, seq, workspace_id, attempt, event)
      select task_id, last_seq, workspace_id, attempt, $7 from closed
      returning task_id, seq
    )
    select seq, announce_events(task_id, seq) from stored`,
};

/** How a run ended. */
export interface RunEnd {
  readonly status: "completed" | "failed";
  readonly result: string | null;
  readonly error: string | null;
  /** The last event of the log, as JSON. */
  readonly event: string;
  /** The states from which the task may end so. */
  readonly from: readonly TaskStatus[];
}

/**
 * Ends a task: its row and the last event of its log, or nothing when this execution no longer
 * owns it or it was cancelled. Returns the number of the last event.
 */
export async function finishRun(db: Database, run: RunKey, end: RunEnd): Promise<number | undefined> {
  const [row] = await db.query<{ seq: number }>(FINISH, [
    run.taskId,
    run.attempt,
    run.writer,
    end.status,
    end.result,
    end.error,
    end.event,
    end.from,
  ]);
  return row?.seq;
}

const NOTE_CRASH = {
  name: "note-crash",
  text: `
    update task_streams set crash_step = $3,
      crash_count = case when crash_step = $3 then crash_count + 1 else 1 end
    where task_id = $1 and writer = $2
    returning crash_count`,
};

/** Counts a death of the process in this step; returns how many there were without finishing it. */
export async function noteCrash(db: Database, run: RunKey, step: number): Promise<number> {
  const [row] = await db.query<{ crash_count: number }>(NOTE_CRASH, [run.taskId, run.writer, step]);
  return row?.crash_count ?? 0;
}

const RELEASE = {
  name: "release-run",
  text: `update task_streams set writer = null where task_id = $1 and writer = $2`,
};

/** Hands a run over to whoever takes it next: its end here was no crash. */
export async function releaseRun(db: Database, run: RunKey): Promise<void> {
  await db.query(RELEASE, [run.taskId, run.writer]);
}

const RECORD_USAGE = {
  name: "record-usage",
  text: `
    insert into usage_records as u (id, workspace_id, task_id, agent_id, attempt, step, provider, model,
      prompt_tokens, completion_tokens, estimated_cost_usd, billing_model)
    select $1, t.workspace_id, t.id, t.assigned_agent_id, $3, $4, $5, $6, $7, $8, $9, $10
    from tasks t where t.id = $2
    on conflict (task_id, attempt, step) do update set
      prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = u.completion_tokens + excluded.completion_tokens,
      estimated_cost_usd = u.estimated_cost_usd + excluded.estimated_cost_usd`,
};

/** What one step of a run used. */
export interface UsageEntry {
  readonly id: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly step: number;
  readonly provider: string;
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
  readonly billingModel: "per-token" | "subscription-quota";
}

/** Records usage; a step whose call was really made twice is counted twice. */
export async function recordUsage(db: Database, usage: UsageEntry): Promise<void> {
  await db.query(RECORD_USAGE, [
    usage.id,
    usage.taskId,
    usage.attempt,
    usage.step,
    usage.provider,
    usage.model,
    usage.promptTokens,
    usage.completionTokens,
    usage.costUsd,
    usage.billingModel,
  ]);
}
