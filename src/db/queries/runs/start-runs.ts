import type { Database, Transaction } from "../../database.ts";
import { parameterRows } from "../../parameter-rows.ts";
import { OWNED_JOB } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

/** A run whose execution begins. */
export interface RunStart {
  readonly runId: string;
  /** The execution: of the run's own job; for a team's task, of the job of its team run. */
  readonly job: JobKey;
  /** The event that opens an empty log; JSON. */
  readonly event: string;
  /** The version of its agent; null for a team, or an agent changed for this run. */
  readonly agentVersion: number | null;
}

const STARTS = parameterRows<RunStart>("i", {
  id: ["uuid", ({ runId }) => runId],
  attempt: ["integer", ({ job }) => job.attempt],
  job_id: ["uuid", ({ job }) => job.jobId],
  executor_id: ["uuid", ({ job }) => job.executorId],
  fence: ["integer", ({ job }) => job.fence],
  event: ["json", ({ event }) => event],
  agent_version: ["integer", ({ agentVersion }) => agentVersion],
});

// Rows are locked in one order everywhere: tasks and runs of their own before the runs of tasks, both by id; then jobs,
// then logs. A run that was never dispatched has no job. No condition on the status fits an index: the plan of an empty
// table would read it for all runs of that status.
const START = statement({
  name: "start-runs",
  text: `
    with locked as (
      select i.* from ${STARTS.from} join runs r on r.id = i.id and r.attempt = i.attempt
        and r.status not in ('waiting_for_input', 'completed', 'failed', 'cancelled')
      order by r.parent_id is not null, r.id for no key update of r
    ),
    owned_job as (select i.* from locked i cross join lateral (${OWNED_JOB} for share) owned),
    started as (
      update runs r set status = 'running', updated_at = clock_timestamp(),
        started_at = coalesce(r.started_at, clock_timestamp()), agent_version = i.agent_version
      from owned_job i where r.id = i.id
      returning r.id, r.attempt, r.workspace_id, i.event, i.n, clock_timestamp() - r.started_at - r.waited as age
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

/**
 * Makes executions the owners of their attempts, moves the runs to `running`, and opens empty logs. Returns results in
 * input order; undefined for a run that must no longer run.
 */
export async function startRuns(
  db: Database | Transaction,
  starts: readonly RunStart[],
): Promise<(StartedRun | undefined)[]> {
  const rows = await db.query<StartedRun & { n: number }>(START, STARTS.values(starts));
  const started = new Map(rows.map(({ n, ...row }) => [n, row]));
  return starts.map((_, index) => started.get(index + 1));
}
