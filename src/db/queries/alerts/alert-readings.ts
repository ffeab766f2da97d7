import type { AlertKind } from "#domain/alerts/alert-kinds.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import type { StatementOf } from "../../statement.ts";

/** What an alert found, before it is judged. */
export interface ReadingRow {
  readonly id: string;
  readonly value: number | null;
  readonly runs: number | null;
  readonly failed: number | null;
  readonly route_id: string | null;
  readonly route_name: string | null;
}

// One statement reads what all alerts of a kind watch. Times are those of the statement, so that indexes find the rows.
const READ: Readonly<Record<AlertKind, StatementOf<ReadingRow>>> = {
  // No more than the newest 10,000 runs of a window count, which bounds the cost of an alert.
  failure_rate: statement({
    name: "read-failure-rates",
    text: `
      select a.id, 100.0::double precision * e.failed / nullif(e.runs, 0) as value, e.runs, e.failed,
        null::uuid as route_id, null::text as route_name
      from alerts a
      cross join lateral (
        select count(*)::integer as runs, (count(*) filter (where ended.status = 'failed'))::integer as failed
        from (
          select r.status from runs r
          where r.workspace_id = a.workspace_id and r.parent_id is null and r.status in ('completed', 'failed')
            and r.source_kind <> 'golden'
            and r.completed_at > statement_timestamp() - make_interval(mins => a.window_minutes)
            and (a.agent_id is null or r.agent_id = a.agent_id) and (a.team_id is null or r.team_id = a.team_id)
          order by r.completed_at desc limit 10000
        ) ended
      ) e
      where a.id = any($1::uuid[])`,
  }),
  // The usage of a workspace is read once for all of its alerts.
  cost_per_hour: statement({
    name: "read-hourly-costs",
    text: `
      with spent as materialized (
        select w.workspace_id, u.agent_id, u.team_id, u.usd
        from (select distinct workspace_id from alerts where id = any($1::uuid[])) w
        cross join lateral (
          select u.agent_id, u.team_id, sum(u.estimated_cost_usd + u.worst_case_cost_usd) as usd
          from usage_records u
          where u.workspace_id = w.workspace_id and u.created_at > statement_timestamp() - interval '1 hour'
          group by 1, 2
        ) u
      )
      select a.id, coalesce(sum(s.usd), 0)::double precision as value, null::integer as runs, null::integer as failed,
        null::uuid as route_id, null::text as route_name
      from alerts a
      left join spent s on s.workspace_id = a.workspace_id
        and (a.agent_id is null or s.agent_id = a.agent_id) and (a.team_id is null or s.team_id = a.team_id)
      where a.id = any($1::uuid[])
      group by a.id`,
  }),
  question_age: statement({
    name: "read-question-ages",
    text: `
      select a.id, q.value, null::integer as runs, null::integer as failed, null::uuid as route_id,
        null::text as route_name
      from alerts a
      cross join lateral (
        select (extract(epoch from statement_timestamp() - min(q.asked_at)) / 60)::double precision as value
        from task_questions q
        left join runs r on r.id = q.subject_id
        where q.workspace_id = a.workspace_id and q.question->'clientCalls' is null
          and (a.agent_id is null or r.agent_id = a.agent_id) and (a.team_id is null or r.team_id = a.team_id)
      ) q
      where a.id = any($1::uuid[])`,
  }),
  // A job that waits for a person or a time is not in the queue's index, nor are those of a paused workspace. The first
  // 48 bits of an id are its time.
  queue_age: statement({
    name: "read-queue-ages",
    text: `
      select a.id,
        case when count(q.id) > 0 then greatest(0, extract(epoch from statement_timestamp()) / 60 - min(
          ('x' || left(replace(q.id::text, '-', ''), 12))::bit(48)::bigint) / 60000.0) end::double precision as value,
        null::integer as runs, null::integer as failed, null::uuid as route_id, null::text as route_name
      from alerts a
      cross join (values ('task'), ('team_run')) k (kind)
      cross join generate_series(1, 4) p (priority)
      left join lateral (
        select j.id from jobs j
        where j.kind = k.kind and j.lane = a.workspace_id::text and j.priority = p.priority and j.state = 'queued'
          and j.run_at is null and j.suspicion = 0 and j.fence = 0
        order by j.id limit 1
      ) q on true
      where a.id = any($1::uuid[])
      group by a.id`,
  }),
  route_failing: statement({
    name: "read-failing-routes",
    text: `
      select a.id, coalesce(o.failures_in_row, 0)::double precision as value, null::integer as runs,
        null::integer as failed, o.id as route_id, o.name as route_name
      from alerts a
      left join lateral (
        select o.id, o.name, o.failures_in_row from output_routes o
        where o.workspace_id = a.workspace_id and o.is_active and o.failures_in_row > 0
          and (a.watched_route_id is null or o.id = a.watched_route_id)
        order by o.failures_in_row desc, o.id limit 1
      ) o on true
      where a.id = any($1::uuid[])`,
  }),
};

/** Reads what alerts of a kind watch. */
export function readAlerts(tx: Transaction, kind: AlertKind, ids: readonly string[]): Promise<ReadingRow[]> {
  return tx.query<ReadingRow>(READ[kind], [ids]);
}
