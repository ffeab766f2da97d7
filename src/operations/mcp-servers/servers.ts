import { AppError, orNotFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { MCP_TOOL_PREFIX, mcpServerContext } from "#domain/tools/mcp-server.ts";
import type { McpServerCreate, McpServerPatch, McpToolName } from "#domain/tools/mcp-server.ts";
import { serviceIn } from "#domain/access/role.ts";
import type { Transaction } from "#db/database.ts";
import * as rows from "#db/queries/mcp-servers/mcp-servers.ts";
import type { McpServerRow } from "#db/queries/mcp-servers/mcp-servers.ts";
import {
  approveAllMcpTools,
  approveMcpTools,
  listMcpTools,
  listUsableMcpTools,
  saveMcpTools,
} from "#db/queries/mcp-servers/mcp-tools.ts";
import type { ListedServerTool, McpToolRow } from "#db/queries/mcp-servers/mcp-tools.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { cutText } from "#lib/http/cut-text.ts";
import type { StoredMcpOAuth, McpOAuth } from "#domain/tools/mcp-account.ts";
import { deleteMcpAccounts } from "#db/queries/mcp-servers/mcp-accounts.ts";
import { SignInNeededError } from "#protocols/mcp/sign-in-needed.ts";
import type { SignInChallenge } from "#protocols/mcp/sign-in-needed.ts";
import type { McpEndpoint } from "#protocols/mcp/connect.ts";
import { McpAccountError, McpServerError } from "#protocols/mcp/mcp-server-error.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { argumentIssues } from "../tools/custom-tools/check-schema.ts";
import { describeContent } from "../tools/describe-content.ts";
import { checkHeaders, mergeHeaders, encryptHeaders } from "../tools/stored-headers.ts";
import { callMcpTool } from "./call.ts";
import { discoverTools, headersOf, openMcpServer, saveDiscovered, recordConnectionError } from "./connect.ts";
import type { DiscoveredServer } from "./connect.ts";
import type { Workspace } from "../workspace.ts";
import { accountForCaller } from "./accounts.ts";
import { encryptClient } from "./sign-in.ts";

const found = orNotFound("MCP server");

/** The maximum number of tools in the list of all servers. */
export const MAX_LISTED_TOOLS = 1_000;

/** Connects to a server and lists its tools, without storing them. @throws AppError `bad_request` on failure. */
export function discoverMcpServer(
  workspace: Workspace,
  { url, headers, signal }: McpEndpoint & { readonly signal: AbortSignal },
): Promise<DiscoveredServer> {
  return discoverTools(workspace, { workspaceId: workspace.who.workspaceId, url, headers }, signal).catch(asBadRequest);
}

/**
 * The same for a server to which people sign in: undefined when it lists its tools for them only.
 * @throws AppError `bad_request` on any other failure
 */
export async function discoverBeforeSignIn(
  workspace: Workspace,
  endpoint: McpEndpoint & { readonly signal: AbortSignal },
): Promise<DiscoveredServer | undefined> {
  return discoverMcpServer(workspace, endpoint).catch((error: unknown) => {
    if (challengeIn(error) === undefined) throw error;
    return undefined;
  });
}

/** The same for a server of which nothing is known: undefined when it says that people sign in. */
export async function discoverUnknown(
  workspace: Workspace,
  endpoint: McpEndpoint & { readonly signal: AbortSignal },
): Promise<DiscoveredServer | undefined> {
  return discoverMcpServer(workspace, endpoint).catch((error: unknown) => {
    const hasKey = Object.keys(endpoint.headers).length > 0;
    if (hasKey || challengeIn(error)?.resourceMetadataUrl === undefined) throw error;
    return undefined;
  });
}

function challengeIn(error: unknown): SignInChallenge | undefined {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof SignInNeededError ? cause.challenge : undefined;
}

/** Registers a server with its tools, if it lists them without an account. @throws AppError `conflict` when the workspace has one of this name. */
export async function registerMcpServer(
  workspace: Workspace,
  { server, discovered }: { readonly server: McpServerCreate; readonly discovered: DiscoveredServer | undefined },
): Promise<JsonText> {
  const id = newId();
  const { workspaceId, userId: createdBy } = workspace.who;
  const { headers, oauth, ...fields } = server;
  const encrypted = {
    ...encryptHeaders(workspace.secrets, mcpServerContext(workspaceId, id), headers),
    oauth: storedOAuth(oauth),
    client_ciphertext: givenClient(workspace, id, oauth),
  };
  const { info } = discovered ?? { info: {} };
  const tools = discovered === undefined || oauth?.account === "person" ? [] : discovered.tools;
  return workspace.transaction(async (tx) => {
    await rows.insertMcpServer(tx, { ...fields, ...encrypted, id, workspaceId, createdBy, info });
    await saveMcpTools(tx, { workspaceId, serverId: id, userId: null, tools });
    await approveAllMcpTools(tx, id);
    return found(await readRecord(tx, "mcp_server", id));
  });
}

function storedOAuth(oauth: McpOAuth | null): StoredMcpOAuth | null {
  return oauth && { account: oauth.account, scope: oauth.scope ?? null, client_id: oauth.client_id ?? null };
}

/** The client that an admin gave, encrypted; null for one that is registered. @throws AppError `bad_request` */
function givenClient(workspace: Workspace, id: string, oauth: McpOAuth | null): string | null {
  const { client_id, client_secret } = oauth ?? {};
  if (client_id == null) {
    if (client_secret == null) return null;
    throw invalid("body", [{ path: "oauth.client_id", message: "is needed with client_secret" }]);
  }
  const client = { client_id, ...(client_secret != null && { client_secret }) };
  return encryptClient(workspace, { workspaceId: workspace.who.workspaceId, id }, client);
}

/** Reads a server, without the values of its headers. @throws AppError `not_found`. */
export async function getMcpServer(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "mcp_server", id));
}

