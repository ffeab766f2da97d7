import type { AlertNotice } from "#domain/alerts/alert-notice.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const CHECKED = statement({
  name: "note-alert-checks",
  text: `
    update alerts a set last_value = c.value, last_checked_at = clock_timestamp(),
      check_at = clock_timestamp() + interval '1 minute'
    from jsonb_to_recordset($1) as c (id uuid, value double precision)
    where a.id = c.id and a.id = any($2::uuid[])`,
});

/** Notes what was found at a check, and when the next one is due. */
export async function noteChecks(
  tx: Transaction,
  checks: readonly { readonly id: string; readonly value: number | null }[],
): Promise<void> {
  await tx.query(CHECKED, [JSON.stringify(checks), checks.map(({ id }) => id)]);
}

/** An alert whose state changes, and the ids of its event and delivery. */
export interface AlertChange {
  readonly id: string;
  readonly event_id: string;
  readonly delivery_id: string;
  /** What the notice is about, such as the name of an agent. */
  readonly subject: string;
  readonly notice: AlertNotice;
}

// The state and the delivery are one statement; a trigger creates the delivery's job. A paused or deleted destination
// gets nothing. Ids make the order of the locks.
const CHANGE = statement({
  name: "change-alert-states",
  text: `
    with changes as (
      select c.*, c.notice->>'state' as state
      from jsonb_to_recordset($1) as c (id uuid, event_id uuid, delivery_id uuid, subject text, notice jsonb)
    ),
    changed as (
      update alerts a set state = case c.state when 'firing' then 'firing' else 'ok' end, since = clock_timestamp()
      from changes c where a.id = c.id and a.id = any($2::uuid[])
      returning a.workspace_id, a.route_id, a.name, c.event_id, c.delivery_id, c.subject, c.notice, c.state
    ),
    sent as (
      select c.*, 'alert.' || c.state as event, r.name as route_name, r.type, r.host
      from changed c
      join output_routes r on r.id = c.route_id and r.workspace_id = c.workspace_id and r.is_active
    ),
    happened as (
      insert into delivery_events (id, workspace_id, event, attempt, title, worker, status, result, happened_at)
      select event_id, workspace_id, event, 1, name, subject, state, notice::text, clock_timestamp() from sent
    )
    insert into deliveries (id, workspace_id, event_id, event, route_id, target_name, type, host)
    select delivery_id, workspace_id, event_id, event, route_id, route_name, type, host from sent
    returning id`,
});

/** Changes the states of alerts, and writes the deliveries of these changes to their destinations. */
export async function changeStates(tx: Transaction, changes: readonly AlertChange[]): Promise<void> {
  await tx.query(CHANGE, [JSON.stringify(changes), changes.map(({ id }) => id)]);
}

const TEST = statement({
  name: "insert-alert-test",
  text: `
    with route as (
      select r.id, r.name, r.type, r.host, a.name as alert_name
      from alerts a join output_routes r on r.id = a.route_id where a.id = $1
    ),
    happened as (
      insert into delivery_events (id, workspace_id, event, attempt, title, worker, status, result, happened_at)
      select $3, $2, 'alert.firing', 1, alert_name, $5, 'firing', $6, clock_timestamp() from route
      returning id
    )
    insert into deliveries (id, workspace_id, event_id, event, route_id, target_name, type, host, is_test)
    select $4, $2, happened.id, 'alert.firing', route.id, route.name, route.type, route.host, true from route, happened
    returning id`,
});

/** Inserts a marked test of an alert for its destination, paused or not; false when it has none. */
export async function insertAlertTest(
  tx: Transaction,
  { id, event_id, delivery_id, subject, notice, workspaceId }: AlertChange & { readonly workspaceId: string },
): Promise<boolean> {
  const values = [id, workspaceId, event_id, delivery_id, subject, JSON.stringify(notice)];
  return (await tx.query(TEST, values)).length === 1;
}
