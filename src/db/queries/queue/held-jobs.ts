import { MAX_DELEGATION_DEPTH } from "#domain/tools/delegation-depth.ts";
import type { Transaction } from "../../database.ts";
import { LEFT_JOB, recordExecutions } from "./job-owner.ts";
import { statement } from "../../statement.ts";

// While a workspace is paused or held, jobs of runs that have not started are held: they are queued for the time 'infinity',
// which excludes them from the index that processes claim from. So a pause adds no cost to claiming.

const LOCK_STARTS = statement({
  name: "lock-starts",
  text: `select pg_advisory_xact_lock(hashtextextended('muster.start ' || $1::uuid, 0))`,
});
const HOLD = statement({
  name: "hold-jobs",
  text: `
    update jobs set run_at = 'infinity'
    where state = 'queued' and run_at is null and suspicion = 0 and kind in ('task', 'team_run')
      and lane = any(array(
        select $1::uuid::text union all select concat($1, '/', depth) from generate_series(1, $2::integer) depth))
      and fence = 0`,
});
const RELEASE = statement({
  name: "release-held-jobs",
  text: `
    with released as (
      update jobs j set run_at = null where j.state = 'queued' and j.run_at = 'infinity' and j.workspace_id = $1
        and (select not w.paused and w.held_at is null from workspaces w where w.id = $1)
      returning j.lane, j.kind
    )
    select pg_notify('muster_wake', lane || ' ' || kind) as told from released group by lane, kind`,
});
const ANNOUNCE_SCHEDULES = statement({
  name: "announce-schedules-of-workspace",
  text: `
    select pg_notify('muster_due', floor(extract(epoch from min(s.next_at)) * 1000)::bigint::text) as told
    from schedules s where s.workspace_id = $1 having min(s.next_at) is not null`,
});
// Executions lose their jobs, as in a takeover: the runs continue from their last step when the workspace is released.
const STOP = statement({
  name: "stop-jobs-of-workspace",
  text: `
    with executions as (
      select j.id, j.executor_id as executor, ${LEFT_JOB} from jobs j
      where j.workspace_id = $1 and (j.state = 'queued' or j.state = 'running' and j.kind <> 'delivery') for update
    ),
    stopped as (
      update jobs j set state = 'queued', executor_id = null, run_at = 'infinity'
      from executions e where j.id = e.id returning j.id
    ),
    left_off as (${recordExecutions("(select * from executions where executor is not null)", "'handed_over'")}),
    told as (select pg_notify('muster_cancel', e.id::text) from executions e where e.executor is not null)
    select (select count(*) from stopped)::integer as stopped, (select count(*) from told)::integer as told`,
});

/**
 * Blocks the creation of runs in a workspace until the transaction ends, and waits for concurrent creations: see the
 * SQL function `may_start`. Call it before changing the workspace's `paused`.
 */
export async function lockStarts(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(LOCK_STARTS, [workspaceId]);
}

/** Holds the workspace's runs that have not started. */
export async function holdQueuedRuns(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(HOLD, [workspaceId, MAX_DELEGATION_DEPTH]);
}

/** Holds all jobs of a workspace. Runs and documents in progress stop at once; a delivery in progress ends. */
export async function stopJobs(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(STOP, [workspaceId]);
}

/** Releases the workspace's held jobs, unless it is still paused or held, and tells all processes. */
export async function releaseHeldRuns(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(RELEASE, [workspaceId]);
}

/** Tells all processes when the next schedule of a workspace is due: while it was held they did not look. */
export async function announceSchedules(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(ANNOUNCE_SCHEDULES, [workspaceId]);
}
