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

const ORPHANED = {
  name: "orphaned-executors",
  text: `
    select distinct w.executor_id as id from dbos.workflow_status w
    where w.status = 'PENDING' and not exists (
      select from executors e
      where e.id = w.executor_id
        and ($1::double precision is null or e.seen_at > now() - make_interval(secs => $1 / 1000)))`,
};

/** The processes that have runs and have left, or have been silent for longer than the lease where there is one. */
export async function orphanedExecutors(db: Database, leaseMs: number | undefined): Promise<string[]> {
  const rows = await db.query<{ id: string }>(ORPHANED, [leaseMs ?? null]);
  return rows.map((row) => row.id);
}

const FORGET = {
  name: "forget-executors",
  text: `delete from executors where seen_at < now() - interval '1 hour'`,
};

/** Removes the traces of processes that are long gone. */
export async function forgetOldExecutors(db: Database): Promise<void> {
  await db.query(FORGET);
}
