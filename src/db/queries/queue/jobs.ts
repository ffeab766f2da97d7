import { JOB_KIND_NAMES } from "#domain/tasks/job.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import { newId } from "#lib/ids.ts";
import type { Database, Transaction } from "../../database.ts";

// The life cycle of jobs, each change written once for all kinds: what a kind adds is the SQL function `job_of_<kind>`,
// which says what its job is given. Ends and suspensions are part of the statements that change the subject's row.

/** An execution: the process that claimed a job, and the fencing token of that claim. Every write carries it. */
export interface JobOwner {
  readonly jobId: string;
  readonly executorId: string;
  readonly fence: number;
}

/** An execution of an attempt. */
export interface JobKey extends JobOwner {
  /** The task's, the team run's or the document's id. */
  readonly subjectId: string;
  readonly attempt: number;
}

/** A job that a process has claimed. */
export interface ClaimedJob<Input = unknown> extends JobKey {
  readonly kind: JobKindName;
  readonly workspaceId: string;
  /** See {@link Partition}. */
  readonly lane: string;
  /** How often a process died while the job ran, since it last passed a step. */
  readonly crashCount: number;
  /** How much speaks for the job being the cause; see the column. */
  readonly suspicion: number;
  readonly input: Input;
}

/**
 * SQL: the job `j` of the execution in `i` (job_id, executor_id, fence), locked so that no other process can take it
 * over before the statement's transaction ends; no row when the execution does not own it any more.
 */
export const OWNED_JOB = `
  select j.workspace_id, j.subject_id, j.attempt, j.kind from jobs j
  where j.id = i.job_id and j.executor_id = i.executor_id and j.fence = i.fence limit 1`;

const CLAIMED = `
  j.id as "jobId", j.kind, j.workspace_id as "workspaceId", j.lane, j.subject_id as "subjectId", j.attempt,
  j.executor_id as "executorId", j.fence, j.crash_count as "crashCount", j.suspicion, j.input`;

/** SQL: of a job `j` that an execution leaves, what {@link recordExecutions} takes. */
export const LEFT_JOB = `j.subject_id, j.attempt, j.fence, j.workspace_id, j.kind, j.claimed_by, j.claimed_at`;

/**
 * SQL: records how the executions of the jobs in `from` (see {@link LEFT_JOB}) ended. Only those of runs are shown to
 * anybody.
 */
export function recordExecutions(from: string, outcome: string): string {
  return `
    insert into run_executions (run_id, attempt, fence, workspace_id, process, began_at, outcome)
    select e.subject_id, e.attempt, e.fence, e.workspace_id, e.claimed_by, coalesce(e.claimed_at, clock_timestamp()),
      ${outcome}
    from ${from} e where e.kind in ('task', 'team_run')
    on conflict do nothing`;
}

/** A job to create. */
export interface NewJob {
  /** Its id, when the process that claims it has to know it before. */
  readonly id?: string;
  readonly kind: JobKindName;
  readonly subjectId: string;
  /** The process that claims it at once; null to queue it. */
  readonly executorId: string | null;
}

/** A transaction in which jobs are created and resumed. They begin, or are announced, when it is committed. */
export interface JobTransaction extends Transaction {
  /** Creates the job of a subject's current attempt; false when the subject is not in a state to be run. */
  enqueue(kind: JobKindName, subjectId: string): Promise<boolean>;
  /** Lets the suspended job of an attempt continue. */
  resume(subjectId: string, attempt: number): Promise<void>;
}

/**
 * Creates the job of a subject's current attempt: it exists when and only when the transaction commits. What the job is
 * given is read in this moment. Returns the job if it was claimed, `queued` if not, and undefined when the subject is
 * not in a state to be run. The job of a run is held while its workspace is paused.
 */