/** Lists the tools of a server as last fetched. @throws AppError `not_found`. */
export async function listServerTools(
  workspace: Workspace,
  id: string,
): Promise<{ readonly server: McpServerRow; readonly tools: readonly ListedServerTool[] }> {
  // As the service: a viewer's role may not read the headers, which are not passed on.
  const server = found(await rows.readMcpServer(workspace.db.inWorkspace(serviceIn(workspace.who.workspaceId)), id));
  return { server, tools: await listMcpTools(workspace, id) };
}

/** Lists the tools that agents can use, of all enabled servers: the first {@link MAX_LISTED_TOOLS} by the server's name. */
export function listUsableTools(workspace: Workspace): Promise<McpToolName[]> {
  return listUsableMcpTools(workspace, MAX_LISTED_TOOLS);
}

/** Validated changes to a server; its tools are listed again if the connection changes. */
export interface PreparedMcpPatch {
  readonly id: string;
  readonly patch: McpServerPatch;
  readonly headers: Readonly<Record<string, string>>;
  readonly revision: string;
  readonly discovered: DiscoveredServer | undefined;
}

/**
 * Validates changes by connecting to the server. Not for use inside a transaction. @throws AppError `not_found`;
 * `bad_request`.
 */
export async function prepareMcpPatch(
  workspace: Workspace,
  { id, patch, signal }: { readonly id: string; readonly patch: McpServerPatch; readonly signal: AbortSignal },
): Promise<PreparedMcpPatch> {
  const current = found(await rows.readMcpServer(workspace, id));
  const old = headersOf(workspace, workspace.who, current);
  const headers = patch.headers === undefined ? old : checkHeaders(mergeHeaders(patch.headers, old));
  const { url = current.url } = patch;
  const isOther = patch.url !== undefined || patch.headers !== undefined;
  const { oauth = current.oauth } = patch;
  const discover = oauth === null ? discoverMcpServer : discoverBeforeSignIn;
  const discovered = isOther || patch.oauth === null ? await discover(workspace, { url, headers, signal }) : undefined;
  return { id, patch, headers, revision: current.revision, discovered };
}

