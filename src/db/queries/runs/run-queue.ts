import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The number of queued runs before this one is counted up to this limit. */
const MAX_COUNTED = 1_000;

const QUEUE = statement({
  name: "read-queue-of-run",
  text: `
    select w.paused, w.log_url as "logUrl", w.trace_url as "traceUrl", live_processes() as processes,
      (select count(*)::integer from (
        select from runs r where r.workspace_id = w.id and r.status in ('running', 'waiting_for_input')
          and r.status = 'running' and r.parent_id is null
        limit ${MAX_COUNTED}) running) as running,
      (select count(*)::integer from (
        select from jobs b where b.kind = j.kind and b.lane = j.lane and b.state = 'queued' and b.run_at is null
          and b.suspicion = 0 and (b.priority, b.id) < (j.priority, j.id)
        limit ${MAX_COUNTED}) before) as ahead
    from workspaces w left join jobs j on j.subject_id = $1 and j.attempt = $2 and j.state = 'queued'
    where w.id = current_workspace_id()`,
});

/** The facts that determine when a queued run starts, and the links to the operator's own tools. */
export interface RunQueue {
  readonly paused: boolean;
  /** URL templates; see `fillLink`. */
  readonly logUrl: string | null;
  readonly traceUrl: string | null;
  /** The number of processes that run jobs. */
  readonly processes: number;
  /** Active runs of the workspace, up to 1,000. */
  readonly running: number;
  /** Queued runs of its kind that start before it, up to 1,000. */
  readonly ahead: number;
}

/** Reads the queue of an attempt's workspace. @param logId the id of the task or its team run */
export async function readQueue(tx: Transaction, logId: string, attempt: number): Promise<RunQueue> {
  const [row] = await tx.query<RunQueue>(QUEUE, [logId, attempt]);
  if (row === undefined) throw new Error("A request's workspace exists.");
  return row;
}
