const MAX_NAME = 64;

/** The name under which MCP clients see an agent, as docs/mcp.md has it. */
export function mcpToolName(agentName: string): string {
  return agentName
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .slice(0, MAX_NAME);
}
