import { WORKFLOW } from "#domain/workflow.ts";
import type { Database } from "../database.ts";

/** A process that runs tasks. */
export interface Executor {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
}

const BEAT = {
  name: "executor-beat",
  text: `
    insert into executors (id, host, pid) values ($1, $2, $3)
    on conflict (id) do update set seen_at = now()`,
};

/** Says that a process is alive. */
export async function beat(db: Database, executor: Executor): Promise<void> {
  await db.query(BEAT, [executor.id, executor.host, executor.pid]);
}

const LEAVE = { name: "executor-leave", text: `delete from executors where id = $1` };

/** Says that a process is gone: its runs are free at once. */
export async function leave(db: Database, executorId: string): Promise<void> {
  await db.query(LEAVE, [executorId]);
}

const ON_HOST = { name: "executors-on-host", text: `select id, host, pid from executors where host = $1` };

/** The processes that were seen on a host. */
export function executorsOnHost(db: Database, host: string): Promise<Executor[]> {
  return db.query<Executor & Record<string, unknown>>(ON_HOST, [host]);
}

// The rows of the silent are held until their runs are free: one that speaks again in that moment is either not silent,
// or is heard only when its runs are no longer its own.
const TAKE_OVER = {
  name: "take-over-runs",
  text: `
    with busy as (
      select distinct executor_id as id from dbos.workflow_status
      where status = 'PENDING' and application_version = $1 and application_name = $2
    ),
    silent as (
      select e.id from busy b join executors e using (id)
      where e.seen_at < now() - make_interval(secs => $3::double precision / 1000)
      order by e.id for update of e
    ),
    gone as (
      select id from silent
      union all
      select b.id from busy b where not exists (select from executors e where e.id = b.id)
    )
    update dbos.workflow_status w set status = 'ENQUEUED', owner_xid = null, started_at_epoch_ms = null,
      updated_at = extract(epoch from now()) * 1000
    from gone
    where w.executor_id = gone.id and w.status = 'PENDING' and w.application_version = $1 and w.application_name = $2
    returning w.executor_id as executor, w.workflow_uuid as run`,
};

/** A run that is free again, and the process that had it. */
export interface TakenOver {
  readonly executor: string;
  readonly run: string;
}

/**
 * Puts the runs of processes back into the queue that have left, or have been silent for longer than the lease where
 * there is one, in milliseconds.
 */
export function takeOverRuns(db: Database, leaseMs: number | undefined): Promise<readonly TakenOver[]> {
  const values = [WORKFLOW.version, WORKFLOW.application, leaseMs ?? null];
  return db.query<TakenOver & Record<string, unknown>>(TAKE_OVER, values);
}

const FORGET = {
  name: "forget-executors",
  text: `delete from executors where seen_at < now() - interval '1 hour'`,
};

/** Removes the traces of processes that are long gone. */
export async function forgetOldExecutors(db: Database): Promise<void> {
  await db.query(FORGET);
}
