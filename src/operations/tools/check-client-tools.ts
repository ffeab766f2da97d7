import { readToolNames } from "#db/queries/agents/agents.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import { serviceIn } from "#domain/access/role.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { schemaIssue } from "./custom-tools/check-schema.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Checks that no client tool has the name of one of the agent's own, and that the schemas are usable. Call it before
 * any transaction: the check may be queued.
 * @throws AppError `bad_request` with the path of each issue; `rate_limit_exceeded` when the workspace's schema  
 * checks use too much CPU time.
 */
export async function checkClientTools(
  workspace: Workspace,
  { agentId, clientTools: { tools } }: { readonly agentId: string; readonly clientTools: ClientTools },
): Promise<void> {
  if (tools.length === 0) return;
  const { reach, workspaceId } = workspace.who;
  // An agent beyond the reach of the key is refused later: its tools are not told before.
  if (reach?.includes(agentId) === false) return;
  // A limited key sees no tools of the workspace, but those of its agents count.
  const own = await readToolNames(
    reach === undefined ? workspace : workspace.db.inWorkspace(serviceIn(workspaceId)),
    agentId,
  );
  const issues = await Promise.all(
    tools.map(async ({ name, inputSchema }, index): Promise<FieldIssue[]> => {
      const path = `tools.${index}`;
      if (own.has(name)) return [{ path, message: `the agent has a tool called ${name}: rename yours` }];
      const message = await schemaIssue(workspace, workspaceId, inputSchema);
      return message === undefined ? [] : [{ path: `${path}.parameters`, message }];
    }),
  );
  if (issues.flat().length > 0) throw invalid("body", issues.flat());
}
