import type { JobKindName } from "#domain/tasks/job.ts";
import { newId } from "#lib/ids.ts";
import type { Database, Queries, Transaction } from "../../database.ts";
import { CLAIMED, LEFT_JOB, OWNED_JOB, ownerColumns, recordExecutions } from "./job-owner.ts";
import type { ClaimedJob, JobOwner } from "./job-owner.ts";
import { statement } from "../../statement.ts";

// The life cycle of jobs, with each transition written once for all kinds. Each kind adds the SQL function
// `job_of_<kind>`, which builds the job's input. Ends and suspensions are part of the statements that change the
// subject's row.

/** A job that was queued, or claimed immediately by a process. */
type JobRow = Omit<ClaimedJob<never>, "executorId"> & { readonly executorId: string | null };

function claimedOf({ executorId, ...job }: JobRow): ClaimedJob<never> | "queued" {
  return executorId === null ? "queued" : { ...job, executorId };
}

/** The kinds that are enqueued explicitly; a database trigger creates the job of a delivery with its row. */
export type EnqueuedKind = Exclude<JobKindName, "delivery">;

/** A job to create. */
export interface NewJob {
  /** Its id, if the claiming process must know it in advance. */
  readonly id?: string;
  readonly kind: EnqueuedKind;
  readonly subjectId: string;
  /** Its part of the queue, as {@link laneOf} returns it. */
  readonly lane: string;
  /** The process that claims it immediately; null to queue it. */
  readonly executorId: string | null;
}

/** A job to be created, for which this process may have a slot. */
export interface ReservedJob {
  /** Whether this process claims the job, unless the workspace is paused. */
  readonly hasSlot: boolean;
  /**
   * As {@link JobTransaction.enqueue}.
   * @param opening the first event of the subject's log, if the subject is created as running where there is a slot
   */
  enqueue(subjectId: string, opening?: string): Promise<boolean>;
}

/** A transaction that creates or resumes jobs. They start, or are announced, after the commit. */
export interface JobTransaction extends Transaction {
  /**
   * Creates the job of a subject's current attempt; false when the subject's state does not allow it.
   * @param delegationDepth how many delegations from agent to agent led to it
   */
  enqueue(kind: EnqueuedKind, subjectId: string, delegationDepth?: number): Promise<boolean>;
  /** Reserves a slot of this process for a job that the transaction creates later; `delegationDepth` as above. */
  reserve(kind: EnqueuedKind, delegationDepth?: number): ReservedJob;
  /** Decides whether a new run is traced, as part of the trace of the request; see `TraceNewRun`. */
  trace(runId: string): string | null;
  /** Resumes the suspended job of an attempt. */
  resume(subjectId: string, attempt: number): Promise<void>;
}

const ENQUEUE = {
  task: statement({ name: "enqueue-task", narrows: ["kind"], text: enqueueOf("task") }),
  team_run: statement({ name: "enqueue-team_run", narrows: ["kind"], text: enqueueOf("team_run") }),
  ingest: statement({ name: "enqueue-ingest", narrows: ["kind"], text: enqueueOf("ingest") }),
} satisfies Readonly<Record<EnqueuedKind, unknown>>;

function enqueueOf(kind: EnqueuedKind): string {
  return `
    insert into jobs as j (id, workspace_id, kind, subject_id, attempt, priority, receiver, state, run_at, executor_id,
      fence, claimed_by, claimed_at, input)
    select $2, s.workspace_id, '${kind}', $1, s.attempt, s.priority, nullif($4, s.workspace_id::text),
      case when o.owner is null then 'queued' else 'running' end, case when not o.may_start then 'infinity'::timestamptz end,
      o.owner, case when o.owner is null then 0 else 1 end,
      process_name(o.owner), case when o.owner is not null then clock_timestamp() end, s.input
    from job_of_${kind}($1) s
    cross join lateral (select ${isRun(kind) ? "may_start" : "may_work"}(s.workspace_id) as may_start offset 0) m
    cross join lateral (select m.may_start, case when m.may_start then $3::uuid end as owner) o
    returning ${CLAIMED.replace("j.input", "case when j.executor_id is not null then j.input end as input")}`;
}

/**
 * Creates the job of a subject's current attempt; it exists only if the transaction commits. The job's input is read at
 * this moment. Returns the job if it was claimed, `queued` if not, and undefined when the subject's state does not
 * allow it. A run's job is held while its workspace is paused, and every job while the operator holds the workspace.
 */
export async function enqueue(tx: Transaction, job: NewJob): Promise<ClaimedJob<never> | "queued" | undefined> {
  const { id = newId(), kind, subjectId, lane, executorId } = job;
  const values = [subjectId, id, executorId, lane];
  const [row] = await tx.query<JobRow>(ENQUEUE[kind], values);
  return row === undefined ? undefined : claimedOf(row);
}

/** Whether jobs of a kind are runs, which do not start in a paused workspace. */
function isRun(kind: EnqueuedKind): boolean {
  return kind === "task" || kind === "team_run";
}

