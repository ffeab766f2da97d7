import type { RouteKind } from "#domain/destinations/output-route.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A member in the channel of a route of kind people. */
export interface RouteMember {
  readonly member: string;
  /** The person's id at the vendor; null for who answers by the link alone. */
  readonly user_id: string | null;
}

/** The fields of a route. */
export interface RouteRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly kind: RouteKind;
  readonly type: string;
  readonly events: readonly string[];
  readonly is_active: boolean;
  /** The people at the vendor who may answer; empty for everybody. */
  readonly allowed_user_ids: readonly string[];
  /** The members in the channel, by id, with their ids at the vendor. */
  readonly members: readonly RouteMember[];
  /** The agent that answers in the channel; null for other kinds, and when it was deleted. */
  readonly agent_id: string | null;
  readonly messages_per_minute: number;
  readonly retry_delays: readonly number[];
  /** The config with secrets masked. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The secret fields as encrypted JSON; null without any. */
  readonly secrets_ciphertext: string | null;
  readonly host: string;
}

const INSERT = statement({
  name: "insert-output-route",
  text: `
    insert into output_routes (id, workspace_id, name, kind, type, events, is_active, allowed_user_ids, members, agent_id,
      messages_per_minute, retry_delays, config, secrets_ciphertext, host, created_by)
    select r.id, r.workspace_id, r.name, r.kind, r.type, r.events, r.is_active, r.allowed_user_ids, r.members, r.agent_id,
      r.messages_per_minute, r.retry_delays, r.config, r.secrets_ciphertext, r.host, $2
    from jsonb_populate_record(null::output_routes, $1) r`,
});

/** Inserts a route. */
export async function insertRoute(tx: Transaction, row: RouteRow, createdBy: string): Promise<void> {
  await tx.query(INSERT, [JSON.stringify(row), createdBy]);
}

const LOCK = statement({
  name: "lock-output-route",
  text: `
    select id, workspace_id, name, kind, type, events, is_active, allowed_user_ids, members, agent_id, messages_per_minute,
      retry_delays, config, host, secrets_ciphertext
    from output_routes where id = $1 for update`,
});

/** Reads and locks a route; undefined when it does not exist. */
export async function lockRoute(tx: Transaction, id: string): Promise<RouteRow | undefined> {
  const [row] = await tx.query<RouteRow>(LOCK, [id]);
  return row;
}

const READ_KIND = statement({
  name: "read-output-route-kind",
  text: `select kind, type from output_routes where id = $1 and workspace_id = $2`,
});

/** Reads a route's kind and type; undefined when the workspace has no such route. */
export async function readRouteKind(
  db: WorkspaceDatabase,
  id: string,
): Promise<{ readonly kind: RouteKind; readonly type: string } | undefined> {
  return (await db.query<{ kind: RouteKind; type: string }>(READ_KIND, [id, db.who.workspaceId]))[0];
}

const UPDATE = statement({
  name: "update-output-route",
  text: `
    update output_routes k set name = r.name, events = r.events, is_active = r.is_active,
      allowed_user_ids = r.allowed_user_ids, members = r.members, agent_id = r.agent_id,
      messages_per_minute = r.messages_per_minute, retry_delays = r.retry_delays, config = r.config, host = r.host,
      secrets_ciphertext = r.secrets_ciphertext, updated_at = clock_timestamp()
    from jsonb_populate_record(null::output_routes, $1) r where k.id = r.id`,
});

/** Writes all fields of a route except its type. */
export async function updateRoute(tx: Transaction, row: RouteRow): Promise<void> {
  await tx.query(UPDATE, [JSON.stringify(row)]);
}

const DELETE = statement({
  name: "delete-output-routes",
  text: `delete from output_routes where id = any($1::uuid[]) returning id`,
});

/** Deletes routes; returns the number of those that existed. Their deliveries are kept as a log. */
export async function deleteRoutes(tx: Transaction, ids: readonly string[]): Promise<number> {
  return (await tx.query(DELETE, [ids])).length;
}
