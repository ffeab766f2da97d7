import type { Tenant } from "#domain/access/role.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const OUTCOME = statement({
  name: "read-log-outcome",
  text: `
    select s.first_seq, s.last_seq, r.attempt, r.started_at, r.ended_at, r.result, r.error, r.error_code
    from task_streams s join (
      select t.attempt, t.started_at, t.completed_at as ended_at, t.result,
        coalesce(t.error, 'The task was cancelled.') as error, t.error_code
      from tasks t where t.id = $1 and t.status in ('completed', 'failed', 'cancelled')
      union all
      select t.attempt, t.started_at, t.completed_at, t.output,
        coalesce(t.error, 'The run was cancelled.'), t.error_code
      from team_runs t where t.id = $1 and t.status in ('completed', 'failed', 'cancelled')
    ) r on r.attempt = s.attempt
    where s.log_id = $1 and s.closed`,
});

/** The numbers of an ended attempt's first and last event, and how it ended. */
export interface LogOutcome {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly attempt: number;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly result: string | null;
  /** Why there is no result. */
  readonly error: string | null;
  readonly error_code: string | null;
}

/** How the current attempt of a log ended, also after its events are deleted; undefined while it has not. */
export async function readLogOutcome(db: Database, tenant: Tenant, logId: string): Promise<LogOutcome | undefined> {
  const [outcome] = await db.queryInWorkspace<LogOutcome>(tenant, OUTCOME, [logId]);
  return outcome;
}
