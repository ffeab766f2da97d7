import type { AlertKind } from "#domain/alerts/alert-kinds.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

// A queued team run is pending, like a task that was not dispatched; here it counts as dispatched.
const READ = statement({
  name: "read-current-state",
  text: `
    with open as (
      select case when kind = 'team_run' and status = 'pending' then 'dispatched' else status end as status,
        count(*) as runs,
        min(case when kind = 'task' and status = 'dispatched' then dispatched_at
          when kind = 'team_run' and status = 'pending' then created_at end) as queued_at
      from runs
      where workspace_id = current_workspace_id() and kind in ('task', 'team_run') and parent_id is null
        and status in ('pending', 'dispatched', 'running', 'waiting_for_input')
      group by 1
    ),
    questions as (
      select q.interaction_id, coalesce(r.parent_id, r.id) as run_id, title_of(r) as title,
        case when isfinite(q.deadline) then iso(q.deadline) end as due
      from task_questions q
      left join runs r on r.id = q.subject_id
      where q.workspace_id = current_workspace_id() and q.question->'clientCalls' is null
      order by q.deadline, q.interaction_id limit $1
    ),
    routes as (
      select o.id, o.name, o.type, o.failures_in_row, o.health, iso(o.last_failure_at) as last_failure_at
      from output_routes o
      where o.workspace_id = current_workspace_id() and o.is_active and o.failures_in_row > 0
      order by o.failures_in_row desc, o.id limit $1
    ),
    fires as (
      select s.id as schedule_id, s.name, s.time_zone, iso(s.next_at) as at
      from schedules s
      where s.workspace_id = current_workspace_id() and s.is_active and s.next_at is not null
      order by s.next_at, s.id limit $1
    ),
    firing as (
      select a.id, a.name, a.kind, a.threshold, a.last_value, a.since, a.watched_route_id, a.target_name
      from alert_records a
      where a.workspace_id = current_workspace_id() and a.state = 'firing'
      order by a.since desc, a.id limit $1
    )
    select json_build_object(
      'open', (
        select json_build_object(
          'pending', coalesce(sum(runs) filter (where status = 'pending'), 0),
          'dispatched', coalesce(sum(runs) filter (where status = 'dispatched'), 0),
          'running', coalesce(sum(runs) filter (where status = 'running'), 0),
          'waiting_for_input', coalesce(sum(runs) filter (where status = 'waiting_for_input'), 0))
        from open),
      'oldest_queued_at', (select iso(min(queued_at)) from open),
      'questions', (select coalesce(json_agg(q), '[]') from questions q),
      'routes', (select coalesce(json_agg(o), '[]') from routes o),
      'fires', (select coalesce(json_agg(f), '[]') from fires f),
      'alerts', (select coalesce(json_agg(a), '[]') from firing a),
      'processes', live_processes()) as state`,
});

/** The current state of a workspace. Times are ISO 8601. */
export interface CurrentState {
  /** Tasks, and team runs without a task, that have not ended. */
  readonly open: Readonly<Record<"pending" | "dispatched" | "running" | "waiting_for_input", number>>;
  readonly oldest_queued_at: string | null;
  /** Open questions, by deadline. */
  readonly questions: readonly {
    readonly interaction_id: string;
    readonly run_id: string;
    readonly title: string;
    readonly due: string | null;
  }[];
  /** Active destinations whose last delivery failed. */
  readonly routes: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly failures_in_row: number;
    readonly health: "healthy" | "unhealthy";
    readonly last_failure_at: string | null;
  }[];
  /** The next schedules. */
  readonly fires: readonly {
    readonly schedule_id: string;
    readonly name: string;
    readonly time_zone: string;
    readonly at: string;
  }[];
  /** The alerts that fire, the newest first. */
  readonly alerts: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: AlertKind;
    readonly threshold: number;
    readonly last_value: number | null;
    readonly since: string;
    readonly watched_route_id: string | null;
    readonly target_name: string | null;
  }[];
  /** Living processes of the instance. */
  readonly processes: number;
}

/** Reads a workspace's current state, with up to `limit` questions, destinations, schedules and alerts. */
export async function readCurrentState(tx: Transaction, limit: number): Promise<CurrentState> {
  const [row] = await tx.query<{ state: CurrentState }>(READ, [limit]);
  if (row === undefined) throw new Error("A query without a condition gives one row.");
  return row.state;
}
