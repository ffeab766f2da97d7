import type { JobKindName } from "#domain/tasks/job.ts";

/** An execution: the process that claimed a job, and the fencing token of the claim. Every write carries both. */
export interface JobOwner {
  readonly jobId: string;
  readonly executorId: string;
  readonly fence: number;
}

/** An execution of an attempt. */
export interface JobKey extends JobOwner {
  /** The id of the task, team run or document. */
  readonly subjectId: string;
  readonly attempt: number;
}

/** A claimed job. */
export interface ClaimedJob<Input = unknown> extends JobKey {
  readonly kind: JobKindName;
  readonly workspaceId: string;
  /** See {@link Partition}. */
  readonly lane: string;
  /** How often a process died while the job ran, since its last finished step. */
  readonly crashCount: number;
  /** Whether it runs in quarantine, and with how many others; see the column. */
  readonly suspicion: number;
  readonly input: Input;
}

/** A job that was claimed by the transaction that created or resumed it. */
export interface PlacedJob extends ClaimedJob<never> {
  /** The first event of the run's log, as JSON, if the transaction has started the run as well. */
  readonly opening?: string;
}

/**
 * SQL: the job `j` of the execution in `i` (job_id, executor_id, fence); no row when the execution no longer owns it.
 * With `for share` or `for update` after it, the job cannot be taken over until the statement's transaction ends. `is not
 * distinct from` keeps PostgreSQL from looking among all jobs of the process.
 */
export const OWNED_JOB = `
  select j.workspace_id, j.subject_id, j.attempt, j.kind from jobs j
  where j.id = i.job_id and j.executor_id is not distinct from i.executor_id and j.fence = i.fence limit 1`;

/** SQL: the columns of a {@link ClaimedJob} for a job `j`. */
export const CLAIMED = `
  j.id as "jobId", j.kind, j.workspace_id as "workspaceId", j.lane, j.subject_id as "subjectId", j.attempt,
  j.executor_id as "executorId", j.fence, j.crash_count as "crashCount", j.suspicion, j.input`;

/** SQL: the columns that {@link recordExecutions} needs for a job `j` whose execution ends. */
export const LEFT_JOB = `j.subject_id, j.attempt, j.fence, j.workspace_id, j.kind, j.claimed_by, j.claimed_at`;

/**
 * SQL: records how the executions of the jobs in `from` (see {@link LEFT_JOB}) ended. Only executions of runs are
 * recorded, because only these are shown.
 * @param endedAt when they ended
 */
export function recordExecutions(from: string, outcome: string, endedAt = "clock_timestamp()"): string {
  return `
    insert into run_executions (run_id, attempt, fence, workspace_id, process, began_at, ended_at, outcome)
    select e.subject_id, e.attempt, e.fence, e.workspace_id, e.claimed_by, coalesce(e.claimed_at, clock_timestamp()),
      ${endedAt}, ${outcome}
    from ${from} e where e.kind in ('task', 'team_run')
    on conflict do nothing`;
}

/** The columns job_id, executor_id and fence of executions, as parameters. */
export function ownerColumns(jobs: readonly JobOwner[]) {
  return [
    jobs.map(({ jobId }) => jobId),
    jobs.map(({ executorId }) => executorId),
    jobs.map(({ fence }) => fence),
  ] as const;
}
