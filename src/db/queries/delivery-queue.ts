import type { Database } from "../database.ts";

// Due deliveries in the order of their times; of each receiver and of each host no more than may run at a time. The
// claim moves the time past the end of the attempt: what is not settled by then is due again.
const CLAIM = {
  name: "claim-deliveries",
  text: `
    with due as (
      select d.id, d.target_id, d.host, d.next_attempt_at from deliveries d
      where d.status = 'pending' and d.next_attempt_at <= clock_timestamp()
        and d.target_id <> all ($3::uuid[]) and d.host <> all ($4::text[])
      order by d.next_attempt_at limit 500
    ),
    ranked as (
      select due.id,
        row_number() over (partition by due.target_id order by due.next_attempt_at)
          + coalesce((select b.n from unnest($5::uuid[], $6::integer[]) as b (id, n) where b.id = due.target_id), 0)
          as target_place,
        row_number() over (partition by due.host order by due.next_attempt_at)
          + coalesce((select b.n from unnest($7::text[], $8::integer[]) as b (host, n) where b.host = due.host), 0)
          as host_place
      from due
    ),
    picked as (
      select d.id from deliveries d
      where d.id in (select r.id from ranked r where r.target_place <= $9 and r.host_place <= $10)
        and d.status = 'pending' and d.next_attempt_at <= clock_timestamp()
      order by d.next_attempt_at limit $1 for update skip locked
    ),
    claimed as (
      update deliveries d set claims = d.claims + 1, next_attempt_at = clock_timestamp() + $2 * interval '1 millisecond'
      from picked p where d.id = p.id
      returning d.*
    )
    select
      c.id, c.workspace_id as "workspaceId", c.claims, c.attempt_count as "attemptCount", c.type, c.host,
      c.target_id as "targetId", c.route_id as "routeId", c.subscription_id as "subscriptionId",
      c.created_at as "createdAt",
      e.event, e.task_id as "taskId", e.team_run_id as "teamRunId", e.attempt, e.title, e.worker, e.status as outcome,
      e.result, e.error, e.happened_at as "happenedAt",
      r.config, r.secrets_ciphertext as "secretsCiphertext", r.retry_delays as "retryDelays",
      s.target_url as "targetUrl", s.secret_ciphertext as "secretCiphertext",
      case when s.previous_secret_until > clock_timestamp() then s.previous_secret_ciphertext end
        as "previousSecretCiphertext",
      (select m.card_id from card_mappings m
        where m.task_id = coalesce(e.task_id, (select t.task_id from team_runs t where t.id = e.team_run_id)) limit 1)
        as "mappedCardId"
    from claimed c
    join delivery_events e on e.id = c.event_id
    left join output_routes r on r.id = c.route_id and (r.is_active or c.is_test or c.redelivery_of is not null)
    left join webhook_subscriptions s on s.id = c.subscription_id`,
};

/** A delivery whose attempt this process makes. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly workspaceId: string;
  /** The fencing token. */
  readonly claims: number;
  /** Attempts that are over. */
  readonly attemptCount: number;
  /** Of the route; `webhook` for a subscription. */
  readonly type: string;
  readonly host: string;
  readonly targetId: string;
  readonly routeId: string | null;
  readonly subscriptionId: string | null;
  readonly createdAt: Date;
  readonly event: string;
  readonly taskId: string | null;
  readonly teamRunId: string | null;
  /** Of the task or team run. */
  readonly attempt: number;
  readonly title: string;
  readonly worker: string;
  readonly outcome: string;
  readonly result: string;
  readonly error: string | null;
  readonly happenedAt: Date;
  /** Null when the route is gone or inactive, or the receiver is a subscription. */
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly secretsCiphertext: string | null;
  readonly retryDelays: readonly number[] | null;
  /** Null when the subscription is gone, or the receiver is a route. */
  readonly targetUrl: string | null;
  readonly secretCiphertext: string | null;
  /** Of the secret before the last rotation, while it is valid. */
  readonly previousSecretCiphertext: string | null;
  /** The Trello card that the task came from. */
  readonly mappedCardId: string | null;
}

/** How many deliveries run, and may run. */
export interface DeliveryLoad {
  /** Deliveries that can start now. */
  readonly free: number;
  /** How long a claim holds, in milliseconds; longer than any attempt. */
  readonly leaseMs: number;
  readonly targets: ReadonlyMap<string, number>;
  readonly hosts: ReadonlyMap<string, number>;
  readonly perTarget: number;
  readonly perHost: number;
}

/** Claims due deliveries. Several processes may do it at the same time: each delivery goes to one. */
export async function claimDeliveries(db: Database, load: DeliveryLoad): Promise<ClaimedDelivery[]> {
  const full = (running: ReadonlyMap<string, number>, most: number) =>
    [...running].flatMap(([name, count]) => (count >= most ? [name] : []));
  return db.query<ClaimedDelivery & Record<string, unknown>>(CLAIM, [
    load.free,
    load.leaseMs,
    full(load.targets, load.perTarget),
    full(load.hosts, load.perHost),
    [...load.targets.keys()],
    [...load.targets.values()],
    [...load.hosts.keys()],
    [...load.hosts.values()],
    load.perTarget,
    load.perHost,
  ]);
}

