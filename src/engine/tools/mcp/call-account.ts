import type { Tenant } from "#domain/access/role.ts";
import { question } from "#domain/tasks/interaction.ts";
import { describeCall } from "#domain/tools/describe-call.ts";
import { mcpToolName } from "#domain/tools/mcp-server.ts";
import { findMcpAccount, findMcpAccountForRun } from "#db/queries/mcp-servers/mcp-accounts.ts";
import type { McpAccountState } from "#db/queries/mcp-servers/mcp-accounts.ts";
import type { ListedMcpTool } from "#db/queries/mcp-servers/mcp-tools.ts";
import { createAccountAuth, whyLost } from "#operations/mcp-servers/account-tokens.ts";
import type { McpAuth } from "#protocols/mcp/mcp-auth.ts";
import type { McpServices } from "#operations/mcp-servers/connect.ts";
import type { Pause, ToolContext } from "#tools/define-tool.ts";

/** How long people have to connect an account. */
const ASKED_MS = 24 * 3_600_000;

/** A call of a server's tool. */
export interface McpCall {
  readonly row: ListedMcpTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
}

/** The account with which a call is made, or why it cannot be made now. */
export type CallAccount =
  | (PersonOf & { readonly id: string; readonly auth: McpAuth })
  | { readonly missing: string }
  | undefined;

interface PersonOf {
  /** Whose account it is; absent for the workspace's. */
  readonly userId?: string | null;
}

/**
 * The account of a call: the workspace's, or that of the person who started the run or approved the call. Nobody else's
 * is used. Undefined for a server without OAuth.
 */
export async function accountOfCall(
  services: McpServices,
  tenant: Tenant,
  { row, context }: McpCall,
): Promise<CallAccount> {
  if (row.oauth === null) return undefined;
  const { workspaceId } = tenant;
  const isPersonal = row.oauth.account === "person";
  const found: (McpAccountState & PersonOf) | undefined = isPersonal
    ? await findMcpAccountForRun(services.db, {
        workspaceId,
        serverId: row.id,
        runId: context.subjectId,
        approver: (await context.approver()) ?? null,
      })
    : await findMcpAccount(services.db.inWorkspace(tenant), row.id, null);
  if (found === undefined) {
    const whose = isPersonal
      ? "Neither who started this run nor who approved this call in the console has connected an account"
      : "No account is connected";
    return { missing: `${whose} at ${row.name}.` };
  }
  if (found.status === "lost") return { missing: whyLost(row, found.error) };
  const { id, userId } = found;
  return { id, userId, auth: createAccountAuth(services, { workspaceId, server: row, accountId: id }) };
}

/**
 * Asks people to connect an account, and says where. Who approves then lends his own if the one who started the run has none.
 * @throws Error for the model when they were asked and there is still none
 */
export function askForAccount(publicUrl: string, { row, args, context }: McpCall, missing: string): Pause {
  const { answers, workspaceId } = context;
  const last = answers.at(-1);
  if (last !== undefined) {
    const why = last["approved"] === true ? missing : "Nobody agreed to connect an account.";
    throw new Error(`${why} The call was not made.`);
  }
  const called = describeCall(mcpToolName({ server: row.name, tool: row.tool_name }), JSON.stringify(args));
  const lends =
    row.oauth?.account === "person"
      ? " If you did not start the run, approving in the console lends your own account."
      : "";
  const prompt = {
    type: "approval",
    title: `Connect an account at ${row.name}`,
    description: `${called}\n\n${missing} Connect one at ${publicUrl}/w/${workspaceId}/protocols?tab=mcp&id=${row.id} or with: muster mcp-servers connect ${row.name}. Then approve, and the call is made.${lends}`,
  };
  return { pauseFor: question.parse({ kind: "prompt", prompt, timeoutMs: ASKED_MS, approvers: "members" }) };
}
