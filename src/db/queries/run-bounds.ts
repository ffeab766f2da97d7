import { sourcesOf } from "#domain/task.ts";
import type { TaskStatus } from "#domain/task.ts";
import { CLAIMED } from "#domain/workflow.ts";
import type { Database, Transaction } from "../database.ts";
import type { MadeFile } from "./files.ts";
import { RUN_ID, inLockOrder } from "./runs.ts";
import type { RunKey } from "./runs.ts";

// Of many runs at once: tasks are locked before the heads of their logs, both in the order of the ids, as by everybody
// who locks more than one.
const START = {
  name: "start-runs",
  text: `
    with incoming as (
      select * from rows from (unnest($1::uuid[], $2::integer[], $3::uuid[], $4::json[], $5::integer[], $6::integer[],
        $7::text[])) with ordinality as i (id, attempt, writer, event, segment, agent_version, executor, n)
    ),
    started as (
      update tasks t set status = 'running', run_writer = i.writer, updated_at = clock_timestamp(),
        started_at = coalesce(t.started_at, clock_timestamp()), agent_version = i.agent_version
      from incoming i
      where t.id = i.id and t.attempt = i.attempt and t.status = any($8) and t.segment = i.segment
        and (i.executor is null or i.executor = (
          select w.executor_id from dbos.workflow_status w where w.workflow_uuid = ${RUN_ID} and w.status = $9))
      returning t.id, t.attempt, t.workspace_id, i.writer, i.event, i.n, clock_timestamp() - t.started_at - t.waited as age
    ),
    prior as (
      select t.*, s.writer as prior_writer, s.last_seq < s.first_seq as fresh
      from started t join task_streams s on s.task_id = t.id
      for update of s
    ),
    owned as (
      update task_streams s set writer = p.writer, last_seq = s.last_seq + case when p.fresh then 1 else 0 end
      from prior p where s.task_id = p.id and s.attempt = p.attempt
      returning p.*, s.last_seq
    ),
    stored as (
      insert into task_events (task_id, seq, workspace_id, attempt, event)
      select id, last_seq, workspace_id, attempt, event from owned where fresh
    )
    select n::integer, fresh, last_seq, coalesce(prior_writer <> writer, false) as resumed,
      (extract(epoch from age) * 1000)::double precision as age_ms,
      (select f.id from files f where f.task_id = owned.id and f.direction = 'input' limit 1) is not null as has_files,
      (select true from budgets b where b.workspace_id = owned.workspace_id limit 1) as has_budgets
    from owned`,
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

/** An execution that is to begin. */
export interface RunStart {
  readonly run: RunKey;
  /** Opens the log if it is empty; JSON. */
  readonly event: string;
  /** How many questions the attempt had asked when this run was enqueued; others may not run it. */
  readonly segment: number;
  /** The version of the agent that does it; null where a team does, or its agent was changed for this run. */
  readonly agentVersion: number | null;
  /** The process that must still have claimed the run; null where the claim is that of a team's run. */
  readonly executorId: string | null;
}

/**
 * Makes executions the owners of their attempts, moves the tasks to `running`, and opens the logs that are empty. In
 * the order of what was given; undefined for a task that is no longer to be run.
 */
export async function startRuns(
  db: Database | Transaction,
  starts: readonly RunStart[],
): Promise<(StartedRun | undefined)[]> {
  const sorted = inLockOrder(starts);
  const rows = await db.query<StartedRun & { n: number }>(START, [
    sorted.map(({ run }) => run.taskId),
    sorted.map(({ run }) => run.attempt),
    sorted.map(({ run }) => run.writer),
    sorted.map(({ event }) => event),
    sorted.map(({ segment }) => segment),
    sorted.map(({ agentVersion }) => agentVersion),
    sorted.map(({ executorId }) => executorId),
    ["dispatched", "running"] satisfies TaskStatus[],
    CLAIMED,
  ]);
  const started = new Map(rows.map(({ n, ...row }) => [sorted[n - 1], row]));
  return starts.map((start) => started.get(start));
}

// The library's state is a parameter, so that no index of a few states is taken for the one by id.
const FINISH = {
  name: "finish-runs",
  text: `
    with incoming as (
      select * from rows from (unnest($1::uuid[], $2::integer[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::integer[])) with ordinality as i (id, attempt, writer, status, sources, result, error, events, n)
    ),
    ended as (
      update tasks t set status = i.status, result = i.result, error = i.error, interaction = null,
        completed_at = clock_timestamp(), updated_at = clock_timestamp()
      from incoming i
      where t.id = i.id and t.attempt = i.attempt and t.run_writer = i.writer
        and t.status = any(string_to_array(i.sources, ' '))
      returning t.id, i.events, i.n,
        ${RUN_ID} as run_id
    ),
    recorded as (
      update dbos.workflow_status w set status = 'SUCCESS', owner_xid = null, deduplication_id = null,
        updated_at = extract(epoch from now()) * 1000, completed_at = extract(epoch from now()) * 1000
      from ended e where w.workflow_uuid = e.run_id and w.status = $13
      returning e.n, w.workflow_uuid as run_id
    ),
    closed as (
      update task_streams s set closed = true, last_seq = s.last_seq + e.events
      from ended e where s.task_id = e.id
      returning s.task_id, s.workspace_id, s.attempt, s.last_seq - e.events as before, e.n
    ),
    made as (
      insert into files (id, workspace_id, task_id, direction, attempt, name, type, size, blob_key)
      select f.id, c.workspace_id, c.task_id, 'output', c.attempt, f.name, f.type, f.size, f.blob_key
      from closed c
      join json_to_recordset($9::json) as f (n integer, id uuid, name text, type text, size integer, blob_key text) using (n)
    ),
    stored as (
      insert into task_events (task_id, seq, workspace_id, attempt, event)
      select c.task_id, c.before + l.place, c.workspace_id, c.attempt, l.event
      from closed c
      join rows from (unnest($10::integer[], $11::integer[], $12::json[])) as l (n, place, event) using (n)
    )
    select c.n::integer, c.before + 1 as first_seq, r.run_id as recorded
    from closed c left join recorded r using (n)`,
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
}

/** An execution that is over. */
export interface RunFinish {
  readonly run: RunKey;
  readonly end: RunEnd;
}

/** What ending a run has done. */
export interface FinishedRun {
  /** The number of the first of its last events. */
  readonly first_seq: number;
  /** The engine library's id of the run when its end is recorded there as well. */
  readonly recorded: string | null;
}

/**
 * Ends tasks: each one's row, its files, the last events of its log and the engine library's record of the run, or
 * nothing when its execution no longer owns it or it was cancelled. In the order of what was given.
 */
export async function finishRuns(
  db: Database | Transaction,
  finishes: readonly RunFinish[],
): Promise<(FinishedRun | undefined)[]> {
  const sorted = inLockOrder(finishes);
  const events = sorted.flatMap(({ end }, index) =>
    end.events.map((text, place) => ({ n: index + 1, place: place + 1, text })),
  );
  const rows = await db.query<FinishedRun & { n: number }>(FINISH, [
    sorted.map(({ run }) => run.taskId),
    sorted.map(({ run }) => run.attempt),
    sorted.map(({ run }) => run.writer),
    sorted.map(({ end }) => end.status),
    sorted.map(({ end }) => sourcesOf(end.status).join(" ")),
    sorted.map(({ end }) => end.result),
    sorted.map(({ end }) => end.error),
    sorted.map(({ end }) => end.events.length),
    JSON.stringify(sorted.flatMap(({ end }, index) => end.files.map((file) => ({ n: index + 1, ...file })))),
    events.map(({ n }) => n),
    events.map(({ place }) => place),
    events.map(({ text }) => text),
    CLAIMED,
  ]);
  const finished = new Map(rows.map(({ n, ...row }) => [sorted[n - 1], row]));
  return finishes.map((finish) => finished.get(finish));
}
