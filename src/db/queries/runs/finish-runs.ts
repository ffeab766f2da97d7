import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { Database, Transaction } from "../../database.ts";
import { parameterRows } from "../../parameter-rows.ts";
import type { CreatedFile } from "../files/files.ts";
import { LEFT_JOB, OWNED_JOB, recordExecutions } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";
import { COST } from "./cost.ts";

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

/** A run whose execution ends it. */
export interface RunFinish {
  readonly runId: string;
  /** The execution: of the run's own job; for a team's task, of the job of its team run. */
  readonly job: JobKey;
  readonly end: RunEnd;
}

const FINISHES = parameterRows<RunFinish>("i", {
  id: ["uuid", ({ runId }) => runId],
  attempt: ["integer", ({ job }) => job.attempt],
  job_id: ["uuid", ({ job }) => job.jobId],
  executor_id: ["uuid", ({ job }) => job.executorId],
  fence: ["integer", ({ job }) => job.fence],
  status: ["text", ({ end }) => end.status],
  result: ["text", ({ end }) => end.result],
  error: ["text", ({ end }) => end.error],
  error_code: ["text", ({ end }) => end.errorCode],
  finish_reason: ["text", ({ end }) => end.finishReason],
  event_count: ["integer", ({ end }) => end.events.length],
  events: ["json", ({ end }) => `[${end.events.join()}]`],
  files: ["json", ({ end }) => JSON.stringify(end.files)],
});

// Everything about the end is written at once: each update of a run adds to all its indexes. Locks as in start-runs.ts.
const FINISH = statement({
  name: "finish-runs",
  text: `
    with locked as (
      select i.* from ${FINISHES.from} join runs r on r.id = i.id and r.attempt = i.attempt and r.status is not distinct from 'running'
      order by r.parent_id is not null, r.id for no key update of r
    ),
    owned_job as (
      select i.*, owned.subject_id = i.id as is_own from locked i cross join lateral (${OWNED_JOB} for update) owned
    ),
    ended as (
      update runs r set status = i.status, result = i.result, error = i.error, error_code = i.error_code,
        finish_reason = i.finish_reason, cost_usd = ${COST},
        interaction = null, completed_at = clock_timestamp(), updated_at = clock_timestamp()
      from owned_job i where r.id = i.id
      returning r.id, r.kind, i.event_count, i.events, i.files, i.n, case when i.is_own then i.job_id end as job_id
    ),
    done as (delete from jobs j using ended e where j.id = e.job_id returning ${LEFT_JOB}),
    execution as (${recordExecutions("done", "'finished'")}),
    closed as (
      update task_streams s set closed = true, last_seq = s.last_seq + e.event_count
      from ended e where s.log_id = e.id
      returning s.log_id, s.workspace_id, s.attempt, s.last_seq - e.event_count as before, e.kind,
        e.events, e.files, e.n
    ),
    made as (
      insert into files (id, workspace_id, task_id, run_id, direction, attempt, name, type, size, blob_key)
      select f.id, c.workspace_id, case c.kind when 'task' then c.log_id end, case c.kind when 'team_run' then c.log_id end,
        'output', c.attempt, f.name, f.type, f.size, f.blob_key
      from closed c cross join lateral
        json_to_recordset(c.files) as f (id uuid, name text, type text, size integer, blob_key text)
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select c.log_id, c.before + l.place, c.workspace_id, c.attempt, l.event
      from closed c cross join lateral json_array_elements(c.events) with ordinality as l (event, place)
    )
    select c.n::integer, c.before + 1 as first_seq from closed c`,
});

/** The effects of ending a run. */
export interface FinishedRun {
  /** The number of its first final event. */
  readonly first_seq: number;
}

/**
 * Ends runs: writes each one's row, output files, final events and job, or nothing when its execution no longer owns it
 * or it was cancelled. A team's task and its run are two of them. Returns results in input order.
 */
export async function finishRuns(
  db: Database | Transaction,
  finishes: readonly RunFinish[],
): Promise<(FinishedRun | undefined)[]> {
  const rows = await db.query<FinishedRun & { n: number }>(FINISH, FINISHES.values(finishes));
  const finished = new Map(rows.map(({ n, ...row }) => [n, row]));
  return finishes.map((_, index) => finished.get(index + 1));
}
