import type { RunSource } from "#domain/runs/run-source.ts";
import type { Transaction } from "../../database.ts";
import type { JobTransaction } from "../queue/jobs.ts";
import { openLog } from "../streams/log-heads.ts";
import { statement } from "../../statement.ts";
import { beginJournal } from "../runs/forks.ts";

const INSERT = statement({
  name: "insert-team-run",
  text: `
    insert into runs (kind, id, workspace_id, team_id, parent_id, status, title, attempt, created_by, source_kind, source_id, trace)
    values ('team_run', $1, $2, $3, $4, 'pending', $5, $6, $7, coalesce($8, 'api'), $9, $10)`,
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
  /** As {@link JobTransaction.trace} decides; null for a run with a task: the task has it. */
  readonly trace: string | null;
}

/** Inserts a pending run. */
export async function insertTeamRun(tx: Transaction, run: NewTeamRun): Promise<void> {
  const { id, workspaceId, teamId, taskId, inputTask, attempt, createdBy, source, trace } = run;
  const values = [id, workspaceId, teamId, taskId, inputTask, attempt, createdBy];
  await tx.query(INSERT, [...values, source?.kind ?? null, source?.id ?? null, trace]);
}

/**
 * Opens the log of a pending run and creates its job; the run exists only if the transaction commits. The job contains
 * the team and its agents as they are now. Returns false when the run is not pending, or its team was deleted.
 */
export async function enqueueTeamRun(tx: JobTransaction, runId: string): Promise<boolean> {
  await openLog(tx, runId);
  await beginJournal(tx, runId);
  return tx.enqueue("team_run", runId);
}
