import { listMcpAgents } from "#db/queries/agents/agents.ts";
import { toolsOf } from "#domain/tools/mcp-tools.ts";
import type { PublishedTool } from "#domain/tools/mcp-tools.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Services } from "../context.ts";

/** Lists the agents of the caller's workspace that are published to MCP, under the names of their tools. */
export async function listPublishedTools(
  services: Pick<Services, "db">,
  who: Principal,
): Promise<readonly PublishedTool[]> {
  return toolsOf(await listMcpAgents(services.db, who));
}
