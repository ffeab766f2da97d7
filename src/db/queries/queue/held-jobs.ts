import { MAX_DELEGATION_DEPTH } from "#domain/tools/delegation-depth.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

// While a workspace is paused, jobs of runs that have not started are held: they are queued for the time 'infinity',
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
  text: `update jobs set run_at = null where state = 'queued' and run_at = 'infinity' and workspace_id = $1`,
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

/** Releases the workspace's held runs; announce them after the commit. */
export async function releaseHeldRuns(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(RELEASE, [workspaceId]);
}
