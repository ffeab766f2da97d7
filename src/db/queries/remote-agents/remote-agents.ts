import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A stored remote agent, with its encrypted token and its card as JSON. */
export interface RemoteAgentRow {
  readonly id: string;
  readonly base_url: string;
  readonly card: unknown;
  readonly is_enabled: boolean;
  readonly token_ciphertext: string | null;
  /** The age of the fetched card, in milliseconds. */
  readonly card_age_ms: number;
}

const COLUMNS = `id, base_url, card, is_enabled, token_ciphertext,
  (extract(epoch from clock_timestamp() - card_fetched_at) * 1000)::double precision as card_age_ms`;

const INSERT = statement({
  name: "insert-remote-agent",
  text: `
    insert into remote_agents (id, workspace_id, base_url, card, is_enabled, token_ciphertext, created_by)
    values ($1, $2, $3, $4, $5, $6, $7)`,
});

/**
 * Inserts a remote agent. @throws an error of the constraint `remote_agents_base_url_key` when the URL is already
 * registered.
 */
export async function insertRemoteAgent(
  tx: Transaction,
  agent: {
    readonly id: string;
    readonly workspaceId: string;
    readonly baseUrl: string;
    readonly card: object;
    readonly isEnabled: boolean;
    readonly tokenCiphertext: string | null;
    readonly createdBy: string;
  },
): Promise<void> {
  const { id, workspaceId, baseUrl, card, isEnabled, tokenCiphertext, createdBy } = agent;
  await tx.query(INSERT, [id, workspaceId, baseUrl, JSON.stringify(card), isEnabled, tokenCiphertext, createdBy]);
}

const READ = statement({ name: "read-remote-agent-row", text: `select ${COLUMNS} from remote_agents where id = $1` });

/** Reads a remote agent with its encrypted token; undefined when the workspace has none with this id. */
export async function readRemoteAgent(db: WorkspaceDatabase, id: string): Promise<RemoteAgentRow | undefined> {
  const [row] = await db.query<RemoteAgentRow>(READ, [id]);
  return row;
}

const LIST_ENABLED = statement({
  name: "list-enabled-remote-agents",
  text: `select ${COLUMNS} from remote_agents where is_enabled and workspace_id = $1 order by created_at, id limit $2`,
});

/** A workspace's enabled remote agents, oldest first. */
export function listEnabledRemoteAgents(db: WorkspaceDatabase, limit: number): Promise<RemoteAgentRow[]> {
  const values = [db.who.workspaceId, limit];
  return db.query<RemoteAgentRow>(LIST_ENABLED, values);
}

const UPDATE = statement({
  name: "update-remote-agent",
  text: `
    update remote_agents set is_enabled = coalesce($2, is_enabled),
      token_ciphertext = case when $3 then $4 else token_ciphertext end, updated_at = clock_timestamp()
    where id = $1`,
});

/** Changes a remote agent; undefined fields stay. */
export async function updateRemoteAgent(
  tx: Transaction,
  change: {
    readonly id: string;
    readonly isEnabled: boolean | undefined;
    readonly tokenCiphertext: string | null | undefined;
  },
): Promise<void> {
  const { id, isEnabled, tokenCiphertext } = change;
  await tx.query(UPDATE, [id, isEnabled ?? null, tokenCiphertext !== undefined, tokenCiphertext ?? null]);
}

const SAVE_CARD = statement({
  name: "save-remote-card",
  text: `
    update remote_agents set card = coalesce($2, card), card_error = $3,
      card_fetched_at = case when $2::jsonb is null then card_fetched_at else clock_timestamp() end
    where id = $1`,
});

/** Stores a fetched card, or the error of the attempt. */
export async function saveRemoteCard(
  tx: Transaction,
  { id, card, error }: { readonly id: string; readonly card: object | null; readonly error: string | null },
): Promise<void> {
  await tx.query(SAVE_CARD, [id, card === null ? null : JSON.stringify(card), error]);
}

const DELETE = statement({ name: "delete-remote-agent", text: `delete from remote_agents where id = $1 returning id` });

/** Deletes a remote agent; returns whether there was one. */
export async function deleteRemoteAgent(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length === 1;
}
