import { z } from "zod";
import {
  MCP_SERVER_READ_ONLY,
  mcpDiscovery,
  mcpServerCreate,
  mcpServerPatch,
  mcpToolName,
  modelToolName,
} from "#domain/protocols/mcp-server.ts";
import { listPage } from "#operations/list-records.ts";
import {
  MAX_LISTED_TOOLS,
  deleteMcpServer,
  discoverMcpServer,
  getMcpServer,
  listServerTools,
  listUsableTools,
  prepareMcpPatch,
  refreshMcpServer,
  registerMcpServer,
  testMcpTool,
  updateMcpServer,
} from "#operations/protocols/mcp-servers/servers.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import { pageQuery, readPage } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readBody } from "../../middleware/read-body.ts";
import { mcpDiscoveryResult, mcpServerRecord, mcpTestResult, mcpToolRecord } from "./mcp-server-records.ts";

const PATH = "/console/api/mcp-servers";
const testBody = z.strictObject({
  tool: z.string().min(1).describe("The tool's name on the server."),
  arguments: z.record(z.string(), z.unknown()).default({}).describe("The arguments, as a model would give them."),
});

/** Adds /console/api/mcp-servers: external servers whose tools the workspace's agents may call. */
export default function addMcpServers(api: Api): void {
  addPath(api, PATH, { tag: "MCP servers", endpoints: collection() });
  addPath(api, `${PATH}/discover`, { tag: "MCP servers", endpoints: [discover()] });
  // Registered before the paths with an id.
  addPath(api, `${PATH}/tools`, { tag: "MCP servers", endpoints: [allTools()] });
  addPath(api, `${PATH}/{id}`, { tag: "MCP servers", endpoints: [read(), update(), remove()] });
  addPath(api, `${PATH}/{id}/tools`, { tag: "MCP servers", endpoints: [tools()] });
  addPath(api, `${PATH}/{id}/refresh`, { tag: "MCP servers", endpoints: [refresh()] });
  addPath(api, `${PATH}/{id}/test`, { tag: "MCP servers", endpoints: [test()] });
}

function collection(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "listMcpServers",
      summary: "List the workspace's MCP servers, newest first",
      query: pageQuery,
      success: { status: 200, schema: z.array(mcpServerRecord) },
      handle: async (c, services) =>
        respondPage(c, await listPage(services, c.get("principal"), { of: "mcp_server", ...readPage(c) })),
    },
    {
      method: "post",
      operationId: "createMcpServer",
      needs: "admin",
      summary: "Register an MCP server; its tools are listed",
      body: mcpServerCreate,
      success: { status: 201, schema: mcpServerRecord },
      async prepare(c, services) {
        const server = await readBody(c, mcpServerCreate, MCP_SERVER_READ_ONLY);
        const { signal } = c.req.raw;
        const discovered = await discoverMcpServer(services, c.get("principal"), { ...server, signal });
        return async (joined) =>
          respond(c, await registerMcpServer(joined, c.get("principal"), { server, discovered }), 201);
      },
    },
  ];
}

function discover(): Endpoint {
  return {
    method: "post",
    operationId: "discoverMcpServer",
    needs: "admin",
    summary: "List the tools of an MCP server without registering it",
    body: mcpDiscovery,
    success: { status: 200, schema: mcpDiscoveryResult },
    async prepare(c, services) {
      const endpoint = { ...(await readBody(c, mcpDiscovery)), signal: c.req.raw.signal };
      const { info, tools: found } = await discoverMcpServer(services, c.get("principal"), endpoint);
      const { name, version, protocolVersion, transport } = info;
      const server = { server_name: name, server_version: version, protocol_version: protocolVersion, transport };
      return () => respondValue(c, { ...server, tools: found });
    },
  };
}

function read(): Endpoint {
  return {
    method: "get",
    operationId: "getMcpServer",
    summary: "Read an MCP server",
    params: idQuery,
    success: { status: 200, schema: mcpServerRecord },
    handle: async (c, services) => respond(c, await getMcpServer(services, c.get("principal"), readId(c))),
  };
}

function update(): Endpoint {
  return {
    method: "patch",
    operationId: "updateMcpServer",
    needs: "admin",
    summary: "Change an MCP server; its tools are listed again if the URL or the headers change",
    params: idQuery,
    body: mcpServerPatch,
    success: { status: 200, schema: mcpServerRecord },
    async prepare(c, services) {
      const patch = await readBody(c, mcpServerPatch, [...MCP_SERVER_READ_ONLY, "name"]);
      const request = { id: readId(c), patch, signal: c.req.raw.signal };
      const prepared = await prepareMcpPatch(services, c.get("principal"), request);
      return async (joined) => respond(c, await updateMcpServer(joined, c.get("principal"), prepared));
    },
  };
}

function remove(): Endpoint {
  return {
    method: "delete",
    operationId: "deleteMcpServer",
    needs: "admin",
    summary: "Delete an MCP server whose tools no agent lists",
    params: idQuery,
    success: { status: 204 },
    async handle(c, services) {
      await deleteMcpServer(services, c.get("principal"), readId(c));
      return c.body(null, 204);
    },
  };
}

function allTools(): Endpoint {
  return {
    method: "get",
    operationId: "listUsableMcpTools",
    summary: "List the tools that agents can use, of all enabled MCP servers",
    success: {
      status: 200,
      schema: z
        .array(z.string())
        .describe(
          `As an agent's tools name them, mcp:server/tool; the first ${MAX_LISTED_TOOLS} by the server's name.`,
        ),
    },
    handle: async (c, services) =>
      respondValue(c, (await listUsableTools(services, c.get("principal"))).map(mcpToolName)),
  };
}

function tools(): Endpoint {
  return {
    method: "get",
    operationId: "listMcpServerTools",
    summary: "List the tools of an MCP server, as last fetched",
    params: idQuery,
    success: { status: 200, schema: z.array(mcpToolRecord) },
    async handle(c, services) {
      const { server, tools: listed } = await listServerTools(services, c.get("principal"), readId(c));
      const named = listed.map((tool) => {
        const name = { server: server.name, tool: tool.name };
        return { ...tool, agents_list_it_as: mcpToolName(name), models_call_it: modelToolName(name) };
      });
      return respondValue(c, named);
    },
  };
}

function refresh(): Endpoint {
  return {
    method: "post",
    operationId: "refreshMcpServer",
    needs: "admin",
    summary: "Connect to an MCP server again and list its tools",
    params: idQuery,
    success: { status: 200, schema: mcpServerRecord },
    async prepare(c, services) {
      const record = await refreshMcpServer(services, c.get("principal"), { id: readId(c), signal: c.req.raw.signal });
      return () => respond(c, record);
    },
  };
}

function test(): Endpoint {
  return {
    method: "post",
    operationId: "testMcpServerTool",
    summary: "Call a tool of an MCP server once, as an agent would",
    params: idQuery,
    body: testBody,
    success: { status: 200, schema: mcpTestResult },
    async prepare(c, services) {
      const { tool, arguments: args } = await readBody(c, testBody);
      const request = { id: readId(c), tool, args, signal: c.req.raw.signal };
      const { durationMs, output, error } = await testMcpTool(services, c.get("principal"), request);
      const status = error === null ? "success" : "failed";
      return () => respondValue(c, { status, duration_ms: durationMs, output, error });
    },
  };
}