/** Writes validated changes. @throws AppError `not_found`; `conflict` after a concurrent change. */
export async function updateMcpServer(
  workspace: Workspace,
  {
    id,
    patch: { headers: given, approve_tools: approved, oauth, ...changes },
    headers,
    revision,
    discovered,
  }: PreparedMcpPatch,
): Promise<JsonText> {
  const { workspaceId } = workspace.who;
  return workspace.transaction(async (tx) => {
    const current = found(await rows.lockMcpServer(tx, id));
    if (current.revision !== revision)
      throw new AppError("conflict", "The MCP server was changed by another request; try again.");
    const encrypted = given && encryptHeaders(workspace.secrets, mcpServerContext(workspaceId, id), headers);
    const signIn = changedSignIn(workspace, current, { oauth, url: changes.url });
    if (signIn !== undefined) await deleteMcpAccounts(tx, id);
    const next = { ...current, ...changes, ...encrypted, ...signIn };
    await rows.updateMcpServer(tx, next);
    if (discovered !== undefined) await rows.saveMcpServerInfo(tx, { id, info: discovered.info, error: null });
    const listed = next.oauth?.account === "person" ? [] : discovered?.tools;
    if (listed !== undefined) await saveMcpTools(tx, { workspaceId, serverId: id, userId: null, tools: listed });
    // Who changes the endpoint or begins to hold changes accepts the tools as they are.
    const begins = changes.on_change === "hold" && current.on_change === "use";
    if (begins || discovered !== undefined) await approveAllMcpTools(tx, id);
    if (approved !== undefined) await approve(tx, { serverId: id, tools: approved });
    return found(await readRecord(tx, "mcp_server", id));
  });
}

/** How people sign in from now on, if that changes: tokens count for one URL and one client. */
function changedSignIn(
  workspace: Workspace,
  current: McpServerRow,
  { oauth, url = current.url }: { readonly oauth: McpOAuth | null | undefined; readonly url: string | undefined },
): Pick<McpServerRow, "oauth" | "client_ciphertext"> | undefined {
  const next = oauth === undefined ? current.oauth : storedOAuth(oauth);
  const isSame = JSON.stringify(next) === JSON.stringify(ordered(current.oauth)) && oauth?.client_secret == null;
  if (isSame && url === current.url) return undefined;
  // A secret that is not sent again stays.
  const keepsClient =
    next?.client_id != null && next.client_id === current.oauth?.client_id && oauth?.client_secret == null;
  const client = keepsClient ? current.client_ciphertext : givenClient(workspace, current.id, oauth ?? null);
  return { oauth: next, client_ciphertext: client };
}

/** In the order in which they are compared; jsonb has its own. */
function ordered(oauth: StoredMcpOAuth | null): StoredMcpOAuth | null {
  return oauth && { account: oauth.account, scope: oauth.scope, client_id: oauth.client_id };
}

async function approve(tx: Transaction, given: Parameters<typeof approveMcpTools>[1]): Promise<void> {
  const approved = new Set(await approveMcpTools(tx, given));
  const others = Object.keys(given.tools).filter((name) => !approved.has(name));
  if (others.length === 0) return;
  throw new AppError(
    "conflict",
    `The server has no tools of these names and hashes (any more): ${others.join(", ")}. List its tools again.`,
  );
}

/**
 * Connects to a server again and lists its tools; the processes' connections are opened again, too. On failure, the tools remain and the record has the reason.
 * @throws AppError `not_found`; `conflict` when there is no account to do so
 */
