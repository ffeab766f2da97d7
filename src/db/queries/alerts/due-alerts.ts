import type { AlertKind } from "#domain/alerts/alert-kinds.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

// The first alert of each workspace comes before the second of any, so that a workspace with many delays no other.
const DUE = statement({
  name: "due-alerts",
  text: `
    select id from (
      select a.id, a.check_at, row_number() over (partition by a.workspace_id order by a.check_at, a.id) as n
      from alerts a
      where a.check_at <= statement_timestamp() or a.check_at > statement_timestamp() + interval '10 minutes'
    ) due
    order by n, check_at limit $1`,
});

/** The alerts to check now, in turn by workspace; with those whose time was set before the clock was set back. */
export async function dueAlerts(db: Database, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(DUE, [limit])).map(({ id }) => id);
}

const LOCK_DUE = statement({
  name: "lock-due-alerts",
  text: `
    select a.id, a.workspace_id as "workspaceId", a.name, a.kind, a.threshold, a.window_minutes, a.min_runs,
      a.agent_id, a.team_id, a.route_id as "routeId", a.state,
      coalesce(
        (select g.name from agents g where g.id = a.agent_id),
        (select t.name from teams t where t.id = a.team_id),
        (select o.name from output_routes o where o.id = a.watched_route_id)) as target_name,
      w.deleted_at is null and w.held_at is null as "isWatched"
    from alerts a
    join workspaces w on w.id = a.workspace_id
    where a.id = any($1::uuid[])
      and (a.check_at <= statement_timestamp() or a.check_at > statement_timestamp() + interval '10 minutes')
    order by a.id for no key update of a skip locked`,
});

/** An alert to check. */
export interface DueAlert {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly kind: AlertKind;
  readonly threshold: number;
  readonly window_minutes: number | null;
  readonly min_runs: number | null;
  readonly agent_id: string | null;
  readonly team_id: string | null;
  readonly target_name: string | null;
  /** The destination. */
  readonly routeId: string | null;
  readonly state: "ok" | "firing";
  /** False while its workspace is held or being deleted: its state stays. */
  readonly isWatched: boolean;
}

/** Locks those alerts that are due and that no other transaction has locked: this transaction may change their state. */
export function lockDueAlerts(tx: Transaction, ids: readonly string[]): Promise<DueAlert[]> {
  return tx.query<DueAlert>(LOCK_DUE, [ids]);
}

const LIMIT_TIME = statement({
  name: "limit-alert-time",
  text: `select set_config('statement_timeout', '10s', true)`,
});

/** Limits the time of each statement of a check. */
export async function limitCheckTime(tx: Transaction): Promise<void> {
  await tx.query(LIMIT_TIME);
}

const POSTPONE = statement({
  name: "postpone-alert",
  text: `update alerts set check_at = clock_timestamp() + interval '1 minute' where id = $1 and check_at is not null`,
});

/** Has an alert that could not be checked wait for its next time. */
export async function postponeAlert(db: Database, id: string): Promise<void> {
  await db.query(POSTPONE, [id]);
}
