import { z } from "zod";
import {
  MCP_SERVER_READ_ONLY,
  mcpDiscovery,
  mcpServerCreate,
  mcpServerPatch,
  mcpToolName,
  modelToolName,
} from "#domain/tools/mcp-server.ts";
import { listPage } from "#operations/list-records.ts";
import {
  MAX_LISTED_TOOLS,
  deleteMcpServer,
  discoverBeforeSignIn,
  discoverMcpServer,
  discoverUnknown,
  getMcpServer,
  listServerTools,
  listUsableTools,
  prepareMcpPatch,
  refreshMcpServer,
  registerMcpServer,
  testMcpTool,
  updateMcpServer,
} from "#operations/mcp-servers/servers.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { mcpDiscoveryResult, mcpServerRecord, mcpTestResult, mcpToolRecord } from "./mcp-server-records.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/mcp-servers";
const testBody = z.strictObject({
  tool: z.string().min(1).describe("The tool's name on the server."),
  arguments: z.record(z.string(), z.unknown()).default({}).describe("The arguments, as a model would give them."),
});

/** Adds /console/api/mcp-servers: external servers whose tools the workspace's agents may call. */
export default function addMcpServers(api: Api): void {
  addPath(api, PATH, { tag: "MCP servers", endpoints: [list, create] });
  addPath(api, `${PATH}/discover`, { tag: "MCP servers", endpoints: [discover] });
  // Registered before the paths with an id.
  addPath(api, `${PATH}/tools`, { tag: "MCP servers", endpoints: [usableTools] });
  addPath(api, `${PATH}/{id}`, { tag: "MCP servers", endpoints: [read, change, remove] });
  addPath(api, `${PATH}/{id}/tools`, { tag: "MCP servers", endpoints: [tools] });
  addPath(api, `${PATH}/{id}/refresh`, { tag: "MCP servers", endpoints: [refresh] });
  addPath(api, `${PATH}/{id}/test`, { tag: "MCP servers", endpoints: [test] });
}

const list = endpoint({
  method: "get",
  operationId: "listMcpServers",
  summary: "List the workspace's MCP servers, newest first",
  query: pageQuery,
  success: { status: 200, schema: z.array(mcpServerRecord) },
  handle: async ({ c, workspace, query }) =>
    respondPage(c, await listPage(workspace, { of: "mcp_server", ...pageOf(query) })),
});

const create = endpoint({
  method: "post",
  operationId: "createMcpServer",
  needs: "admin",
  summary: "Register an MCP server; its tools are listed",
  body: mcpServerCreate,
  readOnly: MCP_SERVER_READ_ONLY,
  success: { status: 201, schema: mcpServerRecord },
  async prepare({ c, workspace, body }) {
    const discover = body.oauth === null ? discoverMcpServer : discoverBeforeSignIn;
    const discovered = await discover(workspace, { ...body, signal: c.req.raw.signal });
    return async (joined) => respond(c, await registerMcpServer(joined, { server: body, discovered }), 201);
  },
});

const discover = endpoint({
  method: "post",
  operationId: "discoverMcpServer",
  needs: "admin",
  summary: "List the tools of an MCP server without registering it",
  body: mcpDiscovery,
  success: { status: 200, schema: mcpDiscoveryResult },
  async prepare({ c, workspace, body }) {
    const found = await discoverUnknown(workspace, { ...body, signal: c.req.raw.signal });
    const { name = null, version = null, protocolVersion = null, transport = null } = found?.info ?? {};
    const server = { server_name: name, server_version: version, protocol_version: protocolVersion, transport };
    return () => respondValue(c, { ...server, tools: found?.tools ?? [], needs_sign_in: found === undefined });
  },
});

const read = endpoint({
  method: "get",
  operationId: "getMcpServer",
  summary: "Read an MCP server",
  params: idQuery,
  success: { status: 200, schema: mcpServerRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getMcpServer(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateMcpServer",
  needs: "admin",
  summary: "Change an MCP server; its tools are listed again if the URL or the headers change",
  params: idQuery,
  body: mcpServerPatch,
  readOnly: [...MCP_SERVER_READ_ONLY, "name"],
  success: { status: 200, schema: mcpServerRecord },
  async prepare({ c, workspace, params, body }) {
    const request = { id: params.id, patch: body, signal: c.req.raw.signal };
    const prepared = await prepareMcpPatch(workspace, request);
    return async (joined) => respond(c, await updateMcpServer(joined, prepared));
  },
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteMcpServer",
  needs: "admin",
  summary: "Delete an MCP server whose tools no agent lists",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteMcpServer(workspace, params.id),
});

const usableTools = endpoint({
  method: "get",
  operationId: "listUsableMcpTools",
  summary: "List the tools that agents can use, of all enabled MCP servers",
  success: {
    status: 200,
    schema: z
      .array(z.string())
      .describe(`As an agent's tools name them, mcp:server/tool; the first ${MAX_LISTED_TOOLS} by the server's name.`),
  },
  handle: async ({ c, workspace }) => respondValue(c, (await listUsableTools(workspace)).map(mcpToolName)),
});

const tools = endpoint({
  method: "get",
  operationId: "listMcpServerTools",
  summary: "List the tools of an MCP server, as last fetched",
  params: idQuery,
  success: { status: 200, schema: z.array(mcpToolRecord) },
  async handle({ c, workspace, params }) {
    const { server, tools: listed } = await listServerTools(workspace, params.id);
    const named = listed.map((tool) => {
      const name = { server: server.name, tool: tool.name };
      return { ...tool, agents_list_it_as: mcpToolName(name), models_call_it: modelToolName(name) };
    });
    return respondValue(c, named);
  },
});

const refresh = endpoint({
  method: "post",
  operationId: "refreshMcpServer",
  needs: "admin",
  summary: "Connect to an MCP server again and list its tools",
  params: idQuery,
  success: { status: 200, schema: mcpServerRecord },
  async prepare({ c, workspace, params }) {
    const record = await refreshMcpServer(workspace, { id: params.id, signal: c.req.raw.signal });
    return () => respond(c, record);
  },
});

const test = endpoint({
  method: "post",
  operationId: "testMcpServerTool",
  starts: true,
  summary: "Call a tool of an MCP server once, as an agent would",
  params: idQuery,
  body: testBody,
  success: { status: 200, schema: mcpTestResult },
  async prepare({ c, workspace, params, body }) {
    const { tool, arguments: args } = body;
    const request = { id: params.id, tool, args, signal: c.req.raw.signal };
    const { durationMs, output, error } = await testMcpTool(workspace, request);
    const status = error === null ? "success" : "failed";
    return () => respondValue(c, { status, duration_ms: durationMs, output, error });
  },
});
