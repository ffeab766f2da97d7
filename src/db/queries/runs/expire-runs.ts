import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

/** Runs of one workspace and kind that a transaction deletes; then others have their turn. */
const AT_ONCE = 25;

const CLAIM = statement({
  name: "claim-expiry",
  text: `select pg_try_advisory_xact_lock(hashtextextended('muster.expire', 0)) as claimed`,
});

// A fork in progress may still read the steps of its run. Runs that others lock are left for the next pass.
const LOCK = statement({
  name: "lock-expired-runs",
  text: `
    with due as (
      select r.id from workspaces w
      cross join lateral (select now() - make_interval(days => least(w.retention_tasks_days, $1)) as before) kept
      cross join unnest(array['task', 'team_run']) k (kind)
      cross join lateral (
        select r.id from runs r
        where r.workspace_id = w.id and r.kind = k.kind and r.created_at < kept.before
          and r.completed_at < kept.before and r.parent_id is null
          and r.status not in ('pending', 'dispatched', 'running', 'waiting_for_input')
          and not exists (select from runs f where f.fork->>'run_id' = r.id::text and f.completed_at is null)
          and not exists (select from runs f where f.fork->>'task_id' = r.id::text and f.completed_at is null)
        limit ${AT_ONCE}) r
      where w.deleted_at is null and kept.before is not null
      limit ${AT_ONCE * 10}
    )
    select r.id from runs r join due on due.id = r.id
    where r.status not in ('pending', 'dispatched', 'running', 'waiting_for_input') for update of r skip locked`,
});

// One entry of the audit log for each workspace, instead of one for each run.
const BE_QUIET = statement({
  name: "expire-quietly",
  text: `select set_config('muster.expires', 'on', true) as expires`,
});
const DELETE = statement({
  name: "delete-expired-runs",
  text: `delete from runs where id = any($1::uuid[]) returning workspace_id as "workspaceId"`,
});
const RECORD = statement({
  name: "record-expired-runs",
  text: `
    select write_audit(w.id, 'run.expired', 'workspace', w.id, w.name, jsonb_build_object('runs', jsonb_build_array($2::integer, 0)))
    from workspaces w where w.id = $1`,
});

/** What to delete. */
export interface Expiry {
  /** Days that the instance keeps ended runs; undefined: until they are deleted. Workspaces may keep them for less. */
  readonly days: number | undefined;
  readonly isStopped: () => boolean;
}

/**
 * Deletes the ended runs that are older than their workspace keeps them, with all that belongs to them, a few of each
 * workspace in turn. Sums of usage stay. One process at a time deletes. Returns the number of deleted runs.
 */
export async function expireRuns(db: Database, { days, isStopped }: Expiry): Promise<number> {
  const expired = new Map<string, number>();
  let total = 0;
  try {
    for (let batch = await expireSome(db, days); batch.length > 0; batch = await expireSome(db, days)) {
      for (const { workspaceId } of batch) expired.set(workspaceId, (expired.get(workspaceId) ?? 0) + 1);
      total += batch.length;
      if (isStopped()) break;
    }
  } finally {
    for (const entry of expired) await db.query(RECORD, entry);
  }
  return total;
}

function expireSome(db: Database, days: number | undefined): Promise<readonly { readonly workspaceId: string }[]> {
  return db.transaction(async (tx) => {
    const [claim] = await tx.query<{ claimed: boolean | null }>(CLAIM);
    if (claim?.claimed !== true) return [];
    const found = await tx.query<{ id: string }>(LOCK, [days ?? null]);
    if (found.length === 0) return [];
    await tx.query(BE_QUIET);
    return tx.query<{ workspaceId: string }>(DELETE, [found.map(({ id }) => id)]);
  });
}
