import type { RunKind } from "#domain/runs/run-kind.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

// Runs of deleted agents and teams cannot be retried.
const LOCK_FAILED = statement({
  name: "lock-failed-runs",
  narrows: ["status"],
  text: `
    select r.id, r.attempt, r.status, r.title, r.description, r.agent_id as "agentId", r.team_id as "teamId"
    from runs r
    where r.workspace_id = $1 and r.kind = $2 and r.parent_id is null and r.status = 'failed' and r.error_code = $3
      and r.created_at >= coalesce($4::timestamptz, '-infinity') and (r.agent_id is not null or r.team_id is not null)
    order by r.created_at, r.id limit $5 for update of r skip locked`,
});

/** A failed run that can be retried. */
export interface FailedRun {
  readonly id: string;
  readonly attempt: number;
  readonly status: "failed";
  readonly title: string;
  readonly description: string;
  readonly agentId: string | null;
  readonly teamId: string | null;
}

/** A filter of failed runs. */
export interface FailedRuns {
  readonly workspaceId: string;
  readonly kind: RunKind;
  /** The code of their `RUN_ERROR`. */
  readonly code: string;
  /** Created at this time or later; ISO 8601. */
  readonly since: string | undefined;
  readonly limit: number;
}

/** Runs whose last attempt failed with a code, oldest first, locked; those locked by others are skipped. */
export function lockFailedRuns(tx: Transaction, which: FailedRuns): Promise<FailedRun[]> {
  const { workspaceId, kind, code, since, limit } = which;
  return tx.query<FailedRun>(LOCK_FAILED, [workspaceId, kind, code, since ?? null, limit]);
}
