import type { Transaction } from "../../database.ts";
import type { FailedTasks } from "../tasks/failed-tasks.ts";
import { statement } from "../../statement.ts";

// The error code is in the last event of the run's log. Runs of deleted teams cannot be retried.
const LOCK_FAILED = statement({
  name: "lock-failed-team-runs",
  text: `
    select r.id, r.attempt
    from team_runs r
    join task_streams s on s.log_id = r.id and s.attempt = r.attempt
    cross join lateral (
      select l.event->>'code' as code from task_log l where l.log_id = r.id and l.seq = s.last_seq limit 1
    ) last
    where r.workspace_id = $1 and r.status = 'failed' and r.task_id is null and last.code = $2
      and r.created_at >= coalesce($3::timestamptz, '-infinity')
      and exists (select from teams t where t.id = r.team_id)
    order by r.created_at, r.id limit $4 for update of r skip locked`,
});

/** A failed team run without a task. */
export interface FailedRun {
  readonly id: string;
  readonly attempt: number;
}

/** Team runs whose last attempt failed with a code, oldest first, locked; runs locked by others are skipped. */
export function lockFailedRuns(
  tx: Transaction,
  { workspaceId, code, since, limit }: FailedTasks,
): Promise<FailedRun[]> {
  const values = [workspaceId, code, since ?? null, limit];
  return tx.query<FailedRun>(LOCK_FAILED, values);
}
