import type { RunSource } from "#domain/runs/run-source.ts";
import type { RunStatus } from "#domain/teams/team-run.ts";
import type { Transaction } from "../../database.ts";
import { cancel } from "../queue/jobs.ts";
import type { JobTransaction } from "../queue/jobs.ts";
import { statement } from "../../statement.ts";
import { INHERITED, JOURNAL_ROW } from "../tasks/task-forks.ts";

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

const BEGIN_STREAM = statement({
  name: "begin-team-run-stream",
  text: `insert into task_streams (log_id, workspace_id, attempt) select id, workspace_id, attempt from team_runs where id = $1`,
});

/**
 * Opens the log of a run that was just inserted under a given id.
 * @throws an error with the code 23505 when a task has the id, because logs of both share one table
 */
export async function beginTeamRunStream(tx: Transaction, runId: string): Promise<void> {
  await tx.query(BEGIN_STREAM, [runId]);
}

const OPEN_STREAM = statement({
  name: "open-team-run-stream",
  text: `
    insert into task_streams as s (log_id, workspace_id, attempt)
    select id, workspace_id, attempt from team_runs where id = $1
    on conflict (log_id) do update set attempt = excluded.attempt, first_seq = s.last_seq + 1, closed = false`,
});

const BEGIN_JOURNAL = statement({
  name: "begin-journal-of-fork",
  text: `
    insert into run_steps (run_id, attempt, key, workspace_id, result, created_at, facts, request)
    select r.id, r.attempt, s.key, r.workspace_id, s.result::json, ${INHERITED}
    from team_runs r
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
  await tx.query(OPEN_STREAM, [runId]);
  await tx.query(BEGIN_JOURNAL, [runId]);
  return tx.enqueue("team_run", runId);
}

const LOCK_TASK = statement({
  name: "lock-task-of-run",
  text: `select t.id from team_runs r join tasks t on t.id = r.task_id where r.id = $1 for update of t`,
});
// Not against references: an execution locks its job before it adds a message, and a cancellation the job after the run.
const LOCK = statement({
  name: "lock-team-runs",
  text: `
    select id, status, attempt, team_id as "teamId", task_id as "taskId" from team_runs
    where id = any($1::uuid[]) order by id for no key update`,
});

/** The fields that decide which changes a run allows. */
export interface LockedRun {
  readonly status: RunStatus;
  readonly attempt: number;
  readonly teamId: string | null;
  readonly taskId: string | null;
}

/** Reads a run and locks it and its task until the transaction ends: the task first, as everywhere. */
export async function lockTeamRun(tx: Transaction, runId: string): Promise<LockedRun | undefined> {
  await tx.query(LOCK_TASK, [runId]);
  return (await lockTeamRuns(tx, [runId])).get(runId);
}

/** Reads runs without a task, by their ids, and locks them in the same way. */
export async function lockTeamRuns(
  tx: Transaction,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, LockedRun>> {
  const runs = await tx.query<LockedRun & { id: string }>(LOCK, [runIds]);
  return new Map(runs.map(({ id, ...run }) => [id, run]));
}

const DELETE = statement({ name: "delete-team-run", text: `delete from team_runs where id = $1 and task_id is null` });

/** Deletes a run without a task. */
export async function deleteTeamRun(tx: Transaction, runId: string): Promise<void> {
  await tx.query(DELETE, [runId]);
}

const CANCEL = statement({
  name: "cancel-team-run",
  text: `
    update team_runs set status = 'cancelled', interaction = null, cancelled_by = current_user_id(),
      completed_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = $1 and status = any($2)
    returning attempt`,
});

/**
 * Cancels a run that has not ended, and notifies the process that runs it. Without its job, nothing is appended to its
 * log any more, so open messages can be closed. Returns the cancelled attempt.
 */
export async function cancelTeamRun(
  tx: Transaction,
  runId: string,
  from: readonly RunStatus[],
): Promise<number | undefined> {
  const [row] = await tx.query<{ attempt: number }>(CANCEL, [runId, from]);
  if (row !== undefined) await cancel(tx, runId, row.attempt);
  return row?.attempt;
}

const RESTART = statement({
  name: "restart-team-run",
  text: `
    update team_runs set status = 'pending', attempt = attempt + 1, output = null, error = null, error_code = null, finish_reason = null,
      cost_usd = 0, interaction = null,
      current_step_idx = null, segment = 0, waited = '0', started_at = null, completed_at = null,
      updated_at = clock_timestamp()
    where id = $1 and status = any($2)`,
});

/** Resets an ended run to pending. */
export async function restartTeamRun(tx: Transaction, runId: string, from: readonly RunStatus[]): Promise<void> {
  await tx.query(RESTART, [runId, from]);
}

const OF_TASK = statement({
  name: "team-runs-of-task",
  text: `
    select r.id, r.attempt from tasks t
    join team_runs r on r.workspace_id = t.workspace_id and r.task_id = t.id where t.id = $1`,
});

/** The team runs of a task, one per attempt. */
export function runsOfTask(tx: Transaction, taskId: string): Promise<{ id: string; attempt: number }[]> {
  return tx.query<{ id: string; attempt: number }>(OF_TASK, [taskId]);
}
