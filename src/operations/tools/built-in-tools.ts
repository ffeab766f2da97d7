import { DELEGATE_TOOL, delegateInput } from "#domain/tools/remote-agent.ts";
import { serviceIn } from "#domain/access/role.ts";
import { listEnabledRemoteAgents } from "#db/queries/remote-agents/remote-agents.ts";
import type { BuiltInTool } from "#domain/tools/built-in-tool.ts";
import { jsonSchemaOf } from "#lib/json-schema/json-schema-of.ts";
import type { Workspace } from "../workspace.ts";

/** Lists the built-in tools by name, with whether the workspace can use them now. */
export async function listBuiltInTools(workspace: Workspace): Promise<readonly BuiltInTool[]> {
  // As the service: a viewer's role may not read the tokens, which are not passed on.
  const [remote] = await listEnabledRemoteAgents(workspace.db.inWorkspace(serviceIn(workspace.who.workspaceId)), 1);
  const delegate: BuiltInTool = {
    name: DELEGATE_TOOL,
    description:
      "Delegates work to a remote agent and returns its answer. The model receives the list of remote agents.",
    inputSchema: jsonSchemaOf(delegateInput),
    obstacle: remote === undefined ? "No remote agent is connected and enabled." : undefined,
  };
  return [...workspace.builtInTools, delegate].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
