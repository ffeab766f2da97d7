import { mcpServerCreate, mcpServerPatch } from "#domain/tools/mcp-server.ts";
import { readMcpServer } from "#db/queries/mcp-servers/mcp-servers.ts";
import { headersOf } from "../../mcp-servers/connect.ts";
import {
  deleteMcpServer,
  discoverMcpServer,
  prepareMcpPatch,
  registerMcpServer,
  updateMcpServer,
} from "../../mcp-servers/servers.ts";
import { defineResourceKind, idOf, oneByOne } from "../resource-kind.ts";
import { headerSecrets } from "./header-secrets.ts";

/** MCP servers. A new one, and one with another URL or other headers, is asked for its tools. */
export const mcpServers = defineResourceKind({
  resource: "mcp_server",
  folder: "mcp-servers",
  schema: mcpServerCreate,
  listed: "mcp_server",
  secretsOf: () => ["headers.*"],
  async openSecrets(workspace, id) {
    const server = await readMcpServer(workspace, id);
    return headerSecrets(server && headersOf(workspace, workspace.who, server));
  },
  async begin(workspace, { id, isNew, input, signal }) {
    if (isNew) {
      const server = mcpServerCreate.parse(input.fields);
      const discovered = await discoverMcpServer(workspace, { url: server.url, headers: server.headers, signal });
      return async (joined) => ({ id: idOf(await registerMcpServer(joined, { server, discovered })) });
    }
    const prepared = await prepareMcpPatch(workspace, { id, patch: mcpServerPatch.parse(input.changes), signal });
    return async (joined) => {
      await updateMcpServer(joined, prepared);
      return { id };
    };
  },
  remove: oneByOne(deleteMcpServer),
});
