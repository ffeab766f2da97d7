import { AppError, orNotFound } from "#domain/errors.ts";
import { requireRole, serviceIn } from "#domain/access/role.ts";
import * as rows from "#db/queries/mcp-servers/mcp-accounts.ts";
import { readMcpServer } from "#db/queries/mcp-servers/mcp-servers.ts";
import type { McpServerRow } from "#db/queries/mcp-servers/mcp-servers.ts";
import { McpAccountError } from "#protocols/mcp/mcp-server-error.ts";
import type { Workspace } from "../workspace.ts";
import { createAccountAuth, lostAccount, openTokens } from "./account-tokens.ts";
import type { McpAuth } from "#protocols/mcp/mcp-auth.ts";

/** The maximum number of accounts in a list. */
export const MAX_ACCOUNTS = 1_000;

/**
 * The account with which the caller himself calls a server; undefined for a server without OAuth.
 * @throws McpAccountError when there is none, it is lost, or the caller has a key, which stands for nobody
 */
export async function accountForCaller(workspace: Workspace, server: McpServerRow): Promise<McpAuth | undefined> {
  if (server.oauth === null) return undefined;
  const { workspaceId, userId, keyId } = workspace.who;
  const isPersonal = server.oauth.account === "person";
  if (isPersonal && keyId !== null)
    throw new McpAccountError(`A key does not use a person's account at ${server.name}: sign in to the console.`);
  const account = await rows.findMcpAccount(workspace, server.id, isPersonal ? userId : null);
  if (account === undefined) {
    const whose = isPersonal ? "You have no account" : "No account is connected";
    throw new McpAccountError(`${whose} at ${server.name} yet: connect one first.`);
  }
  if (account.status === "lost") throw lostAccount(server, account.error);
  return createAccountAuth(workspace, { workspaceId, server, accountId: account.id });
}

/** The accounts at a server, the workspace's first. @throws AppError `not_found` */
export async function listAccounts(workspace: Workspace, serverId: string): Promise<readonly unknown[]> {
  await serverOf(workspace, serverId);
  return rows.listMcpAccounts(workspace, serverId, MAX_ACCOUNTS);
}

/**
 * Disconnects an account: people their own, admins any. Its tokens are revoked at the server, if that answers.
 * @throws AppError `not_found`; `forbidden`
 */
export async function disconnectAccount(
  workspace: Workspace,
  { serverId, id }: { readonly serverId: string; readonly id: string },
): Promise<void> {
  const server = await serverOf(workspace, serverId);
  const { workspaceId, userId } = workspace.who;
  const row = await rows.readMcpAccount(workspace.db, { workspaceId, id });
  await workspace.transaction(async (tx) => {
    const account = orNotFound("Account")(await rows.ownerOfMcpAccount(tx, serverId, id));
    if (account.userId !== userId) requireRole(workspace.who, "admin");
    await rows.deleteMcpAccount(tx, id);
  });
  if (row === undefined) return;
  const { revokeTokens } = await import("#protocols/mcp/sign-in.ts");
  // Whether or not the server takes notice, nobody has the tokens any more.
  void openTokens(workspace.secrets, { workspaceId, id, server }, row)
    .then((tokens) => revokeTokens(workspace.fetch, tokens))
    .catch(() => undefined);
}

async function serverOf({ db, who }: Workspace, id: string): Promise<McpServerRow> {
  const server = await readMcpServer(db.inWorkspace(serviceIn(who.workspaceId)), id);
  if (server === undefined) throw new AppError("not_found", "MCP server not found.");
  return server;
}
