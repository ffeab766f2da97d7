import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT = statement({
  name: "insert-trello-channel",
  text: `
    insert into trello_channels (id, workspace_id, name, list_id, secret_ciphertext, is_active, assigned_agent_id,
      assigned_team_id, priority, created_by)
    select id, workspace_id, name, list_id, secret_ciphertext, is_active, assigned_agent_id, assigned_team_id, priority,
      created_by
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
      assigned_agent_id as "agentId", assigned_team_id as "teamId", priority, created_by as "createdBy"
    from trello_channels where id = $1 and is_active`,
});

/** A channel as Trello's requests need it. */
export interface OpenChannel {
  readonly id: string;
  readonly workspaceId: string;
  readonly listId: string | null;
  readonly secretCiphertext: string;
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
