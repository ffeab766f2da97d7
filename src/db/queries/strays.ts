import type { Database } from "../database.ts";

const PUT_BACK = {
  name: "put-back-strays",
  text: `
    update dbos.workflow_status set status = 'ENQUEUED', owner_xid = null, started_at_epoch_ms = null,
      updated_at = extract(epoch from now()) * 1000
    where status = 'PENDING' and executor_id = $1 and workflow_uuid <> all($2::text[])
      and started_at_epoch_ms < extract(epoch from now()) * 1000 - $3::double precision
    returning workflow_uuid as id`,
};

/** Which runs a process should have, and which it has. */
export interface Holding {
  readonly executorId: string;
  /** The runs that it knows of. */
  readonly known: readonly string[];
  /** How long ago a run was claimed, at least, in milliseconds: younger ones may be on their way. */
  readonly olderThanMs: number;
}

/** Puts the runs back into the queue that a process has claimed and does not know of; returns their ids. */
export async function putBackStrays(db: Database, { executorId, known, olderThanMs }: Holding): Promise<string[]> {
  const rows = await db.query<{ id: string }>(PUT_BACK, [executorId, known, olderThanMs]);
  return rows.map(({ id }) => id);
}
