import type { TaskStatus } from "#domain/task.ts";
import type { Database, Transaction } from "../database.ts";
import type { MadeFile } from "./files.ts";

const START = {
  name: "start-run",
  text: `
    with started as (
      update tasks set status = 'running', run_writer = $3, updated_at = clock_timestamp(),
        started_at = coalesce(started_at, clock_timestamp()), agent_version = $7
      where id = $1 and attempt = $2 and status = any($5) and segment = $6
      returning id, clock_timestamp() - started_at - waited as age
    ),
    prior as (
      select s.writer, s.last_seq < s.first_seq as fresh
      from task_streams s join started on s.task_id = started.id
      for update of s
    ),
    owned as (
      update task_streams s set writer = $3, last_seq = s.last_seq + case when p.fresh then 1 else 0 end
      from prior p where s.task_id = $1 and s.attempt = $2
      returning s.task_id, s.workspace_id, s.attempt, s.last_seq, p.fresh, coalesce(p.writer <> $3, false) as resumed
    ),
    stored as (
      insert into task_events (task_id, seq, workspace_id, attempt, event)
      select task_id, last_seq, workspace_id, attempt, $4 from owned where fresh
    )
    select fresh, resumed, last_seq,
      (extract(epoch from age) * 1000)::double precision as age_ms,
      (select f.id from files f where f.task_id = started.id and f.direction = 'input' limit 1) is not null as has_files,
      (select true from budgets b where b.workspace_id = owned.workspace_id limit 1) as has_budgets
    from owned, started`,
};

/** A run as it begins or goes on. */
export interface StartedRun {
  /** Whether the log was empty, so that the given event now stands in it. */
  readonly fresh: boolean;
  /** Whether another execution had begun this attempt and did not hand it over. */
  readonly resumed: boolean;
  readonly last_seq: number;
  /** How long ago the attempt began, without the time it waited for answers, in milliseconds. */
  readonly age_ms: number;
  /** Whether the task was given files. */
  readonly has_files: boolean;
  /** Whether its workspace has budgets; null when not. */
  readonly has_budgets: true | null;
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
  db: Database | Transaction,
  run: RunKey,
  start: {
    readonly event: string;
    readonly from: readonly TaskStatus[];
    /** How many questions the attempt had asked when this run was enqueued; others may not run it. */
    readonly segment: number;
    /** The version of the agent that does it; null where a team does, or its agent was changed for this run. */
    readonly agentVersion: number | null;
  },
): Promise<StartedRun | undefined> {
  const [row] = await db.query<StartedRun & Record<string, unknown>>(START, [
    run.taskId,
    run.attempt,
    run.writer,
    start.event,
    start.from,
    start.segment,
    start.agentVersion,
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
    last as (
      select l.event, l.n
      from rows from (json_to_recordset($7::json) as (event json)) with ordinality as l (event, n)
    ),
    closed as (
      update task_streams s set closed = true, last_seq = s.last_seq + (select count(*)::integer from last)
      from ended where s.task_id = ended.id
      returning s.task_id, s.workspace_id, s.attempt, s.last_seq - (select count(*)::integer from last) as before
    ),
    made as (
      insert into files (id, workspace_id, task_id, direction, attempt, name, type, size, blob_key)
      select f.id, c.workspace_id, c.task_id, 'output', c.attempt, f.name, f.type, f.size, f.blob_key
      from closed c, json_to_recordset($9::json) as f (id uuid, name text, type text, size integer, blob_key text)
    ),
    stored as (
      insert into task_events (task_id, seq, workspace_id, attempt, event)
      select c.task_id, c.before + l.n, c.workspace_id, c.attempt, l.event from closed c, last l
    )
    select before + 1 as first_seq from closed`,
};

/** How a run ended. */
export interface RunEnd {
  readonly status: "completed" | "failed";
  readonly result: string | null;
  readonly error: string | null;
  /** The last events of the log, as JSON. */
  readonly events: readonly string[];
  /** The files that it gave out; their contents are stored. */
  readonly files: readonly MadeFile[];
  /** The states from which the task may end so. */
  readonly from: readonly TaskStatus[];
}

/**
 * Ends a task: its row, its files and the last events of its log, or nothing when this execution no longer
 * owns it or it was cancelled. Returns the number of the first of those events.
 */
export async function finishRun(db: Database | Transaction, run: RunKey, end: RunEnd): Promise<number | undefined> {
  const [row] = await db.query<{ first_seq: number }>(FINISH, [
    run.taskId,
    run.attempt,
    run.writer,
    end.status,
    end.result,
    end.error,
    `[${end.events.map((event) => `{"event":${event}}`).join(",")}]`,
    end.from,
    JSON.stringify(end.files),
  ]);
  return row?.first_seq;
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

const OWNS = {
  name: "owns-run",
  text: `select task_id from task_streams where task_id = $1 and writer = $2 and not closed`,
};

/** Whether an execution still owns its run: it was neither taken over nor ended. */
export async function ownsRun(db: Database, run: RunKey): Promise<boolean> {
  return (await db.query(OWNS, [run.taskId, run.writer])).length === 1;
}

const ENDED_AMONG = {
  name: "ended-among-runs",
  text: `
    select i.id || '.' || i.attempt as name from unnest($1::uuid[], $2::integer[]) as i (id, attempt)
    left join lateral (
      select s.task_id from task_streams s
      where s.task_id = i.id and s.attempt = i.attempt and not s.closed limit 1
    ) open on true
    where open.task_id is null`,
};

/** Those of these attempts that are over or were deleted, as `<id>.<attempt>`. */
export async function endedAmong(
  db: Database,
  runs: readonly { readonly id: string; readonly attempt: number }[],
): Promise<readonly string[]> {
  const values = [runs.map(({ id }) => id), runs.map(({ attempt }) => attempt)];
  return (await db.query<{ name: string }>(ENDED_AMONG, values)).map(({ name }) => name);
}

const ANNOUNCE_WORK = {
  name: "announce-work",
  text: "select pg_notify('muster_wake', $1 || ' ' || current_setting('application_name'))",
};

/** Tells other processes that runs wait in a workspace. */
export async function announceWork(db: Database, workspaceId: string): Promise<void> {
  await db.query(ANNOUNCE_WORK, [workspaceId]);
}
