import type { Pool } from "pg";
import { WORKFLOW } from "#domain/workflow.ts";

/**
 * The engine library's own claim of a queue's partition without shared limits, in one statement
 * instead of five (dbos-sdk 5.3, `findAndMarkStartableWorkflows`). Rows that another process is
 * claiming at this instant are passed over.
 */
const CLAIM = {
  name: "claim-runs",
  text: `
    with head as (
      select workflow_uuid from dbos.workflow_status
      where status = 'ENQUEUED' and queue_name = $1 and queue_partition_key = $2
        and application_version = $3 and application_name = $4
      order by priority, created_at limit $5::integer
      for update skip locked
    )
    update dbos.workflow_status w set status = 'PENDING', executor_id = $6, owner_xid = $7,
      recovery_attempts = w.recovery_attempts + 1, started_at_epoch_ms = extract(epoch from now()) * 1000,
      updated_at = extract(epoch from now()) * 1000
    from head where w.workflow_uuid = head.workflow_uuid
    returning w.workflow_uuid as id, w.priority, w.created_at::double precision as "createdAt"`,
};

/** Which runs to claim, and for whom. */
export interface Claim {
  readonly queue: string;
  /** The workspace whose runs they are. */
  readonly partition: string;
  readonly executorId: string;
  /** Names this claim: the executions that come of it own their runs under it. */
  readonly owner: string;
  /** How many there is room for. */
  readonly limit: number;
}

/** Claims the runs at the head of a queue's partition; returns their ids, the most urgent first. */
export async function claimRuns(pool: Pool, claim: Claim): Promise<string[]> {
  const { queue, partition, executorId, owner, limit } = claim;
  if (limit <= 0) return [];
  const { version, application } = WORKFLOW;
  const values = [queue, partition, version, application, limit, executorId, owner];
  const { rows } = await pool.query<{ id: string; priority: number; createdAt: number }>({ ...CLAIM, values });
  return rows.toSorted((a, b) => a.priority - b.priority || a.createdAt - b.createdAt).map(({ id }) => id);
}
