import { statement } from "../../statement.ts";
import type { WorkspaceDatabase } from "../../database.ts";

const OUTCOME = statement({
  name: "read-log-outcome",
  text: `
    select s.first_seq, s.last_seq, r.attempt, r.started_at, r.completed_at as ended_at, r.result,
      coalesce(r.error, case r.kind when 'task' then 'The task was cancelled.' else 'The run was cancelled.' end) as error,
      r.error_code, r.finish_reason
    from task_streams s join runs r on r.id = s.log_id and r.attempt = s.attempt
    where s.log_id = $1 and s.closed and r.status in ('completed', 'failed', 'cancelled')`,
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
  /** Why the last reply of a completed run ended. */
  readonly finish_reason: string | null;
}

/** How the current attempt of a log ended, also after its events are deleted; undefined while it has not. */
export async function readLogOutcome(db: WorkspaceDatabase, logId: string): Promise<LogOutcome | undefined> {
  const [outcome] = await db.query<LogOutcome>(OUTCOME, [logId]);
  return outcome;
}
