import type { Transaction } from "../../database.ts";

/** Jobs before a run are counted up to here. */
const MAX_COUNTED = 1_000;

const QUEUE = {
  name: "read-queue-of-run",
  text: `
    select w.paused, w.log_url as "logUrl", w.trace_url as "traceUrl", live_processes() as processes,
      (select count(*)::integer from (
        select from tasks t where t.workspace_id = w.id and t.status in ('running', 'waiting_for_input')
          and t.status = 'running'
        union all
        select from team_runs r where r.workspace_id = w.id and r.status in ('running', 'waiting_for_input')
          and r.status = 'running' and r.task_id is null
        limit ${MAX_COUNTED}) running) as running,
      (select count(*)::integer from (
        select from jobs b where b.kind = j.kind and b.lane = j.lane and b.state = 'queued' and b.run_at is null
          and b.suspicion = 0 and (b.priority, b.id) < (j.priority, j.id)
        limit ${MAX_COUNTED}) before) as ahead
    from workspaces w left join jobs j on j.subject_id = $1 and j.attempt = $2 and j.state = 'queued'
    where w.id = current_workspace_id()`,
};

/** What decides when a queued run begins, and where the operator's own tools show it. */
export interface RunQueue {
  readonly paused: boolean;
  /** Templates of links; see `fillLink`. */
  readonly logUrl: string | null;
  readonly traceUrl: string | null;
  /** How many processes there are to run it. */
  readonly processes: number;
  /** Runs of the workspace that are running, up to 1,000. */
  readonly running: number;
  /** Runs of its kind that begin before it, up to 1,000. */
  readonly ahead: number;
}

/** Reads how the queue of the workspace stands for an attempt. @param logId the task's id, or that of its team's run */
export async function readQueue(tx: Transaction, logId: string, attempt: number): Promise<RunQueue> {
  const [row] = await tx.query<RunQueue & Record<string, unknown>>(QUEUE, [logId, attempt]);
  if (row === undefined) throw new Error("A request's workspace exists.");
  return row;
}
