import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { toolResult } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const MEBIBYTE = "x".repeat(1_048_576);
const SECRET = "Bearer sk-of-the-server-4711";
const rpc = z.looseObject({
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.looseObject({ name: z.string().optional(), cursor: z.string().optional() }).optional(),
});

let service: SharedService;
let desk: Api;
let server: FakeServer;

beforeAll(async () => {
  ({ service } = await useScriptedService());
  desk = consoleOf(service, service.keys.api);
  server = await startFakeServer(answer);
});
afterAll(async () => {
  await server.close();
});

/** A server with a handshake; how it misbehaves is said by the path of its endpoint. */
function answer({ method, path, body, headers }: SeenRequest, response: ServerResponse): void {
  if (method !== "POST") return void response.writeHead(405).end();
  if (path === "/html") return void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>");
  if (path === "/refuse") return void response.writeHead(401).end(String(headers["authorization"]));
  if (path === "/broken") return void response.writeHead(500).end(`no, ${headers["authorization"]}`);
  if (path === "/json") return answerJson(response, { hello: "world" });
  if (path === "/no-json") return void response.writeHead(200, { "content-type": "application/json" }).end("{hello");
  const { id, method: asked, params } = rpc.parse(JSON.parse(body));
  const send = (result: object) => answerJson(response, { jsonrpc: "2.0", id, result });
  if (path === "/no-handshake") return send({});
  if (asked === "initialize") {
    const serverInfo = { name: "hostile", version: "1" };
    return send({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
  }
  if (id === undefined) return void response.writeHead(202).end();
  if (asked === "tools/list") return list(path, params?.cursor, send, response);
  if (asked === "tools/call") return call(params?.name ?? "", response, send);
  answerJson(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
}

function toolOf(name: string, inputSchema: object = { type: "object" }) {
  return { name, inputSchema };
}

function list(
  path: string,
  cursor: string | undefined,
  send: (result: object) => void,
  response: ServerResponse,
): void {
  const page = Number(cursor ?? 0);
  switch (path) {
    case "/pages":
      return send({ tools: [toolOf(`t${page}`)], nextCursor: String(page + 1) });
    case "/many":
      return send({ tools: Array.from({ length: 501 }, (_, n) => toolOf(`t${n}`)) });
    case "/long":
      return send({
        tools: [
          { ...toolOf("t"), description: MEBIBYTE },
          { ...toolOf("u"), description: MEBIBYTE },
        ],
      });
    case "/endless":
      return endless(response);
    case "/schemas":
      return send({
        tools: [
          toolOf("array", { type: "array" }),
          toolOf("long", { type: "object", description: "x".repeat(40_000) }),
          toolOf("wrong", { type: "object", properties: { a: { $ref: "https://elsewhere.example/" } } }),
          toolOf("slow", { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } }),
          { name: "task", inputSchema: { type: "object" }, execution: { taskSupport: "required" } },
          { name: "no schema" },
          "no tool",
          toolOf("good"),
        ],
      });
    default:
      return send({ tools: ["flood", "gone", "nonsense", "echoes", "slow"].map((name) => toolOf(name)) });
  }
}

/** Writes a stream of comments until its reader disconnects. */
function endless(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const more = () => {
    while (!response.destroyed && response.write(`: ${MEBIBYTE}\n`));
  };
  response.on("drain", more);
  more();
}

function call(name: string, response: ServerResponse, send: (result: object) => void): void {
  if (name === "flood") return endless(response);
  if (name === "gone") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": begun\n\n");
    return void setTimeout(() => response.end(), 50);
  }
  if (name === "slow") return;
  if (name === "nonsense") return send({ content: "no list" });
  send({ content: [{ type: "text", text: `You sent ${SECRET}.` }] });
}

const FAULTS = [
  { path: "/pages", message: "more than 50 pages" },
  { path: "/many", message: "more than 500 tools" },
  { path: "/long", message: "longer than 2097152 characters" },
  { path: "/endless", message: "more than 10 MiB" },
  { path: "/html", message: "check the URL. Unexpected content type: text/html." },
  { path: "/json", message: "is not a valid MCP message: check the URL." },
  { path: "/no-json", message: "is not a valid MCP message: check the URL." },
  { path: "/no-handshake", message: "Invalid result for initialize: protocolVersion: " },
  { path: "/refuse", message: "rejected the credentials (HTTP 401)" },
  { path: "/broken", message: "HTTP 500" },
] as const;

