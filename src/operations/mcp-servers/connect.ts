import { mcpServerContext } from "#domain/tools/mcp-server.ts";
import type { Tenant } from "#domain/access/role.ts";
import { saveMcpServerInfo } from "#db/queries/mcp-servers/mcp-servers.ts";
import type { McpServerRow } from "#db/queries/mcp-servers/mcp-servers.ts";
import { saveMcpTools } from "#db/queries/mcp-servers/mcp-tools.ts";
import type { McpToolRow } from "#db/queries/mcp-servers/mcp-tools.ts";
import type { McpConnection, McpEndpoint, McpServerInfo, McpWatcher } from "#protocols/mcp/connect.ts";
import { SignInNeededError } from "#protocols/mcp/sign-in-needed.ts";
import { McpAccountError, McpServerError } from "#protocols/mcp/mcp-server-error.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import type { Services } from "../context.ts";
import { openHeaders } from "../tools/stored-headers.ts";
import type { Headers } from "../tools/stored-headers.ts";
import { explained } from "./call.ts";
import { readTools } from "./read-tools.ts";

/** The timeout of connecting to a server and listing its tools. */
const OPEN_TIMEOUT_MS = 45_000;

/** The services that connections to MCP servers need. */
export type McpServices = Pick<Services, "db" | "secrets" | "fetch" | "schemas">;

/** A server's description of itself, and its tools. */
export interface DiscoveredServer {
  readonly info: McpServerInfo;
  readonly tools: readonly McpToolRow[];
}

/** Returns the headers of every request to a server. */
export function headersOf({ secrets }: Pick<McpServices, "secrets">, tenant: Tenant, server: McpServerRow): Headers {
  return openHeaders(secrets, mcpServerContext(tenant.workspaceId, server.id), server);
}

/**
 * Connects to a server and lists its tools.
 * @throws McpServerError, with header values redacted in its message; the signal's reason.
 */
export async function openMcpServer(
  { fetch, schemas }: Pick<McpServices, "fetch" | "schemas">,
  { workspaceId, ...endpoint }: McpEndpoint & Pick<Tenant, "workspaceId">,
  options: McpWatcher & { readonly signal: AbortSignal },
): Promise<DiscoveredServer & { readonly connection: McpConnection }> {
  const limit = startTimeLimit(OPEN_TIMEOUT_MS, options.signal);
  let connection: McpConnection | undefined;
  try {
    const { connectMcp } = await import("#protocols/mcp/connect.ts");
    // Another process may be renewing it: that is not the server's time.
    await endpoint.auth?.token();
    connection = await connectMcp(fetch, endpoint, { ...options, signal: limit.signal });
    const tools = await readTools({ schemas, workspaceId }, await connection.listTools(limit.signal));
    return { connection, info: connection.info, tools };
  } catch (error) {
    await connection?.close();
    options.signal.throwIfAborted();
    if (limit.isOver())
      throw new McpServerError(`The server took longer than ${OPEN_TIMEOUT_MS / 1_000} s to connect.`);
    if (!(error instanceof McpServerError) || error instanceof SignInNeededError) throw error;
    throw explained(error, { ...endpoint.headers, ...endpoint.auth?.used() });
  } finally {
    limit.clear();
  }
}

/** Connects to a server, lists its tools and closes the connection. @throws McpServerError; the signal's reason. */
export async function discoverTools(
  services: Pick<McpServices, "fetch" | "schemas">,
  endpoint: McpEndpoint & Pick<Tenant, "workspaceId">,
  signal: AbortSignal,
): Promise<DiscoveredServer> {
  const { connection, info, tools } = await openMcpServer(services, endpoint, { signal });
  await connection.close();
  return { info, tools };
}

/** A server at the revision that was read before it was called. */
type Asked = Pick<McpServerRow, "id" | "revision" | "oauth">;

/**
 * Stores a server's description and tools, for the person whose account shows them if there is one, unless it was deleted
 * or changed by a person since it was read.
 */
export async function saveDiscovered(
  { db }: Pick<McpServices, "db">,
  tenant: Tenant,
  { server: { id, revision, oauth }, info, tools }: DiscoveredServer & { readonly server: Asked },
): Promise<void> {
  const userId = oauth?.account === "person" ? (tenant.userId ?? null) : null;
  await db.inWorkspace(tenant).transaction(async (tx) => {
    const isCurrent = await saveMcpServerInfo(tx, { id, revision, info, error: null });
    if (isCurrent) await saveMcpTools(tx, { workspaceId: tenant.workspaceId, serverId: id, userId, tools });
  });
}

/** Stores why a server could not be reached; its tools remain. What is wrong with an account, the account's record says. */
export async function recordConnectionError(
  { db }: Pick<McpServices, "db">,
  tenant: Tenant,
  { server: { id, revision }, error }: { readonly server: Asked; readonly error: McpServerError },
): Promise<void> {
  if (error instanceof McpAccountError) return;
  const { message } = error;
  await db.inWorkspace(tenant).transaction((tx) => saveMcpServerInfo(tx, { id, revision, info: null, error: message }));
}