export async function enqueue(tx: Transaction, job: NewJob): Promise<ClaimedJob<never> | "queued" | undefined> {
  const { id = newId(), kind, subjectId, executorId } = job;
  const statement = {
    name: `enqueue-${kind}`,
    text: `
      insert into jobs as j (id, workspace_id, kind, subject_id, attempt, priority, state, run_at, executor_id, fence,
        claimed_by, claimed_at, input)
      select $2, s.workspace_id, '${kind}', $1, s.attempt, s.priority,
        case when o.owner is null then 'queued' else 'running' end, case when not o.may_start then 'infinity'::timestamptz end,
        o.owner, case when o.owner is null then 0 else 1 end,
        process_name(o.owner), case when o.owner is not null then clock_timestamp() end, s.input
      from job_of_${kind}($1) s
      cross join lateral (select ${isRun(kind) ? "may_start(s.workspace_id)" : "true"} as may_start offset 0) m
      cross join lateral (select m.may_start, case when m.may_start then $3::uuid end as owner) o
      returning ${CLAIMED.replace("j.input", "case when j.executor_id is not null then j.input end as input")}`,
  };
  const values = [subjectId, id, executorId];
  const [row] = await tx.query<ClaimedJob<never> & { executorId: string | null }>(statement, values);
  if (row === undefined) return undefined;
  return row.executorId === null ? "queued" : row;
}

/** Whether jobs of a kind are runs, which a paused workspace does not start. */
function isRun(kind: JobKindName): boolean {
  return kind === "task" || kind === "team_run";
}

const CLAIM = {
  name: "claim-jobs",
  text: `
    with head as (
      select j.id, i.n::integer as n
      from unnest($1::text[], $2::text[], $3::integer[]) with ordinality as i (kind, lane, free, n)
      cross join lateral (
        select id from jobs
        where state = 'queued' and run_at is null and suspicion = 0 and kind = i.kind and lane = i.lane
        order by priority, id limit i.free for update skip locked) j
    )
    update jobs j set state = 'running', executor_id = $4, fence = j.fence + 1,
      claimed_by = process_name($4), claimed_at = clock_timestamp()
    from head where j.id = head.id returning head.n, j.priority, ${CLAIMED}`,
};

/** A part of a queue, and how many jobs of it to claim. */
export interface Claim extends Partition {
  readonly limit: number;
}

/**
 * Claims the first jobs that wait in parts of queues, the most urgent first; other processes skip them. In the order of
 * the parts.
 */
export async function claim(
  db: Database,
  executorId: string,
  parts: readonly Claim[],
): Promise<readonly (readonly ClaimedJob<never>[])[]> {
  const rows = await db.query<ClaimedJob<never> & { n: number; priority: number }>(CLAIM, [
    parts.map(({ kind }) => kind),
    parts.map(({ lane }) => lane),
    parts.map(({ limit }) => limit),
    executorId,
  ]);
  rows.sort((a, b) => a.priority - b.priority || (a.jobId < b.jobId ? -1 : 1));
  const claimed = parts.map((): ClaimedJob<never>[] => []);
  for (const { n, ...job } of rows) claimed[n - 1]?.push(job);
  return claimed;
}

const CLAIM_SUSPECTS = {
  name: "claim-suspect-jobs",
  text: `
    with head as (
      select id from jobs
      where state = 'queued' and run_at is null and suspicion > 0 and kind = $1 and suspicion between $4 and $5
      order by suspicion desc, id desc limit $2::integer for update skip locked
    )
    update jobs j set state = 'running', executor_id = $3, fence = j.fence + 1,
      claimed_by = process_name($3), claimed_at = clock_timestamp(),
      trial = case when j.suspicion > 1 then 'alone' else 'together' end
    from head where j.id = head.id returning ${CLAIMED}`,
};

/** How suspicious jobs are. */
export interface SuspicionRange {
  readonly min: number;
  readonly max: number;
}

/** Claims jobs during which a process has died, the most suspicious first, then the newest. */
export function claimSuspects(
  db: Database,
  of: Omit<Claim, "lane"> & { readonly executorId: string; readonly suspicion: SuspicionRange },
): Promise<ClaimedJob<never>[]> {
  return db.query<ClaimedJob<never>>(CLAIM_SUSPECTS, [
    of.kind,
    of.limit,
    of.executorId,
    of.suspicion.min,
    of.suspicion.max,
  ]);
}

const RELEASE = {
  name: "release-jobs",
  text: `
    with released as (
      update jobs j set state = 'queued', executor_id = null, trial = null, crash_count = j.crash_count + $4::integer,
        suspicion = case when $4 = 0 then j.suspicion else greatest(2, j.suspicion + 1) end,
        run_at = case when $5::double precision > 0 then clock_timestamp() + $5 * interval '1 ms' end
      from unnest($1::uuid[], $2::uuid[], $3::integer[]) as i (job_id, executor_id, fence)
      where j.id = i.job_id and j.executor_id = i.executor_id and j.fence = i.fence
      returning j.lane, ${LEFT_JOB}
    ),
    left_off as (${recordExecutions("released", "case when $4 = 0 then 'handed_over' else 'lost' end")})
    select pg_notify('muster_wake', lane || ' ' || kind || ' ' || current_setting('application_name'))
    from released group by lane, kind`,
};

