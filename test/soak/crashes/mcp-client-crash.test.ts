import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, listOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import type { McpServer } from "../../support/mcp/server.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase, TestProcess } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { orderOf, toolResult } from "../../support/tool-calls.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const keys = createKeys();
let database: TestDatabase;
let service: TestProcess;
let server: McpServer;
let agentId: string;

const start = () => startProcess({ databaseUrl: database.url, keys, env: { ALLOW_PRIVATE_URLS: "true" } });

beforeAll(async () => {
  database = await createDatabase();
  service = await start();
  server = await startMcpServer("sessions");
  const made = await consoleOf(service, keys.api).post("/mcp-servers", { name: "tools", url: server.url });
  expect(made.status).toBe(201);
  const tools = ["mcp:tools/echo", "mcp:tools/hang"];
  agentId = (await createAgent(apiOf(service, keys.api), { tools })).id;
});
afterAll(async () => {
  await service.stop();
  await server.close();
  await database.drop();
});

async function started(tool: string, text: string): Promise<string> {
  const description = orderOf(`tools--${tool}`, { text });
  return (await createTask(apiOf(service, keys.api), { assigned_agent_id: agentId, description })).id;
}

verifies(
  "mcp.client.restart",
  "after kill -9 a finished call is not repeated, and one in flight is, with the same key",
  async () => {
    const two = `${orderOf("tools--echo", { text: "first" })}${orderOf("tools--hang", { text: "second" })}`;
    const api = apiOf(service, keys.api);
    const { id: taskId } = await createTask(api, { assigned_agent_id: agentId, description: two });
    const callsOf = (text: string) => server.calls.filter(({ args }) => args["text"] === text);
    await eventually("the second call", () => callsOf("second").length === 1);
    await eventually("the first is recorded", async () => {
      const rows = await sql(database.url, "select from run_steps where result::text like '%echo: first%'");
      return rows.length === 1;
    });
    await service.kill();
    service = await start();
    await eventually("the second call is made again", () => callsOf("second").length === 2);
    server.release("released");
    await taskIn(apiOf(service, keys.api), taskId, "completed");
    const ends = ofType(await readToEnd(service, { agentId, taskId }), "TOOL_CALL_END");
    expect(ends.map(({ result }) => String(result)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "echo: first",
      "released",
    ]);
    expect(callsOf("first")).toHaveLength(1);
    expect(new Set(callsOf("second").map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  },
);

verifies("mcp.client.two-processes", "two processes call a server, and one learns from the other", async () => {
  const other = await start();
  try {
    const call = (at: TestProcess) => toolResult(at, { agentId, name: "tools--echo", args: { text: "hi" } });
    expect(await Promise.all([service, other, service, other].map(call))).toEqual(Array(4).fill("echo: hi"));
    const { id } = listOf(await consoleOf(other, keys.api).get("/mcp-servers"))[0] ?? {};
    await server.setTools(["echo", "hang", "brand_new"]);
    for (const at of [service, other]) {
      const tools = () => consoleOf(at, keys.api).get(`/mcp-servers/${String(id)}/tools`);
      await eventually("the new tool", async () => listOf(await tools()).some(({ name }) => name === "brand_new"));
    }
    const tools = ["mcp:tools/brand_new"];
    const another = await createAgent(apiOf(other, keys.api), { tools });
    const made = { agentId: another.id, name: "tools--brand_new", args: { text: "x" } };
    expect(await toolResult(service, made)).toBe("brand_new: x");
    const changed = await consoleOf(other, keys.api).patch(`/mcp-servers/${String(id)}`, { headers: { "X-New": "1" } });
    expect(fieldsOf(changed)["headers"]).toEqual({ "X-New": "••••" });
    expect(await call(service)).toBe("echo: hi");
    expect(server.headers.at(-1)).toMatchObject({ "x-new": "1" });
  } finally {
    await other.stop();
  }
});

verifies("mcp.client.cancel", "a process that shuts down leaves no connection open", async () => {
  const id = await started("echo", "before the stop");
  await taskIn(apiOf(service, keys.api), id, "completed");
  await service.stop();
  service = await start();
  const again = await started("echo", "after the stop");
  await taskIn(apiOf(service, keys.api), again, "completed");
});
