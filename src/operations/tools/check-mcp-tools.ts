import type { FieldIssue } from "#domain/errors.ts";
import { readMcpToolName } from "#domain/tools/mcp-server.ts";
import type { McpToolName } from "#domain/tools/mcp-server.ts";
import type { Transaction } from "#db/database.ts";
import { lockMcpServers } from "#db/queries/mcp-servers/mcp-servers.ts";
import { namesOfMcpServers, namesOfMcpTools } from "#db/queries/mcp-servers/mcp-tools.ts";
import type { NamedMcpTool } from "#db/queries/mcp-servers/mcp-tools.ts";

const MAX_NAMES_SHOWN = 20;

/** A tool of an agent, and its path in the input. */
export interface NamedTool {
  readonly name: string;
  readonly path: string;
}

/**
 * Finds which of these MCP tools cannot be given to agents, and why; ignores other tools. Locks the servers against
 * deletion until the transaction ends.
 */
export async function findMcpToolIssues(tx: Transaction, named: readonly NamedTool[]): Promise<readonly FieldIssue[]> {
  const asked = named.flatMap(({ name, path }) => {
    const tool = readMcpToolName(name);
    return tool === undefined ? [] : [{ path, tool }];
  });
  if (asked.length === 0) return [];
  const servers = [...new Set(asked.map(({ tool }) => tool.server))];
  const held = await lockMcpServers(tx, servers);
  const tools = await namesOfMcpTools(tx, servers);
  const others = held.size < servers.length ? await namesOfMcpServers(tx) : [];
  return asked.flatMap(({ path, tool }) => {
    const message = held.has(tool.server) ? toolIssue(tool, tools) : serverIssue(tool, others);
    return message === undefined ? [] : [{ path, message }];
  });
}

function serverIssue({ server }: McpToolName, known: readonly string[]): string {
  return `the workspace has no MCP server ${server}. Known: ${known.join(", ") || "none"}.`;
}

function toolIssue({ server, tool }: McpToolName, tools: readonly NamedMcpTool[]): string | undefined {
  const all = tools.filter((each) => each.server === server);
  const own = all.filter((each) => each.tool !== "");
  const found = own.find((each) => each.tool === tool);
  if (found !== undefined) {
    return found.issue === null ? undefined : `the tool ${tool} of ${server} cannot be used. ${found.issue}`;
  }
  // Another person's account may show it.
  if (all.some(({ isPersonal }) => isPersonal)) return undefined;
  const names = own.slice(0, MAX_NAMES_SHOWN).map((each) => each.tool);
  const rest = own.length > names.length ? ` and ${own.length - names.length} more` : "";
  return `the MCP server ${server} has no tool ${tool}. Its tools: ${names.join(", ") || "none"}${rest}.`;
}
