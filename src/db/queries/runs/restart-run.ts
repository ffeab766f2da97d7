import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const RESTART = statement({
  name: "restart-run",
  text: `
    update runs set status = case kind when 'task' then 'dispatched' else 'pending' end,
      attempt = attempt + case when status = 'pending' then 0 else 1 end, segment = 0, waited = '0', step_idx = null,
      team_run_id = $3, client_tools = $4, trace = nullif(coalesce($5, trace), ''), agent_version = null, result = null, error = null, error_code = null,
      finish_reason = null, cost_usd = 0, interaction = null, cancelled_by = null,
      started_by = case when not $6 then current_user_id() end, started_key = current_key_id(),
      dispatched_at = case kind when 'task' then clock_timestamp() end, started_at = null, completed_at = null,
      updated_at = clock_timestamp()
    where id = $1 and status = any($2)
    returning attempt`,
});

/** A run to dispatch: a pending task, or one that has ended, as a new attempt. */
export interface RunRestart {
  readonly id: string;
  readonly from: readonly TaskStatus[];
  /** For a team's task, the team run that works on it. */
  readonly teamRunId?: string | null;
  /** Whether the caller writes for somebody else, as a channel does: then nobody counts as who started the attempt. */
  readonly isForOthers?: boolean;
  /** Tools executed by the client of this attempt. */
  readonly clientTools?: ClientTools | undefined;
  /** The trace of the new attempt, null for none; absent: that of the run. */
  readonly trace?: string | null;
}

/** Dispatches a run; returns its attempt, or undefined when its status does not allow it. */
export async function restartRun(tx: Transaction, run: RunRestart): Promise<number | undefined> {
  const { id, from, teamRunId = null, isForOthers = false, clientTools } = run;
  const trace = run.trace === null ? "" : (run.trace ?? null);
  const [row] = await tx.query<{ attempt: number }>(RESTART, [
    id,
    from,
    teamRunId,
    clientToolsColumn(clientTools),
    trace,
    isForOthers,
  ]);
  return row?.attempt;
}

/** Client tools as the column stores them: null for none. */
export function clientToolsColumn(clientTools: ClientTools | undefined): string | null {
  return clientTools === undefined || clientTools.tools.length === 0 ? null : JSON.stringify(clientTools);
}
