import type { AlertKind } from "#domain/alerts/alert-kinds.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const WRITABLE = `name, threshold, window_minutes, min_runs, agent_id, team_id, watched_route_id, route_id, is_enabled`;

/** The fields of an alert that a person sets, but for its kind. */
export interface AlertFields {
  readonly name: string;
  readonly threshold: number;
  readonly window_minutes: number | null;
  readonly min_runs: number | null;
  readonly agent_id: string | null;
  readonly team_id: string | null;
  readonly watched_route_id: string | null;
  readonly route_id: string | null;
  readonly is_enabled: boolean;
}

const INSERT = statement({
  name: "insert-alert",
  text: `
    insert into alerts (id, workspace_id, created_by, kind, ${WRITABLE}, check_at)
    select id, workspace_id, created_by, kind, ${WRITABLE}, case when is_enabled then clock_timestamp() end
    from jsonb_populate_record(null::alerts, $1)`,
});

/** Inserts an alert, which is then checked immediately. */
export async function insertAlert(
  tx: Transaction,
  row: AlertFields & {
    readonly id: string;
    readonly workspace_id: string;
    readonly created_by: string;
    readonly kind: AlertKind;
  },
): Promise<void> {
  await tx.query(INSERT, [JSON.stringify(row)]);
}

const LOCK = statement({
  name: "lock-alert",
  text: `select kind, ${WRITABLE} from alerts where id = $1 for no key update`,
});

/** Reads an alert and locks it until the transaction ends. */
export async function lockAlert(
  tx: Transaction,
  id: string,
): Promise<(AlertFields & { readonly kind: AlertKind }) | undefined> {
  const [row] = await tx.query<AlertFields & { readonly kind: AlertKind }>(LOCK, [id]);
  return row;
}

// A disabled alert is ok without an event: nothing says that what it watched has changed.
const UPDATE = statement({
  name: "update-alert",
  text: `
    update alerts a set (${WRITABLE}) = (select ${WRITABLE} from jsonb_populate_record(a, $2)),
      check_at = case when ($2::jsonb->>'is_enabled')::boolean then clock_timestamp() end,
      state = case when ($2::jsonb->>'is_enabled')::boolean then a.state else 'ok' end,
      since = case when ($2::jsonb->>'is_enabled')::boolean or a.state = 'ok' then a.since else clock_timestamp() end,
      updated_at = clock_timestamp()
    where id = $1`,
});

/** Writes all fields of an alert but its kind; it is checked immediately if it is enabled. */
export async function updateAlert(tx: Transaction, id: string, fields: AlertFields): Promise<void> {
  await tx.query(UPDATE, [id, JSON.stringify(fields)]);
}

const DELETE = statement({ name: "delete-alert", text: `delete from alerts where id = $1 returning id` });

/** Deletes an alert; returns whether there was one. */
export async function deleteAlert(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length === 1;
}

const HAS_ROUTE = statement({ name: "has-output-route", text: `select id from output_routes where id = $1` });

/** Whether the workspace has an output route. */
export async function hasRoute(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(HAS_ROUTE, [id])).length === 1;
}