/** Why a job goes back to the queue. */
export interface Release {
  /** Whether its execution has failed in a way that counts like the death of a process. */
  readonly isCrash?: boolean;
  /** How long the job is not claimed, in milliseconds. */
  readonly delayMs?: number;
}

/** Puts jobs back into the queue whose executions end here without an end of their own; other processes are notified. */
export async function release(db: Database, jobs: readonly JobOwner[], why: Release = {}): Promise<void> {
  await db.query(RELEASE, [...ownerColumns(jobs), why.isCrash === true ? 1 : 0, why.delayMs ?? 0]);
}

const CLEAR_SUSPICION = {
  name: "clear-suspicion",
  text: `
    update jobs set crash_count = 0, suspicion = 0, trial = null where id = $1 and executor_id = $2 and fence = $3`,
};

/** Notes that a suspect has passed a step. */
export async function clearSuspicion(db: Database, { jobId, executorId, fence }: JobOwner): Promise<void> {
  await db.query(CLEAR_SUSPICION, [jobId, executorId, fence]);
}

const FIND_SUSPENDED = {
  name: "find-suspended-job",
  text: `select id, kind from jobs where subject_id = $1 and attempt = $2 and state = 'suspended' for update`,
};

/** A job that waits for a person's answer, locked; undefined when the attempt has none. */
export async function findSuspended(
  tx: Transaction,
  subjectId: string,
  attempt: number,
): Promise<{ readonly id: string; readonly kind: JobKindName } | undefined> {
  const [job] = await tx.query<{ id: string; kind: JobKindName }>(FIND_SUSPENDED, [subjectId, attempt]);
  return job;
}

const END_TRIAL = {
  name: "end-trial",
  text: `update jobs set trial = null where id = $1 and executor_id = $2 and fence = $3`,
};

/** Notes that a suspect has run for long enough: deaths from now on do not count against it alone. */
export async function endTrial(db: Database, { jobId, executorId, fence }: JobOwner): Promise<void> {
  await db.query(END_TRIAL, [jobId, executorId, fence]);
}

const RESUME = {
  name: "resume-job",
  text: `
    update jobs j set priority = 0, executor_id = $2, fence = j.fence + case when $2::uuid is null then 0 else 1 end,
      state = case when $2 is null then 'queued' else 'running' end,
      claimed_by = process_name($2), claimed_at = case when $2 is not null then clock_timestamp() end
    where j.id = $1 and j.state = 'suspended' returning ${CLAIMED}`,
};

/**
 * Lets a suspended job continue: in the process that claims it at once, or from the queue, before new ones, as it has
 * begun already and a person waits for it.
 * @param executorId the process that claims it; null to queue it
 */
export async function resume(
  tx: Transaction,
  jobId: string,
  executorId: string | null,
): Promise<ClaimedJob<never> | "queued" | undefined> {
  const [row] = await tx.query<ClaimedJob<never> & { executorId: string | null }>(RESUME, [jobId, executorId]);
  if (row === undefined) return undefined;
  return row.executorId === null ? "queued" : row;
}

const CANCEL = {
  name: "cancel-job",
  text: `
    with gone as (
      delete from jobs j where j.subject_id = $1 and j.attempt = $2 returning j.id, j.executor_id, ${LEFT_JOB}
    ),
    ended as (${recordExecutions("(select * from gone where executor_id is not null)", "'finished'")})
    select pg_notify('muster_cancel', id::text) from gone where executor_id is not null`,
};

/** Ends a job whose subject ends otherwise than by its execution; the process that runs it is notified. */
export async function cancel(tx: Transaction, subjectId: string, attempt: number): Promise<void> {
  await tx.query(CANCEL, [subjectId, attempt]);
}

const OWNS = {
  name: "owns-jobs",
  text: `
    select i.n::integer as n from unnest($1::uuid[], $2::uuid[], $3::integer[])
      with ordinality as i (job_id, executor_id, fence, n)
    left join lateral (${OWNED_JOB}) owned on true
    where owned.subject_id is not null`,
};

