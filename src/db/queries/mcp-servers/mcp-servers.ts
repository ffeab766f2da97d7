import type { StoredMcpOAuth } from "#domain/tools/mcp-account.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A stored MCP server with its encrypted headers. */
export interface McpServerRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly headers_ciphertext: string | null;
  /** Its headers as the API shows them. */
  readonly headers_shown: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly is_enabled: boolean;
  /** What becomes of tools that the server changes or adds: they are used, or held until an admin approves them. */
  readonly on_change: "use" | "hold";
  /** How people sign in by OAuth; null for a server without. */
  readonly oauth: StoredMcpOAuth | null;
  /** The OAuth client, encrypted. */
  readonly client_ciphertext: string | null;
  /** A new value after each change by a person. */
  readonly revision: string;
}

const COLUMNS = `s.id, s.name, s.url, s.headers_ciphertext, s.headers_shown, s.timeout_ms, s.is_enabled,
  s.on_change, s.oauth, s.client_ciphertext, s.updated_at::text as revision`;
const FIELDS =
  "name, url, headers_ciphertext, headers_shown, timeout_ms, is_enabled, on_change, oauth, client_ciphertext";

/** The fields of a server that a person sets. */
export type McpServerFields = Omit<McpServerRow, "revision">;

const INSERT = statement({
  name: "insert-mcp-server",
  text: `
    insert into mcp_servers (id, workspace_id, created_by, info, ${FIELDS})
    select $1, $2, $3, $4, ${FIELDS}
    from jsonb_populate_record(null::mcp_servers, $5)`,
});

/** Inserts a server. @throws an error of the constraint `mcp_servers_name_key` when the name is in use. */
export async function insertMcpServer(
  tx: Transaction,
  server: McpServerFields & { readonly workspaceId: string; readonly createdBy: string; readonly info: object },
): Promise<void> {
  const { workspaceId, createdBy, info, ...row } = server;
  await tx.query(INSERT, [row.id, workspaceId, createdBy, JSON.stringify(info), JSON.stringify(row)]);
}

const READ = statement({ name: "read-mcp-server-row", text: `select ${COLUMNS} from mcp_servers s where s.id = $1` });

/** Reads a server with its encrypted headers; undefined when the workspace has none with this id. */
export async function readMcpServer(
  db: Pick<WorkspaceDatabase, "query">,
  id: string,
): Promise<McpServerRow | undefined> {
  const [row] = await db.query<McpServerRow>(READ, [id]);
  return row;
}

const LOCK = statement({ name: "lock-mcp-server", text: `${READ.text} for update` });

/** Locks a server for a change; undefined when the workspace has none with this id. */
export async function lockMcpServer(tx: Transaction, id: string): Promise<McpServerRow | undefined> {
  const [row] = await tx.query<McpServerRow>(LOCK, [id]);
  return row;
}

const UPDATE = statement({
  name: "update-mcp-server",
  text: `
    update mcp_servers s set (url, headers_ciphertext, headers_shown, timeout_ms, is_enabled, on_change, oauth, client_ciphertext,
        updated_at) =
      (select url, headers_ciphertext, headers_shown, timeout_ms, is_enabled, on_change, oauth,
        client_ciphertext, clock_timestamp()
       from jsonb_populate_record(s, $2))
    where id = $1`,
});

/** Writes the changeable fields of a server. */
export async function updateMcpServer(tx: Transaction, row: McpServerFields): Promise<void> {
  await tx.query(UPDATE, [row.id, JSON.stringify(row)]);
}

const RENEW = statement({
  name: "renew-mcp-server",
  text: `update mcp_servers s set updated_at = clock_timestamp() where s.id = $1 returning ${COLUMNS}`,
});

/**
 * Gives a server a new revision, so every process opens a new connection at its next use; undefined when the workspace
 * has none with this id.
 */
export async function renewMcpServer(tx: Transaction, id: string): Promise<McpServerRow | undefined> {
  const [row] = await tx.query<McpServerRow>(RENEW, [id]);
  return row;
}

const SAVE_INFO = statement({
  name: "save-mcp-server-info",
  text: `
    update mcp_servers set info = coalesce($2, info), last_error = $3,
      tools_fetched_at = case when $2::jsonb is null then tools_fetched_at else clock_timestamp() end
    where id = $1 and ($4::text is null or updated_at::text = $4) returning id`,
});

/** The result of contacting a server. */
export interface McpServerNews {
  readonly id: string;
  /** Nothing is written when a person has changed the server since this revision. */
  readonly revision?: string;
  /** Its self-description; null when it could not be reached. */
  readonly info: object | null;
  /** The error; null when it was reached. */
  readonly error: string | null;
}

/** Records the result of contacting a server and locks its row; returns whether it was recorded. */
export async function saveMcpServerInfo(
  tx: Transaction,
  { id, revision, info, error }: McpServerNews,
): Promise<boolean> {
  const values = [id, info === null ? null : JSON.stringify(info), error, revision ?? null];
  return (await tx.query(SAVE_INFO, values)).length === 1;
}

const USERS = statement({
  name: "agents-with-mcp-server",
  text: `
    select name from agents
    where workspace_id = $1 and exists (select from unnest(tools) tool where starts_with(tool, $2))
    order by name limit 10`,
});

/** The names of the first agents that use a tool with this name prefix. */
export async function agentsWithMcpTools(tx: Transaction, workspaceId: string, prefix: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(USERS, [workspaceId, prefix]);
  return rows.map(({ name }) => name);
}

const DELETE = statement({ name: "delete-mcp-server", text: `delete from mcp_servers where id = $1` });

/** Deletes a server and its tools. */
export async function deleteMcpServer(tx: Transaction, id: string): Promise<void> {
  await tx.query(DELETE, [id]);
}

const HOLD = statement({ name: "lock-mcp-servers", text: `select lock_mcp_servers($1) as name` });

/** The existing ones among these servers, locked against deletion until the transaction ends. */
export async function lockMcpServers(tx: Transaction, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ name: string }>(HOLD, [names]);
  return new Set(rows.map(({ name }) => name));
}
