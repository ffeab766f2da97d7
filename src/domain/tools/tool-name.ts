import { isUuid } from "#lib/ids.ts";
import { CUSTOM_TOOL_PREFIX } from "./custom-tool.ts";
import { MCP_TOOL_PREFIX, readMcpToolName } from "../protocols/mcp-server.ts";

/** Tools that every agent may list, whether this program has them already or not: files name them. */
export const PROMISED_TOOLS = ["web_search", "knowledge_search", "a2a_delegate"] as const;

/** Tools that the mode of a team gives to its agents; no agent lists them, but they may need a person's approval. */
export const TEAM_TOOLS = ["delegate_to_worker", "request_revision", "accept_result", "final_answer"] as const;

/** What an agent's `tools` may hold, for messages to callers. @param builtIn the names of the tools of this program */
export function describeToolNames(builtIn: readonly string[]): string {
  const names = [...new Set([...builtIn, ...PROMISED_TOOLS])].toSorted();
  return `Known: ${names.join(", ")}, ${CUSTOM_TOOL_PREFIX}<id> of a custom tool, ${MCP_TOOL_PREFIX}<server>/<tool>.`;
}

/** Whether a name can name a tool. A custom tool's id and the tool of an MCP server are still to be looked up. */
export function isToolName(name: string, builtIn: readonly string[]): boolean {
  return (
    builtIn.includes(name) ||
    PROMISED_TOOLS.some((promised) => promised === name) ||
    customToolId(name) !== undefined ||
    readMcpToolName(name) !== undefined
  );
}

/** The id in the name of a custom tool, in small letters; undefined for any other name. */
export function customToolId(name: string): string | undefined {
  if (!name.startsWith(CUSTOM_TOOL_PREFIX)) return undefined;
  const id = name.slice(CUSTOM_TOOL_PREFIX.length);
  return isUuid(id) && id === id.toLowerCase() ? id : undefined;
}
