import type { Transaction } from "../../database.ts";

// Jobs of runs that have not started are held while their workspace is paused: they are queued for the time 'infinity',
// which keeps them out of the index that processes claim from. So a pause costs nothing when jobs are claimed.

const LOCK_STARTS = {
  name: "lock-starts",
  text: `select pg_advisory_xact_lock(hashtextextended('muster.start ' || $1::uuid, 0))`,
};
const HOLD = {
  name: "hold-jobs",
  text: `
    update jobs set run_at = 'infinity'
    where state = 'queued' and run_at is null and suspicion = 0 and kind in ('task', 'team_run')
      and lane = $1::uuid::text and fence = 0`,
};
const LET_GO = {
  name: "let-go-of-jobs",
  text: `update jobs set run_at = null where state = 'queued' and run_at = 'infinity' and workspace_id = $1`,
};

/**
 * Keeps runs of a workspace from being created until the transaction ends, and waits for those that are being created:
 * see the SQL function `may_start`. Call it before the workspace's `paused` changes.
 */
export async function lockStarts(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(LOCK_STARTS, [workspaceId]);
}

/** Holds the runs of a workspace that no process has begun. */
export async function holdQueuedRuns(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(HOLD, [workspaceId]);
}

/** Lets the held runs of a workspace start; announce them after the commit. */
export async function letGoOfHeldRuns(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(LET_GO, [workspaceId]);
}
