import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

// The workspaces take turns: of each, the oldest come first. A process that dies leaves its claims to time out.
const CLAIM = statement({
  name: "claim-trace-exports",
  text: `
    with recursive ready as (
      (select workspace_id from trace_exports where ready_at is not null order by workspace_id limit 1)
      union all
      select (select e.workspace_id from trace_exports e
        where e.workspace_id > r.workspace_id and e.ready_at is not null order by e.workspace_id limit 1)
      from ready r where r.workspace_id is not null
    ),
    chosen as (
      select o.* from ready r cross join lateral (
        select e.subject_id, e.attempt, e.ready_at, row_number() over (order by e.ready_at) as place from (
          select * from trace_exports e
          where e.workspace_id = r.workspace_id and e.ready_at is not null
            and (e.claimed_until is null or e.claimed_until < clock_timestamp())
          order by e.ready_at limit $1) e) o
      order by o.place, o.ready_at limit $1
    ),
    free as (
      select e.subject_id, e.attempt, c.place from chosen c join trace_exports e using (subject_id, attempt)
      where e.claimed_until is null or e.claimed_until < clock_timestamp()
      for update of e skip locked
    )
    update trace_exports e set claimed_until = clock_timestamp() + $2::double precision * interval '1 ms'
    from free f where e.subject_id = f.subject_id and e.attempt = f.attempt
    returning e.subject_id as "subjectId", e.attempt, e.workspace_id as "workspaceId", e.trace, e.version, e.sent,
      extract(epoch from clock_timestamp() - e.ready_at)::double precision * 1000 as "ageMs"`,
});

/** An attempt of a run, or a delivery, with spans to export. */
export interface TraceExport {
  /** The id of the run or delivery. */
  readonly subjectId: string;
  /** The run's; 0 for a delivery. */
  readonly attempt: number;
  readonly workspaceId: string;
  /** As `readStoredTrace` reads it. */
  readonly trace: string;
  readonly version: number;
  /** The keys of the spans that were exported before. */
  readonly sent: readonly string[];
  /** How long it has been waiting, in milliseconds. */
  readonly ageMs: number;
}

/** Claims exports for a time, of all workspaces in turn; no other process gets them meanwhile. */
export function claimTraceExports(db: Database, limit: number, claimMs: number): Promise<TraceExport[]> {
  return db
    .query<Omit<TraceExport, "ageMs"> & { ageMs: number | null }>(CLAIM, [limit, claimMs])
    .then((rows) => rows.map((row) => ({ ...row, ageMs: row.ageMs ?? 0 })));
}

const REST = statement({
  name: "rest-trace-export",
  text: `
    update trace_exports set sent = $4, claimed_until = null,
      ready_at = case when $5::boolean and version = $3 then null else ready_at end
    where subject_id = $1 and attempt = $2`,
});

const FINISH = statement({
  name: "finish-trace-export",
  text: `delete from trace_exports where subject_id = $1 and attempt = $2 and version = $3 returning attempt`,
});

/**
 * Records what a receiver has accepted. `over`: nothing follows; `rests`: until the run's state changes; `waits`: the
 * receiver did not take the rest. A run that has changed meanwhile is exported again, without these spans.
 */
export async function recordTraceExport(
  db: Database,
  { subjectId, attempt, version, sent }: Pick<TraceExport, "subjectId" | "attempt" | "version" | "sent">,
  state: "over" | "rests" | "waits",
): Promise<void> {
  if (state !== "over") await db.query(REST, [subjectId, attempt, version, sent, state === "rests"]);
  else if ((await db.query(FINISH, [subjectId, attempt, version])).length === 0)
    await db.query(REST, [subjectId, attempt, version, sent, false]);
}

const RELEASE = statement({
  name: "release-trace-exports",
  text: `
    update trace_exports e set claimed_until = null
    from unnest($1::uuid[], $2::integer[]) as i (subject_id, attempt)
    where e.subject_id = i.subject_id and e.attempt = i.attempt`,
});

/** Leaves claimed exports to the next try. */
export async function releaseTraceExports(db: Database, exports: readonly TraceExport[]): Promise<void> {
  await db.query(RELEASE, [exports.map(({ subjectId }) => subjectId), exports.map(({ attempt }) => attempt)]);
}

const RUN_FACTS = statement({
  name: "read-traced-run",
  text: `
    select r.source_kind as source, r.agent_version as "agentVersion", unix_ms(r.created_at) as "createdAt",
      (select a.provider from agents a where a.id = r.agent_id) as provider,
      (select json_agg(json_build_object('outcome', x.outcome, 'at', unix_ms(x.ended_at)) order by x.fence)
        from run_executions x
        where x.run_id = $2 and x.attempt = $3 and x.outcome in ('lost', 'handed_over')) as executions,
      case r.kind when 'task' then (
        select json_agg(json_build_object('turn', u.turn, 'call', u.step, 'provider', u.provider)) from usage_records u
        where u.task_id = $1 and u.attempt = $3 and u.step is not null)
      else (
        select json_agg(json_build_object('turn', u.turn, 'call', u.step, 'provider', u.provider)) from usage_records u
        where u.team_run_id = $1 and u.attempt = $3 and u.step is not null) end as calls,
      (select json_object_agg(a.id, a.name) from team_members m join agents a on a.id = m.agent_id
        where m.team_id = r.team_id) as agents
    from runs r where r.id = $1`,
});

/** What else is known of a run for its spans; null where there is none. */
export interface TracedRunRow {
  readonly source: string;
  readonly agentVersion: number | null;
  readonly createdAt: number;
  readonly provider: string | null;
  /** Executions that left the run to another one. */
  readonly executions: readonly { readonly outcome: string; readonly at: number }[] | null;
  /** The providers of model calls. */
  readonly calls: readonly { readonly turn: string | null; readonly call: number; readonly provider: string }[] | null;
  /** The names of the team's agents by id. */
  readonly agents: Readonly<Record<string, string>> | null;
}

/** Reads a run for its spans; its steps are stored under the log's id. */
export async function readTracedRun(
  tx: Transaction,
  run: { readonly id: string; readonly logId: string; readonly attempt: number },
): Promise<TracedRunRow | undefined> {
  const [row] = await tx.query<TracedRunRow>(RUN_FACTS, [run.id, run.logId, run.attempt]);
  return row;
}

const DELIVERY = statement({
  name: "read-traced-delivery",
  text: `
    select d.event, d.type, d.status, d.http_code as "httpCode", unix_ms(d.created_at) as "startedAt",
      unix_ms(coalesce(d.completed_at, clock_timestamp())) as "endedAt",
      (select json_agg(json_build_object('status', a.status, 'at', unix_ms(a.created_at)) order by a.created_at)
        from delivery_attempts a where a.delivery_id = d.id) as attempts
    from deliveries d where d.id = $1`,
});

/** A delivery that has ended, for its span. Times are in Unix milliseconds. */
export interface TracedDeliveryRow {
  readonly event: string;
  readonly type: string;
  readonly status: string;
  readonly httpCode: number | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attempts: readonly { readonly status: string; readonly at: number }[] | null;
}

/** Reads a delivery for its span; undefined when it was deleted. */
export async function readTracedDelivery(tx: Transaction, id: string): Promise<TracedDeliveryRow | undefined> {
  const [row] = await tx.query<TracedDeliveryRow>(DELIVERY, [id]);
  return row;
}
