import { isUuid } from "#lib/ids.ts";
import { CUSTOM_TOOL_PREFIX } from "./custom-tool.ts";
import { MCP_TOOL_PREFIX, readMcpToolName } from "./mcp-server.ts";

/** Tools that every agent may list, even if this version lacks them: export files name them. */
export const PROMISED_TOOLS = ["web_search", "knowledge_search", "a2a_delegate"] as const;

/** Tools that a team's mode gives its agents; no agent lists them, but they may require a person's approval. */
export const TEAM_TOOLS = ["delegate_to_worker", "request_revision", "accept_result", "final_answer"] as const;

/** Describes the allowed values of an agent's `tools`, for messages. @param builtIn the names of the built-in tools */
export function describeToolNames(builtIn: readonly string[]): string {
  const names = [...new Set([...builtIn, ...PROMISED_TOOLS])].toSorted();
  return `Known: ${names.join(", ")}, ${CUSTOM_TOOL_PREFIX}<id> of a custom tool, ${MCP_TOOL_PREFIX}<server>/<tool>.`;
}

/** True if a name can be a tool's. The caller still looks up custom tools and tools of MCP servers. */
export function isToolName(name: string, builtIn: readonly string[]): boolean {
  return (
    builtIn.includes(name) ||
    PROMISED_TOOLS.some((promised) => promised === name) ||
    customToolId(name) !== undefined ||
    readMcpToolName(name) !== undefined
  );
}

/** Returns the id in the name of a custom tool, in lower case; undefined for any other name. */
export function customToolId(name: string): string | undefined {
  if (!name.startsWith(CUSTOM_TOOL_PREFIX)) return undefined;
  const id = name.slice(CUSTOM_TOOL_PREFIX.length);
  return isUuid(id) && id === id.toLowerCase() ? id : undefined;
}
