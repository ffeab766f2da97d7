import type { RunSource } from "#domain/runs/run-source.ts";
import type { Transaction } from "../../database.ts";
import type { JobTransaction } from "../queue/jobs.ts";
import { openLog } from "../streams/log-heads.ts";
import { statement } from "../../statement.ts";
import { INHERITED, JOURNAL_ROW } from "../runs/task-forks.ts";

const INSERT = statement({
  name: "insert-team-run",
  text: `
    insert into runs (kind, id, workspace_id, team_id, parent_id, status, title, attempt, created_by, source_kind, source_id)
    values ('team_run', $1, $2, $3, $4, 'pending', $5, $6, $7, coalesce($8, 'api'), $9)`,
});

/** A run to insert. */
export interface NewTeamRun {
  readonly id: string;
  readonly workspaceId: string;
  readonly teamId: string;
  /** The task that it works on; both have the same attempt number. */
  readonly taskId: string | null;
  readonly attempt: number;
  readonly inputTask: string;
  readonly createdBy: string | null;
  /** Null for a run with a task: the task has it. */
  readonly source: RunSource | null;
}

/** Inserts a pending run. */
export async function insertTeamRun(tx: Transaction, run: NewTeamRun): Promise<void> {
  const { id, workspaceId, teamId, taskId, inputTask, attempt, createdBy, source } = run;
  const values = [id, workspaceId, teamId, taskId, inputTask, attempt, createdBy];
  await tx.query(INSERT, [...values, source?.kind ?? null, source?.id ?? null]);
}

const BEGIN_JOURNAL = statement({
  name: "begin-journal-of-fork",
  text: `
    insert into run_steps (run_id, attempt, key, workspace_id, result, created_at, facts, request)
    select r.id, r.attempt, s.key, r.workspace_id, s.result::json, ${INHERITED}
    from runs r
    cross join lateral jsonb_to_recordset(coalesce(r.fork->'journal', '[]')) as ${JOURNAL_ROW}
    left join lateral (
      select o.facts, o.request from run_steps o
      where o.run_id = (r.fork->>'run_id')::uuid and o.key = s.key
        and o.attempt = coalesce((r.fork->>'attempt')::integer, o.attempt)
      order by o.attempt desc limit 1
    ) o on true
    where r.id = $1 and r.status = 'pending' and r.fork is not null`,
});

/**
 * Opens the log of a pending run and creates its job; the run exists only if the transaction commits. The job contains
 * the team and its agents as they are now. Returns false when the run is not pending, or its team was deleted.
 */
export async function enqueueTeamRun(tx: JobTransaction, runId: string): Promise<boolean> {
  await openLog(tx, runId);
  await tx.query(BEGIN_JOURNAL, [runId]);
  return tx.enqueue("team_run", runId);
}