const RELEASE = statement({
  name: "release-jobs",
  text: `
    with released as (
      update jobs j set state = 'queued', executor_id = null, crash_count = j.crash_count + $4::integer,
        suspicion = case when $4 = 0 or j.kind = 'delivery' then j.suspicion else greatest(3, j.suspicion + 1) end,
        run_at = case when $5::double precision > 0 then clock_timestamp() + $5 * interval '1 ms' end
      from unnest($1::uuid[], $2::uuid[], $3::integer[]) as i (job_id, executor_id, fence)
      where j.id = i.job_id and j.executor_id is not distinct from i.executor_id and j.fence = i.fence
      returning j.lane, ${LEFT_JOB}
    ),
    left_off as (${recordExecutions("released", "case when $4 = 0 then 'handed_over' else 'lost' end")})
    select pg_notify('muster_wake', lane || ' ' || kind || ' ' || current_setting('application_name'))
    from released group by lane, kind`,
});

/** Why a job is requeued. */
export interface Release {
  /** Whether its execution failed in a way that counts like a crash. */
  readonly isCrash?: boolean;
  /** The delay before it can be claimed, in milliseconds. */
  readonly delayMs?: number;
}

/** Requeues jobs whose executions stop here without an end; other processes are notified. */
export async function release(db: Database | Transaction, jobs: readonly JobOwner[], why: Release = {}): Promise<void> {
  await db.query(RELEASE, [...ownerColumns(jobs), why.isCrash === true ? 1 : 0, why.delayMs ?? 0]);
}

const CLEAR_SUSPICION = statement({
  name: "clear-suspicion",
  text: `
    update jobs set crash_count = 0, suspicion = 0 where id = $1 and executor_id is not distinct from $2 and fence = $3`,
});

/** Records that a job has finished a step after a death. */
export async function clearSuspicion(db: Database, { jobId, executorId, fence }: JobOwner): Promise<void> {
  await db.query(CLEAR_SUSPICION, [jobId, executorId, fence]);
}

const FIND_SUSPENDED = statement({
  name: "find-suspended-job",
  narrows: ["kind"],
  text: `select id, kind, lane from jobs where subject_id = $1 and attempt = $2 and state = 'suspended' for update`,
});

/** A suspended job, locked; undefined when the attempt has none. */
export async function findSuspended(
  tx: Transaction,
  subjectId: string,
  attempt: number,
): Promise<{ readonly id: string; readonly kind: JobKindName; readonly lane: string } | undefined> {
  const [job] = await tx.query<{ id: string; kind: JobKindName; lane: string }>(FIND_SUSPENDED, [subjectId, attempt]);
  return job;
}

const RESUME = statement({
  name: "resume-job",
  narrows: ["kind"],
  text: `
    with suspended as materialized (
      select s.id, may_work(s.workspace_id) as may_work from jobs s where s.id = $1 and s.state = 'suspended' for update
    ),
    owned as (select s.id, s.may_work, case when s.may_work then $2::uuid end as owner from suspended s)
    update jobs j set priority = 0, executor_id = o.owner, fence = j.fence + case when o.owner is null then 0 else 1 end,
      state = case when o.owner is null then 'queued' else 'running' end,
      run_at = case when not o.may_work then 'infinity'::timestamptz end,
      claimed_by = process_name(o.owner), claimed_at = case when o.owner is not null then clock_timestamp() end
    from owned o where j.id = o.id returning ${CLAIMED}`,
});

/**
 * Resumes a suspended job: claimed immediately by a process, or queued before new jobs, because it has already
 * started and a person waits for it. It is held while the operator holds the workspace.
 * @param executorId the process that claims it; null to queue it
 */
export async function resume(
  tx: Transaction,
  jobId: string,
  executorId: string | null,
): Promise<ClaimedJob<never> | "queued" | undefined> {
  const [row] = await tx.query<JobRow>(RESUME, [jobId, executorId]);
  return row === undefined ? undefined : claimedOf(row);
}

const OWNS = statement({
  name: "owns-jobs",
  text: `
    select i.n::integer as n from unnest($1::uuid[], $2::uuid[], $3::integer[])
      with ordinality as i (job_id, executor_id, fence, n)
    left join lateral (${OWNED_JOB}) owned on true
    where owned.subject_id is not null`,
});

/** Those among these executions that still own their jobs. */
export async function ownedAmong<Job extends JobOwner>(db: Queries, jobs: readonly Job[]): Promise<readonly Job[]> {
  const rows = await db.query<{ n: number }>(OWNS, [...ownerColumns(jobs)]);
  const owned = new Set(rows.map(({ n }) => jobs[n - 1]));
  return jobs.filter((job) => owned.has(job));
}

const DISCARD = statement({
  name: "discard-job",
  text: `delete from jobs where id = $1 and executor_id is not distinct from $2 and fence = $3`,
});

/** Ends the job of an execution whose subject must no longer run. */
export async function discard(db: Database, { jobId, executorId, fence }: JobOwner): Promise<void> {
  await db.query(DISCARD, [jobId, executorId, fence]);
}
