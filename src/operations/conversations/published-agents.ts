import { listMcpAgents } from "#db/queries/agents/agents.ts";
import { toolsOf } from "#domain/tools/mcp-tools.ts";
import type { PublishedTool } from "#domain/tools/mcp-tools.ts";
import type { Workspace } from "../workspace.ts";

/** Lists the agents of the caller's workspace that are published to MCP, under the names of their tools. */
export async function listPublishedTools(workspace: Workspace): Promise<readonly PublishedTool[]> {
  return toolsOf(await listMcpAgents(workspace));
}