// Several attempts of one route may end together: one success among them resets its count.
const RECORD = {
  name: "record-delivery-attempts",
  text: `
    with incoming as (
      select * from json_to_recordset($1) as i (id uuid, claims integer, "logId" uuid, status text, "httpCode" integer,
        error text, request text, response text, "durationMs" integer, "startedAt" timestamptz, "retryInMs" integer,
        "isGone" boolean)
    ),
    ended as (
      update deliveries d set
        attempt_count = d.attempt_count + 1, http_code = i."httpCode", error = i.error,
        status = case when i.status = 'success' then 'success' when i."retryInMs" is null then 'failed' else 'pending' end,
        next_attempt_at = clock_timestamp() + coalesce(i."retryInMs", 0) * interval '1 millisecond',
        completed_at = case when i.status = 'success' or i."retryInMs" is null then clock_timestamp() end
      from incoming i where d.id = i.id and d.claims = i.claims and d.status = 'pending'
      returning d.id, d.workspace_id, d.route_id, d.subscription_id, d.status, d.attempt_count
    ),
    logged as (
      insert into delivery_attempts (id, workspace_id, delivery_id, attempt, status, http_code, error, request, response,
        duration_ms, created_at)
      select i."logId", e.workspace_id, e.id, e.attempt_count, i.status, i."httpCode", i.error, i.request, i.response,
        i."durationMs", i."startedAt"
      from ended e join incoming i on i.id = e.id
    ),
    health as (
      update output_routes r set
        failures_in_row = case when h.succeeded > 0 then 0 else r.failures_in_row + h.failed end,
        last_success_at = case when h.succeeded > 0 then clock_timestamp() else r.last_success_at end,
        last_failure_at = case when h.failed > 0 then clock_timestamp() else r.last_failure_at end
      from (
        select route_id, count(*) filter (where status = 'success') as succeeded,
          count(*) filter (where status = 'failed') as failed
        from ended where route_id is not null and status <> 'pending' group by route_id
      ) h
      where r.id = h.route_id and (h.failed > 0 or r.failures_in_row > 0
        or r.last_success_at is null or r.last_success_at < clock_timestamp() - interval '1 minute')
      returning r.id
    ),
    gone as (
      delete from webhook_subscriptions s using ended e, incoming i
      where s.id = e.subscription_id and i.id = e.id and i."isGone"
    )
    select id from ended`,
};

/** An attempt that is over. */
export interface EndedAttempt {
  readonly id: string;
  readonly claims: number;
  readonly logId: string;
  readonly status: "success" | "failed";
  readonly httpCode: number | null;
  readonly error: string | null;
  readonly request: string;
  readonly response: string;
  readonly durationMs: number;
  readonly startedAt: Date;
  /** When to try again; null: never. */
  readonly retryInMs: number | null;
  /** The receiver wants nothing more: its subscription ends. */
  readonly isGone: boolean;
}

/** Records attempts, with what follows from them. One whose claim another process has taken over is dropped. */
export async function recordAttempts(db: Database, attempts: readonly EndedAttempt[]): Promise<void> {
  await db.query(RECORD, [JSON.stringify(attempts)]);
}

const RELEASE = {
  name: "release-delivery",
  text: `
    update deliveries set next_attempt_at = clock_timestamp()
    where id = $1 and claims = $2 and status = 'pending'`,
};

/** Gives up a claim without an attempt: the delivery is due again. */
export async function releaseDelivery(db: Database, { id, claims }: ClaimedDelivery): Promise<void> {
  await db.query(RELEASE, [id, claims]);
}

const NEXT = {
  name: "next-delivery",
  text: `
    select greatest(extract(epoch from next_attempt_at - clock_timestamp()) * 1000, 0)::double precision as "inMs"
    from deliveries where status = 'pending' order by next_attempt_at limit 1`,
};

/** In how many milliseconds the next pending delivery is due; undefined when there is none. */
export async function nextDelivery(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ inMs: number }>(NEXT);
  return row?.inMs;
}

const FILES = {
  name: "files-of-delivery",
  text: `
    select id, name, type, size::integer as size, direction from files f
    where (f.task_id = $1 or f.run_id = $2) and (f.direction = 'input' or f.attempt = $3)
    order by f.direction, f.created_at, f.id`,
};

/** A file of the task or team run that a delivery is about. */
export interface DeliveredFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly direction: string;
}

/** Reads those files: all that it was given, and what its attempt produced. */
export async function filesOfDelivery(
  db: Database,
  { taskId, teamRunId, attempt }: Pick<ClaimedDelivery, "taskId" | "teamRunId" | "attempt">,
): Promise<DeliveredFile[]> {
  return db.query<DeliveredFile & Record<string, unknown>>(FILES, [taskId, teamRunId, attempt]);
}

const DELETE_OLD = {
  name: "delete-old-deliveries",
  text: `
    with old as (select id from deliveries where created_at < clock_timestamp() - interval '30 days' limit $1)
    delete from deliveries d using old where d.id = old.id returning d.id`,
};
const DELETE_OLD_EVENTS = {
  name: "delete-old-delivery-events",
  text: `
    with old as (
      select e.id from delivery_events e
      where e.created_at < clock_timestamp() - interval '30 days'
        and not exists (select from deliveries d where d.event_id = e.id) limit $1
    )
    delete from delivery_events e using old where e.id = old.id returning e.id`,
};

/** Deletes up to `limit` deliveries that are older than 30 days, and what only they delivered; returns how many. */
export async function deleteOldDeliveries(db: Database, limit: number): Promise<number> {
  const [deliveries, events] = [await db.query(DELETE_OLD, [limit]), await db.query(DELETE_OLD_EVENTS, [limit])];
  return Math.max(deliveries.length, events.length);
}
