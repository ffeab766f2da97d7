import type { McpToolName } from "#domain/tools/mcp-server.ts";
import type { Database, Transaction, WorkspaceDatabase } from "../../database.ts";
import type { McpServerRow } from "./mcp-servers.ts";
import { statement } from "../../statement.ts";

/** A stored tool of an MCP server. */
export interface McpToolRow {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** The server's annotations of the tool, such as `destructiveHint`. */
  readonly annotations: Readonly<Record<string, unknown>>;
  /** Why agents cannot use it; null when they can. */
  readonly issue: string | null;
  /** Differs for each text, schema and set of annotations. */
  readonly hash: string;
}

/** A tool as it is listed: a held one has an issue, too. */
export interface ListedServerTool extends McpToolRow {
  /** Whether an admin must approve it first. */
  readonly held: boolean;
}

const TOOLS = "name, title, description, input_schema, annotations, issue, hash";
/** SQL: whether a tool `t` of the server `s` waits for an admin, and why agents cannot use it. */
const HELD = "(s.on_change = 'hold' and t.approved_hash is distinct from t.hash)";
const ISSUE = `coalesce(t.issue, case when ${HELD}
  then 'The server has changed or added it. An admin must approve it first.' end)`;

const LIST = statement({
  name: "list-mcp-tools",
  text: `
    select t.name, t.title, t.description, t.input_schema, t.annotations, ${ISSUE} as issue, t.hash, ${HELD} as held
    from listed_mcp_tools t join mcp_servers s on s.id = t.server_id where t.server_id = $1 order by t.position`,
});

/** All tools of a server that the caller may see, in the server's order. */
export function listMcpTools(db: WorkspaceDatabase, serverId: string): Promise<ListedServerTool[]> {
  return db.query<ListedServerTool>(LIST, [serverId]);
}

const REMOVE = statement({
  name: "remove-mcp-tools",
  text: `delete from mcp_tools where server_id = $1 and not name = any($2)`,
});
const REMOVE_OWN = statement({
  name: "remove-mcp-account-tools",
  text: `delete from mcp_account_tools where server_id = $1 and not name = any($2) and user_id = $3`,
});

/** SQL: the listed tools in $3, to store in a table for the server $2 of the workspace $1. */
const GIVEN = `given.position, given.name, given.title, given.description, given.input_schema, given.annotations, given.issue,
      given.hash
    from json_to_recordset($3) as given (position integer, name text, title text, description text,
      input_schema json, annotations jsonb, issue text, hash text)`;
const CHANGED = `position = excluded.position, title = excluded.title,
      description = excluded.description, input_schema = excluded.input_schema,
      annotations = excluded.annotations, issue = excluded.issue, hash = excluded.hash
    where (t.position, t.issue, t.hash) is distinct from (excluded.position, excluded.issue, excluded.hash)`;

const SAVE = statement({
  name: "save-mcp-tools",
  text: `
    insert into mcp_tools as t (workspace_id, server_id, position, ${TOOLS}) select $1, $2, ${GIVEN}
    on conflict (server_id, name) do update set ${CHANGED}`,
});
const SAVE_OWN = statement({
  name: "save-mcp-account-tools",
  text: `
    insert into mcp_account_tools as t (workspace_id, server_id, user_id, position, ${TOOLS}) select $1, $2, $4, ${GIVEN}
    on conflict (server_id, user_id, name) do update set ${CHANGED}`,
});

/** The tools of a server as they were listed. */
export interface ListedTools {
  readonly workspaceId: string;
  readonly serverId: string;
  /** The person whose account shows them; null where they are the same for everybody. */
  readonly userId: string | null;
  readonly tools: readonly McpToolRow[];
}

/** Replaces the tools of a server whose row is locked; unchanged ones are not written. */
export async function saveMcpTools(
  tx: Transaction,
  { workspaceId, serverId, userId, tools }: ListedTools,
): Promise<void> {
  const names = tools.map(({ name }) => name);
  const rows = JSON.stringify(tools.map((tool, position) => ({ position, ...tool })));
  if (userId === null) {
    await tx.query(REMOVE, [serverId, names]);
    await tx.query(SAVE, [workspaceId, serverId, rows]);
  } else {
    await tx.query(REMOVE_OWN, [serverId, names, userId]);
    await tx.query(SAVE_OWN, [workspaceId, serverId, rows, userId]);
  }
}

const APPROVE = statement({
  name: "approve-mcp-tools",
  text: `
    update mcp_tools t set approved_hash = t.hash from json_each_text($2) as given
    where t.server_id = $1 and t.name = given.key and t.hash = given.value returning t.name`,
});

/** Approves tools by their names and hashes; returns the names of those that have these hashes. */
export async function approveMcpTools(
  tx: Transaction,
  { serverId, tools }: { readonly serverId: string; readonly tools: Readonly<Record<string, string>> },
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(APPROVE, [serverId, JSON.stringify(tools)]);
  return rows.map(({ name }) => name);
}

const APPROVE_ALL = statement({
  name: "approve-all-mcp-tools",
  text: `update mcp_tools set approved_hash = hash where server_id = $1 and approved_hash is distinct from hash`,
});

