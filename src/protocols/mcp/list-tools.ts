import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { toMcpError } from "./mcp-error.ts";
import { McpServerError } from "./mcp-server-error.ts";
import { remoteTool } from "./remote-tool.ts";
import type { RemoteTool } from "./remote-tool.ts";

/** The limits per server, across all pages. */
const MAX_TOOLS = 500;
const MAX_CHARACTERS = 2 * 1_048_576;
const MAX_PAGES = 50;
const TIMEOUT_MS = 30_000;

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/**
 * Lists all tools of a server, across pages. Skips tools whose description is unusable.
 * @throws McpServerError also when there are too many, they are too large, or it takes too long
 */
export async function listTools(client: Client, outer: AbortSignal): Promise<readonly RemoteTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const limit = startTimeLimit(TIMEOUT_MS, outer);
  try {
    return await readPages(client, limit.signal);
  } catch (error) {
    outer.throwIfAborted();
    if (limit.isOver())
      throw new McpServerError(`The server took longer than ${TIMEOUT_MS / 1_000} s to list its tools.`);
    throw toMcpError(error);
  } finally {
    limit.clear();
  }
}

async function readPages(client: Client, signal: AbortSignal): Promise<readonly RemoteTool[]> {
  const tools = new Map<string, RemoteTool>();
  let characters = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const found = await client.request({ method: "tools/list", params }, page, { signal, timeout: TIMEOUT_MS });
    characters += JSON.stringify(found.tools).length;
    if (characters > MAX_CHARACTERS) {
      throw new McpServerError(`The server's list of tools is longer than ${MAX_CHARACTERS} characters.`);
    }
    for (const each of found.tools) {
      const { data: tool } = remoteTool.safeParse(each);
      if (tool !== undefined && !tools.has(tool.name)) tools.set(tool.name, tool);
    }
    if (tools.size > MAX_TOOLS) throw new McpServerError(`The server has more than ${MAX_TOOLS} tools.`);
    cursor = found.nextCursor ?? "";
    if (cursor === "") return [...tools.values()];
  }
  throw new McpServerError(`The server's list of tools has more than ${MAX_PAGES} pages.`);
}
