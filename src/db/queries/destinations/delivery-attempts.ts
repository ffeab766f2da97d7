import type { PostedMessage } from "#domain/people/question-message.ts";
import type { Database } from "../../database.ts";
import { ownerColumns } from "../queue/job-owner.ts";
import type { JobOwner } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

// The job ends with the delivery, or waits for the next attempt. If several attempts of one route end together, one
// success resets the route's failure count. Routes are locked in id order to avoid deadlocks between processes.
const RECORD = statement({
  name: "record-delivery-attempts",
  text: `
    with incoming as (
      select * from rows from (
        unnest($1::uuid[], $2::uuid[], $3::integer[]),
        json_to_recordset($4) as (id uuid, "logId" uuid, status text, "httpCode" integer, error text, request text,
          response text, "durationMs" integer, "startedAt" timestamptz, "retryInMs" double precision, "isLimited" boolean,
          "isGone" boolean, posted jsonb)
      ) as i (job_id, executor_id, fence, id, log_id, status, http_code, error, request, response, duration_ms,
        started_at, retry_in_ms, is_limited, is_gone, posted)
    ),
    finished as (
      delete from jobs j using incoming i
      where j.id = i.job_id and j.executor_id is not distinct from i.executor_id and j.fence = i.fence and i.retry_in_ms is null
      returning i.id
    ),
    delayed as (
      update jobs j set state = 'queued', executor_id = null, crash_count = 0, suspicion = 0,
        run_at = clock_timestamp() + i.retry_in_ms * interval '1 ms'
      from incoming i
      where j.id = i.job_id and j.executor_id is not distinct from i.executor_id and j.fence = i.fence and i.retry_in_ms is not null
      returning i.id, j.run_at
    ),
    ended as (
      update deliveries d set
        attempt_count = d.attempt_count + case when i.is_limited then 0 else 1 end,
        limited_since = case when i.is_limited then coalesce(d.limited_since, clock_timestamp()) else d.limited_since end,
        http_code = i.http_code, error = i.error, posted = coalesce(i.posted, d.posted),
        status = case when i.status = 'success' then 'success' when o.run_at is null then 'failed' else 'pending' end,
        next_attempt_at = coalesce(o.run_at, d.next_attempt_at),
        completed_at = case when o.run_at is null then clock_timestamp() end
      from incoming i
      join (select id, null::timestamptz as run_at from finished union all select id, run_at from delayed) o using (id)
      where d.id = i.id
      returning d.id, d.workspace_id, d.route_id, d.subscription_id, d.status, d.attempt_count
    ),
    logged as (
      insert into delivery_attempts (id, workspace_id, delivery_id, attempt, status, http_code, error, request, response,
        duration_ms, created_at)
      select i.log_id, e.workspace_id, e.id, e.attempt_count + case when i.is_limited then 1 else 0 end, i.status, i.http_code, i.error, i.request, i.response,
        i.duration_ms, i.started_at
      from ended e join incoming i using (id)
    ),
    outcome as (
      select route_id, count(*) filter (where status = 'success') as succeeded,
        count(*) filter (where status = 'failed') as failed
      from ended where route_id is not null and status <> 'pending' group by route_id
    ),
    affected as (
      select r.id, o.succeeded, o.failed from outcome o
      join output_routes r on r.id = o.route_id and (o.failed > 0 or r.failures_in_row > 0
        or r.last_success_at is null or r.last_success_at < clock_timestamp() - interval '1 minute')
      order by r.id for no key update of r
    ),
    health as (
      update output_routes r set
        failures_in_row = case when a.succeeded > 0 then 0 else r.failures_in_row + a.failed end,
        last_success_at = case when a.succeeded > 0 then clock_timestamp() else r.last_success_at end,
        last_failure_at = case when a.failed > 0 then clock_timestamp() else r.last_failure_at end
      from affected a where r.id = a.id
    ),
    gone as (
      delete from webhook_subscriptions s using ended e, incoming i
      where s.id = e.subscription_id and i.id = e.id and i.is_gone
    )
    select id from ended`,
});

const PACE = statement({
  name: "pace-receivers",
  text: `
    select pace_receiver(lane, max(wait), max(claimed_at)) is null as paced from (
      select j.lane, j.claimed_at, i.wait_ms * interval '1 ms' as wait
      from unnest($1::uuid[], $2::double precision[]) as i (id, wait_ms)
      join jobs j on j.subject_id = i.id and j.state = 'queued') limited
    group by lane order by lane`,
});

/** A finished attempt. */
export interface EndedAttempt {
  readonly job: JobOwner;
  /** The delivery's job. */
  readonly id: string;
  readonly logId: string;
  readonly status: "success" | "failed";
  readonly httpCode: number | null;
  readonly error: string | null;
  readonly request: string;
  readonly response: string;
  readonly durationMs: number;
  readonly startedAt: Date;
  /** The time of the retry; null for none. */
  readonly retryInMs: number | null;
  /** The receiver rejected it because of its rate limit: it does not count, and the receiver is paced. */
  readonly isLimited: boolean;
  /** The receiver has unsubscribed: its subscription ends. */
  readonly isGone: boolean;
  /** The message that asks people; absent for other deliveries. */
  readonly posted?: PostedMessage;
}

/**
 * Records attempts and their consequences, and ends or delays their jobs. Returns, in input order, whether the
 * execution still owned the job; otherwise nothing is recorded.
 */
export async function recordAttempts(db: Database, attempts: readonly EndedAttempt[]): Promise<boolean[]> {
  const rows = await db.query<{ id: string }>(RECORD, [
    ...ownerColumns(attempts.map(({ job }) => job)),
    JSON.stringify(attempts),
  ]);
  const recorded = new Set(rows.map(({ id }) => id));
  const limited = attempts.filter(({ id, isLimited }) => isLimited && recorded.has(id));
  // Apart, so that the pace's lock is never held together with those of other rows.
  if (limited.length > 0) await db.query(PACE, [limited.map(({ id }) => id), limited.map((one) => one.retryInMs)]);
  return attempts.map(({ id }) => recorded.has(id));
}