export async function refreshMcpServer(
  workspace: Workspace,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<JsonText> {
  const server = found(await workspace.transaction((tx) => rows.renewMcpServer(tx, id)));
  const { workspaceId } = workspace.who;
  const headers = headersOf(workspace, workspace.who, server);
  try {
    const auth = await accountForCaller(workspace, server);
    const endpoint = { workspaceId, url: server.url, headers, auth };
    await saveDiscovered(workspace, workspace.who, { server, ...(await discoverTools(workspace, endpoint, signal)) });
  } catch (error) {
    if (!(error instanceof McpServerError)) throw error;
    await recordConnectionError(workspace, workspace.who, { server, error });
    if (error instanceof McpAccountError && !error.isLost)
      throw new AppError("conflict", error.message, { cause: error });
  }
  return getMcpServer(workspace, id);
}

/** Deletes a server. @throws AppError `not_found`; `conflict` naming the agents that list its tools. */
export async function deleteMcpServer(workspace: Workspace, id: string): Promise<void> {
  await workspace.transaction(async (tx) => {
    const { name } = found(await rows.lockMcpServer(tx, id));
    const agents = await rows.agentsWithMcpTools(tx, workspace.who.workspaceId, `${MCP_TOOL_PREFIX}${name}/`);
    if (agents.length > 0) {
      throw new AppError(
        "conflict",
        `Tools of this server are used by: ${agents.join(", ")}. Remove them there first.`,
      );
    }
    await rows.deleteMcpServer(tx, id);
  });
}

/** The outcome of a test. */
export interface McpTestOutcome {
  readonly durationMs: number;
  /** The text that a model would read; null when the call failed. */
  readonly output: string | null;
  readonly error: string | null;
}

/**
 * Calls a tool once, as an agent would. @throws AppError `not_found`; `bad_request` for an unknown tool or invalid
 * arguments.
 */
export async function testMcpTool(
  workspace: Workspace,
  test: { id: string; tool: string; args: Readonly<Record<string, unknown>>; signal: AbortSignal },
): Promise<McpTestOutcome> {
  const { server, tools } = await listServerTools(workspace, test.id);
  const tool = usableTool(tools, test.tool);
  const { workspaceId } = workspace.who;
  const issues = await argumentIssues(workspace, { workspaceId, parameters: tool.input_schema }, test.args);
  if (issues.length > 0) {
    const at = (path: string) => (path === "" ? "arguments" : `arguments.${path}`);
    throw invalid(
      "body",
      issues.map(({ path, message }) => ({ path: at(path), message })),
    );
  }
  const begun = performance.now();
  const headers = headersOf(workspace, workspace.who, server);
  const { output, error } = await callOnce(workspace, { workspaceId, server, headers }, { ...test, tool });
  return { durationMs: Math.round(performance.now() - begun), output, error };
}

function usableTool(tools: readonly McpToolRow[], name: string): McpToolRow {
  const tool = tools.find((each) => each.name === name);
  const names = tools.map((each) => each.name).join(", ") || "none";
  const issue = tool === undefined ? `The server has no such tool. Its tools: ${names}.` : tool.issue;
  if (tool === undefined || issue !== null) throw invalid("body", [{ path: "tool", message: issue ?? "" }]);
  return tool;
}

interface TestedServer extends Pick<McpEndpoint, "headers"> {
  readonly workspaceId: string;
  readonly server: McpServerRow;
}

async function callOnce(
  workspace: Workspace,
  { workspaceId, server, headers }: TestedServer,
  call: { readonly tool: McpToolRow; readonly args: Readonly<Record<string, unknown>>; readonly signal: AbortSignal },
): Promise<Pick<McpTestOutcome, "output" | "error">> {
  const limit = startTimeLimit(server.timeout_ms, call.signal);
  try {
    const auth = await accountForCaller(workspace, server);
    const endpoint = { workspaceId, url: server.url, headers, auth };
    const { connection } = await openMcpServer(workspace, endpoint, { signal: limit.signal });
    const tool = { name: call.tool.name, inputSchema: call.tool.input_schema };
    const request = { tool, args: call.args, idempotencyKey: newId(), signal: limit.signal };
    const { content, isError } = await callMcpTool(connection, request).finally(() => connection.close());
    const text = cutText(content.map(describeContent).join("\n"));
    return isError ? { output: null, error: text } : { output: text, error: null };
  } catch (error) {
    call.signal.throwIfAborted();
    if (limit.isOver()) return { output: null, error: `The tool took longer than ${server.timeout_ms / 1_000} s.` };
    if (!(error instanceof McpServerError)) throw error;
    return { output: null, error: error.message };
  } finally {
    limit.clear();
  }
}

function asBadRequest(error: unknown): never {
  if (!(error instanceof McpServerError)) throw error;
  const { message } = error;
  throw new AppError("bad_request", message, { cause: error, details: [{ path: "url", message }] });
}
