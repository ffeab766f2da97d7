import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

// The error code is in the last event of the task's log.
const LOCK_FAILED = statement({
  name: "lock-failed-tasks",
  narrows: ["status"],
  text: `
    select t.id, t.status, t.title, t.description, t.assigned_agent_id, t.assigned_team_id
    from tasks t
    join task_streams s on s.log_id = t.id and s.attempt = t.attempt
    cross join lateral (
      select l.event->>'code' as code from task_log l where l.log_id = t.id and l.seq = s.last_seq limit 1
    ) last
    where t.workspace_id = $1 and t.status = 'failed' and last.code = $2
      and t.created_at >= coalesce($3::timestamptz, '-infinity')
      and (t.assigned_agent_id is not null or t.assigned_team_id is not null)
    order by t.created_at, t.id limit $4 for update of t skip locked`,
});

/** A failed task that can be retried. */
export interface FailedTask {
  readonly id: string;
  readonly status: "failed";
  readonly title: string;
  readonly description: string;
  readonly assigned_agent_id: string | null;
  readonly assigned_team_id: string | null;
}

/** A filter of failed tasks. */
export interface FailedTasks {
  readonly workspaceId: string;
  /** The code of their `RUN_ERROR`. */
  readonly code: string;
  /** Created at this time or later; ISO 8601. */
  readonly since: string | undefined;
  readonly limit: number;
}

/** Tasks whose last attempt failed with a code, oldest first, locked; tasks locked by others are skipped. */
export function lockFailedTasks(
  tx: Transaction,
  { workspaceId, code, since, limit }: FailedTasks,
): Promise<FailedTask[]> {
  const values = [workspaceId, code, since ?? null, limit];
  return tx.query<FailedTask>(LOCK_FAILED, values);
}