/** Approves all tools of a server as they are. */
export async function approveAllMcpTools(tx: Transaction, serverId: string): Promise<void> {
  await tx.query(APPROVE_ALL, [serverId]);
}

/** A tool used by an agent, with its server. */
export interface ListedMcpTool extends McpServerRow {
  readonly tool_name: string;
  /** Null, like what follows, while nobody has connected the account that would tell. */
  readonly tool_description: string | null;
  readonly tool_schema: Readonly<Record<string, unknown>> | null;
  readonly tool_hash: string | null;
}

const FIND = statement({
  name: "find-mcp-tools",
  text: `
    select s.id, s.name, s.url, s.headers_ciphertext, s.headers_shown, s.timeout_ms, s.is_enabled,
      s.on_change, s.oauth, s.client_ciphertext, s.updated_at::text as revision, asked.tool as tool_name,
      t.description as tool_description, t.input_schema as tool_schema, t.hash as tool_hash
    from unnest($2::text[], $3::text[]) as asked (server, tool)
    join mcp_servers s on s.workspace_id = $1 and s.name = asked.server and s.is_enabled
    cross join lateral (select s.oauth->>'account' = 'person' as personal) k
    cross join lateral (select case when k.personal then starter_of($4) end as id) starter
    left join lateral (
      select t.description, t.input_schema, t.hash from listed_mcp_tools t
      left join mcp_accounts a on a.server_id = t.server_id and a.user_id = t.user_id
      where t.server_id = s.id and t.name = asked.tool and ${ISSUE} is null
        and case when starter.id is not null then t.user_id = starter.id else (t.user_id is not null) = coalesce(k.personal, false) end
      order by a.created_at limit 1) t on true
    where t.hash is not null or k.personal and not exists (
      select from mcp_accounts a where a.server_id = s.id and a.user_id = coalesce(starter.id, a.user_id))`,
});

/**
 * The ones among these tools that a run's agent can use now. Where accounts are those of persons, they are the tools of who
 * started the run; without an account of theirs, the call asks for it. In a run that nobody started himself, they are
 * those of whoever connected first.
 */
export function findMcpTools(
  db: Database,
  {
    workspaceId,
    runId,
    names,
  }: { readonly workspaceId: string; readonly runId: string; readonly names: readonly McpToolName[] },
): Promise<ListedMcpTool[]> {
  const values = [workspaceId, names.map(({ server }) => server), names.map(({ tool }) => tool), runId];
  return db.query<ListedMcpTool>(FIND, values);
}

const SHOWN = statement({
  name: "find-mcp-tool-of-account",
  text: `
    select t.input_schema as schema, t.hash from listed_mcp_tools t join mcp_accounts a using (server_id, user_id)
    where a.id = $1 and t.name = $2 and t.issue is null`,
});

/** A tool as a person's account shows it. */
export interface ShownMcpTool {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

/** The tool of this name that a person's account shows, as the service itself. */
export async function findMcpToolOfAccount(
  db: Database,
  accountId: string,
  name: string,
): Promise<ShownMcpTool | undefined> {
  return (await db.query<ShownMcpTool>(SHOWN, [accountId, name]))[0];
}

const USABLE = statement({
  name: "list-usable-mcp-tools",
  text: `
    select s.name as server, t.name as tool from mcp_servers s join listed_mcp_tools t on t.server_id = s.id
    where s.workspace_id = current_workspace_id() and s.is_enabled and ${ISSUE} is null
    order by s.name, t.position limit $1`,
});

/** The tools that agents can list, of all enabled servers. */
export function listUsableMcpTools(db: WorkspaceDatabase, limit: number): Promise<McpToolName[]> {
  return db.query<McpToolName>(USABLE, [limit]);
}

const NAMES = statement({
  name: "names-of-mcp-tools",
  text: `
    select s.name as server, coalesce(t.name, '') as tool, ${ISSUE} as issue,
      coalesce(s.oauth->>'account' = 'person', false) as "isPersonal"
    from mcp_servers s left join listed_mcp_tools t on t.server_id = s.id
    where s.workspace_id = (select current_workspace_id()) and s.name = any($1) order by s.name, t.position`,
});

/** A tool of an MCP server by name; see {@link McpToolRow} for its issue. */
export interface NamedMcpTool extends McpToolName {
  readonly issue: string | null;
  /** Whether each person's account shows tools of its own. */
  readonly isPersonal: boolean;
}

/** The names of all tools of these servers that the caller may see, with the issue of unusable ones; one is empty for none. */
export function namesOfMcpTools(tx: Transaction, servers: readonly string[]): Promise<NamedMcpTool[]> {
  return tx.query<NamedMcpTool>(NAMES, [servers]);
}

const SERVERS = statement({
  name: "names-of-mcp-servers",
  text: `select name from mcp_servers where workspace_id = (select current_workspace_id()) order by name limit 20`,
});

/** The names of the workspace's first MCP servers. */
export async function namesOfMcpServers(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(SERVERS, []);
  return rows.map(({ name }) => name);
}