/** Those of these executions that still own their jobs. */
export async function ownedAmong<Job extends JobOwner>(db: Database, jobs: readonly Job[]): Promise<readonly Job[]> {
  const rows = await db.query<{ n: number }>(OWNS, [...ownerColumns(jobs)]);
  const owned = new Set(rows.map(({ n }) => jobs[n - 1]));
  return jobs.filter((job) => owned.has(job));
}

const LOST = {
  name: "lost-claims",
  text: `
    select j.id as "jobId", j.executor_id as "executorId", j.fence from jobs j
    where j.executor_id = $1 and j.id <> all($2::uuid[]) limit 1000`,
};

/** Jobs that a process has claimed without knowing: a connection broke before the answer. @param known those it knows of */
export function lostClaims(db: Database, executorId: string, known: readonly string[]): Promise<JobOwner[]> {
  return db.query<JobOwner & Record<string, unknown>>(LOST, [executorId, known]);
}

const PARTITIONS = {
  name: "queue-partitions",
  text: `
    with recursive part as (
      select of.kind, first.lane, 1 as n from unnest($1::text[]) as of (kind) cross join lateral (
        select j.lane from jobs j
        where j.state = 'queued' and j.run_at is null and j.suspicion = 0 and j.kind = of.kind
        order by j.lane limit 1) first
      union all
      select part.kind, next.lane, part.n + 1 from part cross join lateral (
        select j.lane from jobs j
        where j.state = 'queued' and j.run_at is null and j.suspicion = 0 and j.kind = part.kind
          and j.lane > part.lane
        order by j.lane limit 1) next
      where part.n < $2
    )
    select kind, lane from part`,
};

/** A part of a kind's queue, in which jobs are claimed in order. */
export interface Partition {
  readonly kind: JobKindName;
  /** The workspace's id; of deliveries, the host and the receiver's id, with a slash between. */
  readonly lane: string;
}

/** Parts of queues in which jobs wait, up to `limit` of each kind; the cost does not depend on how many jobs do. */
export function queuePartitions(db: Database, limit: number): Promise<Partition[]> {
  return db.query<Partition & Record<string, unknown>>(PARTITIONS, [JOB_KIND_NAMES, limit]);
}

const PROMOTE = {
  name: "promote-delayed-jobs",
  text: `
    with due as (
      select id from jobs where state = 'queued' and run_at is not null and run_at <= clock_timestamp()
      order by run_at limit 1000 for update skip locked
    )
    update jobs j set run_at = null from due where j.id = due.id returning j.id`,
};

/** Lets jobs be claimed whose time has come; returns how many. */
export async function promoteDelayed(db: Database): Promise<number> {
  return (await db.query(PROMOTE)).length;
}

const ANNOUNCE_WORK = {
  name: "announce-work",
  text: `
    select pg_notify('muster_wake', i.lane || ' ' || i.kind || ' ' || current_setting('application_name'))
    from unnest($1::text[], $2::text[]) as i (lane, kind)`,
};

/** Notifies other processes that jobs wait. */
export async function announceWork(db: Database, partitions: readonly Partition[]): Promise<void> {
  const values = [partitions.map(({ lane }) => lane), partitions.map(({ kind }) => kind)];
  await db.query(ANNOUNCE_WORK, values);
}

/** The columns job_id, executor_id and fence of executions, as parameters. */
export function ownerColumns(jobs: readonly JobOwner[]) {
  return [
    jobs.map(({ jobId }) => jobId),
    jobs.map(({ executorId }) => executorId),
    jobs.map(({ fence }) => fence),
  ] as const;
}

const DISCARD = { name: "discard-job", text: `delete from jobs where id = $1 and executor_id = $2 and fence = $3` };

/** Ends the job of an execution whose subject is not to be run any more. */
export async function discard(db: Database, { jobId, executorId, fence }: JobOwner): Promise<void> {
  await db.query(DISCARD, [jobId, executorId, fence]);
}

/** How many jobs of a kind are in a state. */
export interface JobCount {
  readonly kind: string;
  readonly state: string;
  readonly jobs: number;
}

/** Counts all jobs by kind and state. */
export function countJobs(db: Pick<Database, "query">): Promise<JobCount[]> {
  return db.query({
    name: "count-jobs",
    text: "select kind, state, count(*)::integer as jobs from jobs group by kind, state order by kind, state",
  });
}
