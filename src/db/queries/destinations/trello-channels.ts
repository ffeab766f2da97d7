import type { Database, Transaction } from "../../database.ts";
import type { RouteRow } from "./output-routes.ts";
import { statement } from "../../statement.ts";

const INSERT = statement({
  name: "insert-trello-channel",
  text: `
    insert into trello_channels (id, workspace_id, name, list_id, secret_ciphertext, credentials_ciphertext, is_active,
      assigned_agent_id, assigned_team_id, priority, created_by)
    select id, workspace_id, name, list_id, secret_ciphertext, credentials_ciphertext, is_active, assigned_agent_id,
      assigned_team_id, priority, created_by
    from jsonb_populate_record(null::trello_channels, $1)`,
});

/** Inserts a channel with its encrypted secret. */
export async function insertChannel(tx: Transaction, row: Readonly<Record<string, unknown>>): Promise<void> {
  await tx.query(INSERT, [JSON.stringify(row)]);
}

const DELETE = statement({
  name: "delete-trello-channel",
  text: `delete from trello_channels where id = $1 returning id`,
});

/** Deletes a channel; returns whether there was one. */
export async function deleteChannel(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length === 1;
}

const FIND = statement({
  name: "find-trello-channel",
  text: `
    select id, workspace_id as "workspaceId", list_id as "listId", secret_ciphertext as "secretCiphertext",
      credentials_ciphertext as "credentialsCiphertext", assigned_agent_id as "agentId", assigned_team_id as "teamId", priority, created_by as "createdBy"
    from trello_channels where id = $1 and is_active`,
});

/** A channel as Trello's requests need it. */
export interface OpenChannel {
  readonly id: string;
  readonly workspaceId: string;
  readonly listId: string | null;
  readonly secretCiphertext: string;
  /** The credentials with which cards are read, if it has its own. */
  readonly credentialsCiphertext: string | null;
  readonly agentId: string | null;
  readonly teamId: string | null;
  readonly priority: string;
  readonly createdBy: string | null;
}

/** Finds an active channel before the workspace is known. */
export async function findChannel(db: Database, id: string): Promise<OpenChannel | undefined> {
  const [row] = await db.query<OpenChannel>(FIND, [id]);
  return row;
}

const ROUTES = statement({
  name: "trello-routes",
  text: `
    select id, workspace_id, config, secrets_ciphertext from output_routes
    where workspace_id = $1 and type = 'trello' and is_active order by created_at desc, id limit 3`,
});

/** The newest active Trello routes of a workspace, whose credentials also read cards. */
export function trelloRoutes(db: Database, workspaceId: string): Promise<TrelloRoute[]> {
  return db.query<TrelloRoute>(ROUTES, [workspaceId]);
}

/** The configuration of a Trello route. */
export type TrelloRoute = Pick<RouteRow, "id" | "workspace_id" | "config" | "secrets_ciphertext">;

const IS_MAPPED = statement({
  name: "is-card-mapped",
  text: `select id from card_mappings where channel_id = $1 and card_id = $2`,
});

/** Whether a card of a channel has its task already. */
export async function isCardMapped(db: Database, channelId: string, cardId: string): Promise<boolean> {
  return (await db.query(IS_MAPPED, [channelId, cardId])).length === 1;
}

const MAP = statement({
  name: "map-card",
  text: `
    insert into card_mappings (id, workspace_id, channel_id, card_id, task_id) values ($1, $2, $3, $4, $5)
    on conflict (channel_id, card_id) do nothing returning id`,
});

/** Maps a card to a task; false when it is mapped already. */
export async function mapCard(
  tx: Transaction,
  mapping: {
    readonly id: string;
    readonly workspaceId: string;
    readonly channelId: string;
    readonly cardId: string;
    readonly taskId: string;
  },
): Promise<boolean> {
  const { id, workspaceId, channelId, cardId, taskId } = mapping;
  return (await tx.query(MAP, [id, workspaceId, channelId, cardId, taskId])).length === 1;
}
