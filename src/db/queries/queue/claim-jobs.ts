import { JOB_KIND_NAMES } from "#domain/tasks/job.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import type { Database } from "../../database.ts";
import { CLAIMED } from "./job-owner.ts";
import type { ClaimedJob, JobOwner } from "./job-owner.ts";
import { statement } from "../../statement.ts";

/** SQL: no job of a workspace that the operator holds. */
const NOT_HELD = "workspace_id <> all (array(select w.id from workspaces w where w.held_at is not null))";

const CLAIM = statement({
  name: "claim-jobs",
  narrows: ["executorId", "kind"],
  text: `
    with head as (
      select j.id, i.n::integer as n
      from unnest($1::text[], $2::text[], $3::integer[]) with ordinality as i (kind, lane, free, n)
      cross join lateral (
        select id from jobs
        where state = 'queued' and run_at is null and suspicion = 0 and kind = i.kind and lane = i.lane
          and ${NOT_HELD}
        order by priority, id limit i.free for update skip locked) j
    )
    update jobs j set state = 'running', executor_id = $4, fence = j.fence + 1,
      claimed_by = (select process_name($4)), claimed_at = clock_timestamp()
    from head where j.id = head.id returning head.n, j.priority, ${CLAIMED}`,
});

/** A partition, and the number of jobs to claim from it. */
export interface Claim extends Partition {
  readonly limit: number;
}

/**
 * Claims the first queued jobs of partitions, by priority; skips jobs locked by other processes. Returns them in the
 * order of the partitions.
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

const CLAIM_SUSPECTS = statement({
  name: "claim-suspect-jobs",
  narrows: ["executorId", "kind"],
  text: `
    with head as (
      select id from jobs
      where state = 'queued' and run_at is null and suspicion > 0 and suspicion between $3 and $4
        and ${NOT_HELD}
      order by suspicion desc, id limit $2::integer for update skip locked
    )
    update jobs j set state = 'running', executor_id = $1, fence = j.fence + 1,
      claimed_by = (select process_name($1)), claimed_at = clock_timestamp()
    from head where j.id = head.id returning ${CLAIMED}`,
});

/** Jobs of a level of suspicion. */
export interface SuspectClaim {
  readonly limit: number;
  readonly min: number;
  readonly max: number;
}

/** Claims suspect jobs of all kinds and lanes, the most suspicious first, then the oldest. */
export function claimSuspects(db: Database, executorId: string, of: SuspectClaim): Promise<ClaimedJob<never>[]> {
  return db.query<ClaimedJob<never>>(CLAIM_SUSPECTS, [executorId, of.limit, of.min, of.max]);
}

const LOST = statement({
  name: "lost-claims",
  narrows: ["executorId"],
  text: `
    select j.id as "jobId", j.executor_id as "executorId", j.fence from jobs j
    where j.executor_id = $1 and j.id <> all($2::uuid[]) limit 1000`,
});

/**
 * Jobs that this process claimed without receiving the result, because the connection broke.
 * @param known the claimed jobs that it knows
 */
export function lostClaims(db: Database, executorId: string, known: readonly string[]): Promise<JobOwner[]> {
  return db.query<JobOwner>(LOST, [executorId, known]);
}

const POLL = statement({
  name: "poll-queue",
  text: `
    with recursive due as (
      select id from jobs where state = 'queued' and run_at is not null and run_at <= clock_timestamp()
      order by run_at limit 1000 for update skip locked
    ),
    promoted as (
      update jobs j set run_at = null from due where j.id = due.id returning j.kind, j.lane, j.suspicion
    ),
    part as (
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
    select kind, lane, 0 as suspicion from part
    union
    select kind, lane, suspicion::integer from promoted
    union
    (select distinct on (suspicion) kind, lane, suspicion::integer from jobs
     where state = 'queued' and run_at is null and suspicion > 0 order by suspicion)`,
});

/** A part of a kind's queue, whose jobs are claimed in order. */
export interface Partition {
  readonly kind: JobKindName;
  /** As {@link laneOf} returns it; for deliveries, `<host>/<workspace id>/<receiver id>`. */
  readonly lane: string;
}

/** The claimable work. */
export interface Claimable {
  /** Partitions with queued jobs. */
  readonly partitions: readonly Partition[];
  /** The suspicions of queued suspects. */
  readonly suspicions: readonly number[];
}

/**
 * Makes due delayed jobs claimable, and finds queued jobs. Returns up to `limit` partitions per kind; the cost does not
 * depend on the number of jobs.
 */
export async function pollQueue(db: Database, limit: number): Promise<Claimable> {
  const rows = await db.query<Partition & { suspicion: number }>(POLL, [JOB_KIND_NAMES, limit]);
  const partitions = rows.flatMap(({ suspicion, ...partition }) => (suspicion > 0 ? [] : [partition]));
  return { partitions, suspicions: rows.flatMap(({ suspicion }) => (suspicion > 0 ? [suspicion] : [])) };
}

const ANNOUNCE_WORK = statement({
  name: "announce-work",
  text: `
    select pg_notify('muster_wake', i.lane || ' ' || i.kind || ' ' || current_setting('application_name'))
    from unnest($1::text[], $2::text[]) as i (lane, kind)`,
});

/** Notifies other processes of queued jobs. */
export async function announceWork(db: Database, partitions: readonly Partition[]): Promise<void> {
  const values = [partitions.map(({ lane }) => lane), partitions.map(({ kind }) => kind)];
  await db.query(ANNOUNCE_WORK, values);
}