for (const { path, message } of FAULTS) {
  verifies("mcp.client.hostile", `a server that answers with ${path} cannot be registered`, async () => {
    const body = { name: "hostile", url: server.url + path, headers: { Authorization: SECRET } };
    const refused = await desk.post("/mcp-servers", body);
    expect(refusal(refused)).toMatchObject({ status: 400, message: expect.stringContaining(message), paths: ["url"] });
    expect(refused.text).not.toMatch(/sk-of|\[\\n/);
  });
}

verifies(
  "mcp.client.hostile",
  "unusable tools show the reason, and the other tools still work",
  async () => {
    const made = await desk.post("/mcp-servers", { name: "schemas", url: `${server.url}/schemas` });
    const tools = listOf(await desk.get(`/mcp-servers/${String(fieldsOf(made)["id"])}/tools`));
    expect(tools.map(({ name, issue }) => [name, issue])).toEqual([
      ["array", "Its input schema does not describe an object."],
      ["long", "Its input schema is longer than 32000 characters."],
      ["wrong", expect.stringContaining("Its input schema is not a usable JSON Schema")],
      ["slow", null],
      ["task", "It can only be called as an MCP task, which is not supported."],
      ["good", null],
    ]);
    const api = apiOf(service, service.keys.api);
    const refused = await api.post("/api-agents", { name: "A", model: "demo", tools: ["mcp:schemas/wrong"] });
    expect(refusal(refused)).toMatchObject({ status: 400, message: expect.stringContaining("cannot be used") });
    const { id: agentId } = await createAgent(api, { tools: ["mcp:schemas/slow"] });
    const args = { a: `${"a".repeat(50)}!` };
    expect(await toolResult(service, { agentId, name: "schemas--slow", args })).toContain("takes too long");
  },
  { tags: "slow" },
);

verifies(
  "mcp.client.hostile",
  "calls of a misbehaving server end with a clear error",
  async () => {
    const headers = { Authorization: SECRET };
    const made = await desk.post("/mcp-servers", { name: "calls", url: `${server.url}/calls`, headers });
    expect(made.status).toBe(201);
    const names = ["flood", "gone", "nonsense", "echoes"];
    const tools = names.map((name) => `mcp:calls/${name}`);
    const { id: agentId } = await createAgent(apiOf(service, service.keys.api), { tools });
    const results = [];
    for (const name of names) results.push(await toolResult(service, { agentId, name: `calls--${name}`, args: {} }));
    expect(results).toEqual([
      expect.stringContaining("more than 10 MiB"),
      expect.stringContaining("the connection was lost before the response"),
      "no list",
      "You sent ••••.",
    ]);
  },
  { tags: "slow" },
);

verifies("mcp.client.hostile", "a call of a server that does not respond ends at the server's timeout", async () => {
  const silent = { name: "silent", url: `${server.url}/calls`, timeout_ms: 500 };
  expect((await desk.post("/mcp-servers", silent)).status).toBe(201);
  const { id: agentId } = await createAgent(apiOf(service, service.keys.api), { tools: ["mcp:silent/slow"] });
  const result = await toolResult(service, { agentId, name: "silent--slow", args: {} });
  expect(result).toBe("The tool took longer than 0.5 s.");
});

verifies("mcp.client.guard", "without the operator's permission private networks are not contacted", async () => {
  const closed = await useSharedService();
  const inside = await startMcpServer("stateless");
  try {
    const local = `http://localhost:${inside.port}/mcp`;
    for (const url of [inside.url, local, "http://169.254.169.254/mcp", "ftp://example.org/mcp"]) {
      const refused = await consoleOf(closed, closed.keys.api).post("/mcp-servers", { name: "inside", url });
      expect(refusal(refused)).toMatchObject({ status: 400, paths: ["url"] });
    }
    expect(inside.headers).toEqual([]);
  } finally {
    await inside.close();
  }
});
