import { z } from "zod";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";
import { resolveName } from "../arguments/resolve-name.ts";

const PATH = "/console/api/mcp-servers";

const serverAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  timeout_ms: z.number(),
  is_enabled: z.boolean(),
  server_name: z.string().nullable(),
  server_version: z.string().nullable(),
  protocol_version: z.string(),
  transport: z.string(),
  tool_count: z.number(),
  tools_fetched_at: z.string(),
  last_error: z.string().nullable(),
});
const toolAnswer = z.looseObject({
  name: z.string(),
  description: z.string(),
  agents_list_it_as: z.string(),
  issue: z.string().nullable(),
});
const testAnswer = z.looseObject({
  status: z.string(),
  duration_ms: z.number(),
  output: z.string().nullable(),
  error: z.string().nullable(),
});

/** An MCP server as the commands see it. */
export type CliMcpServer = z.output<typeof serverAnswer>;

/** The operations on MCP servers that the commands use. */
export interface McpServersApi {
  list(limit: number): Promise<Listed<CliMcpServer>>;
  get(id: string): Promise<CliMcpServer>;
  add(server: object): Promise<CliMcpServer>;
  update(id: string, patch: object): Promise<CliMcpServer>;
  refresh(id: string): Promise<CliMcpServer>;
  tools(id: string): Promise<z.output<typeof toolAnswer>[]>;
  test(id: string, tool: string, args: object): Promise<z.output<typeof testAnswer>>;
  remove(id: string): Promise<void>;
  /** The id of the server that a user named by its id or its name. @throws UsageError. */
  resolve(idOrName: string): Promise<string>;
}

/** The operations over a client. */
export function createMcpServersApi(client: HttpClient): McpServersApi {
  const one = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  const list = (limit: number) => listRecords(client, { path: PATH, record: serverAnswer, limit });
  return {
    list,
    get: (id) => client.request(serverAnswer, { method: "GET", path: one(id) }),
    add: (body) => client.request(serverAnswer, { method: "POST", path: PATH, body }),
    update: (id, body) => client.request(serverAnswer, { method: "PATCH", path: one(id), body }),
    refresh: (id) => client.request(serverAnswer, { method: "POST", path: `${one(id)}/refresh` }),
    tools: (id) => client.request(z.array(toolAnswer), { method: "GET", path: `${one(id)}/tools` }),
    test: (id, tool, args) =>
      client.request(testAnswer, { method: "POST", path: `${one(id)}/test`, body: { tool, arguments: args } }),
    remove: (id) => client.request(z.undefined(), { method: "DELETE", path: one(id) }),
    resolve: (idOrName) =>
      resolveName(idOrName, {
        what: "mcp-server",
        list: async () => (await list(Infinity)).items,
        detail: ({ url }) => url,
        none: "No MCP servers. Register one: muster mcp-servers add <name> <url>",
      }),
  };
}
