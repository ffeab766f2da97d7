import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { questionOf, respond } from "../../support/interactions.ts";
import { PIXEL, startMcpServer } from "../../support/mcp/server.ts";
import type { McpKind, McpServer } from "../../support/mcp/server.ts";
import { startTask } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readStream } from "../../support/sse-client.ts";
import { orderOf, toolResult } from "../../support/tool-calls.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";

const SECRET = "Bearer sk-of-the-server-4711";

let service: TestService;
let provider: ScriptedProvider;
let api: Api;
let desk: Api;

beforeAll(async () => {
  provider = await startScriptedProvider((call, reply) => {
    const [, tool = ""] = /call (\S+)/.exec(call.task) ?? [];
    if (call.turn === 0 && tool !== "") reply.callTool(tool, { text: "hello" });
    else reply.say("Done.");
    reply.finish();
  });
  const env = { ALLOW_PRIVATE_URLS: "true", OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: "key" };
  service = await startService({ env });
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

let registered = 0;
/** Registers a server and makes an agent that has these of its tools. */
async function register(server: Pick<McpServer, "url">, { tools = ["echo"], fields = {}, agent = {} } = {}) {
  const name = `server-${(registered += 1)}`;
  const made = await desk.post("/mcp-servers", { name, url: server.url, ...fields });
  expect(made.text).toContain(name);
  const id = String(fieldsOf(made)["id"]);
  const names = tools.map((tool) => `mcp:${name}/${tool}`);
  const { id: agentId } = await createAgent(api, { tools: names, ...agent });
  const call = (tool: string, args: object) => toolResult(service, { agentId, name: `${name}--${tool}`, args });
  return { id, name, agentId, call };
}

async function withServer(kind: McpKind, run: (server: McpServer) => Promise<void>): Promise<void> {
  const server = await startMcpServer(kind);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

const CASES = [
  {
    kind: "stateless",
    spoken: { protocol_version: "2026-07-28", transport: "streamable_http" },
    verifies: "mcp.client.streamable-http",
  },
  {
    kind: "sessions",
    spoken: { protocol_version: "2025-11-25", transport: "streamable_http" },
    verifies: "mcp.client.tools-listed",
  },
  {
    kind: "sse",
    spoken: { protocol_version: "2025-11-25", transport: "sse" },
    verifies: "mcp.client.sse-fallback",
  },
] as const;

for (const { kind, spoken, ...row } of CASES) {
  describe(`an MCP server with ${kind}`, () => {
    verifies(row.verifies, "is registered, and its tools are listed and called", () =>
      withServer(kind, async (server) => {
        const headers = { Authorization: SECRET };
        const { id, name, call } = await register(server, { tools: ["echo", "count", "fail"], fields: { headers } });
        const record = await desk.get(`/mcp-servers/${id}`);
        expect(record.body).toMatchObject({ ...spoken, name, server_name: "test-server", tool_count: 8 });
        expect(record.text).not.toContain("sk-of");
        const listed = listOf(await desk.get(`/mcp-servers/${id}/tools`));
        expect(listed[0]).toMatchObject({ name: "echo", agents_list_it_as: `mcp:${name}/echo`, issue: null });
        expect((await desk.get("/mcp-servers/tools")).body).toContain(`mcp:${name}/echo`);
        expect(listed.at(-1)).toMatchObject({ models_call_it: expect.stringMatching(/^[\w-]{1,64}$/) });
        expect(await call("echo", { text: "hello" })).toBe("echo: hello");
        expect(await call("count", { text: "four" })).toBe('{"length":4}');
        expect(await call("fail", { text: "no" })).toBe("It did not work: no");
        expect(await call("echo", { wrong: 1 })).toContain("unknown field wrong");
        expect(server.headers.every(({ authorization }) => authorization === SECRET)).toBe(true);
        const keys = server.calls.map(({ idempotencyKey }) => idempotencyKey);
        expect(new Set(keys).size).toBe(3);
      }),
    );

    verifies("mcp.client.list-changed", "notifies of other tools, and they are listed again", () =>
      withServer(kind, async (server) => {
        const { id, call } = await register(server);
        await call("echo", {});
        await server.setTools(["echo", "brand_new"]);
        const names = async () => listOf(await desk.get(`/mcp-servers/${id}/tools`)).map(({ name }) => name);
        await eventually("the new list", async () => (await names()).join() === "echo,brand_new");
      }),
    );

    verifies("mcp.client.reconnect", "is connected to again after it was restarted", async () => {
      const server = await startMcpServer(kind, await freePort());
      const { call } = await register(server);
      expect(await call("echo", { text: "1" })).toBe("echo: 1");
      await server.close();
      expect(await call("echo", { text: "2" })).toMatch(/ECONNREFUSED|UND_ERR_SOCKET|other side closed|connection/);
      const again = await startMcpServer(kind, server.port);
      expect(await call("echo", { text: "3" })).toBe("echo: 3");
      // Immediately, over the existing connection.
      await again.close();
      const third = await startMcpServer(kind, server.port);
      expect(await call("echo", { text: "4" })).toBe("echo: 4");
      await third.close();
    });

    verifies(
      "mcp.client.progress",
      "reports progress, of which the first and the last are in the task's event log",
      () =>
        withServer(kind, async (server) => {
          const { agentId, name } = await register(server, { tools: ["steps"] });
          const taskId = await startTask(service, agentId, { description: orderOf(`${name}--steps`, {}) });
          const reader = await readStream(service, { agentId, taskId });
          const lines = () => ofType(reader.events, "CUSTOM").map(({ value }) => String(Object(value)["delta"]));
          await reader.until(() => lines().includes("1/3 step 1\n"));
          server.release("All steps done.");
          expect(await reader.over).toBe("closed");
          expect(lines()).toContain("3/3 step 3\n");
        }),
    );
  });
}

describe.concurrent("an MCP server that does not answer", () => {
  for (const { kind } of CASES) {
    verifies("mcp.client.cancel", `${kind} is notified when a task is cancelled, and when a call times out`, () =>
      withServer(kind, async (server) => {
        const { call, agentId, name } = await register(server, { tools: ["hang"], fields: { timeout_ms: 3_000 } });
        expect(await call("hang", {})).toBe("The tool took longer than 3 s.");
        await eventually("the call is cancelled", () => server.cancelled() === 1);
        await desk.patch(`/mcp-servers/${String(await idOf(name))}`, { timeout_ms: 60_000 });
        const { id } = await createTask(api, { assigned_agent_id: agentId, description: orderOf(`${name}--hang`, {}) });
        await eventually("the call", () => server.calls.length === 2);
        await stopTask(api, id);
        await eventually("the call is cancelled", () => server.cancelled() === 2);
      }),
    );
  }
});

async function idOf(name: string): Promise<unknown> {
  return listOf(await desk.get("/mcp-servers?limit=100")).find((each) => each["name"] === name)?.["id"];
}

verifies("mcp.client.results", "images become files of the task and are shown to a model that sees", () =>
  withServer("stateless", async (server) => {
    const { name } = await register(server, { tools: ["picture"] });
    const { id: agentId } = await createAgent(api, { model: "gpt-4o", tools: [`mcp:${name}/picture`] });
    const title = `call ${name}--picture`;
    const task = await createTask(api, { title, assigned_agent_id: agentId, description: "" });
    const ended = await taskIn(api, task.id, "completed");
    expect(ended).toMatchObject({ attachments: [{ name: "file.png", type: "image/png", direction: "output" }] });
    const [, second] = provider.callsOf(title);
    expect(second?.images).toEqual([`data:image/png;base64,${PIXEL}`]);
    expect(JSON.stringify(second?.body)).toContain("Stored as file.png");
  }),
);

verifies("mcp.client.results", "resources and what is not stored are described", () =>
  withServer("stateless", async (server) => {
    const { call } = await register(server, { tools: ["files"] });
    const text = await call("files", {});
    expect(text).toMatch(/^\[audio\/wav, 3 bytes\] It was not stored: .*audio\/wav/);
    expect(text).toContain("[Resource file:///notes.txt]\nsome notes\n[Resource more: https://example.org/more]");
  }),
);

verifies("mcp.client.approval", "a tool that needs approval is called after a person has approved it", () =>
  withServer("stateless", async (server) => {
    const { agentId, name } = await register(server);
    const listed = `mcp:${name}/echo`;
    const config = { requires_approval: [listed] };
    expect((await api.patch(`/api-agents?id=${agentId}`, { config })).status).toBe(200);
    for (const approved of [true, false]) {
      const order = orderOf(`${name}--echo`, { text: "dear" });
      const { id: taskId } = await createTask(api, { assigned_agent_id: agentId, description: order });
      const { request, interactionId } = await questionOf(service, { agentId, taskId });
      expect(request).toMatchObject({ interactionType: "approval", title: expect.stringContaining(name) });
      expect(server.calls).toHaveLength(approved ? 0 : 1);
      await respond(service, { agentId, taskId }, { interactionId, approved });
      await taskIn(api, taskId, "completed");
    }
    expect(server.calls).toMatchObject([{ tool: "echo", args: { text: "dear" } }]);
  }),
);

verifies("mcp.client.names", "an agent with an unknown tool is rejected with a list of the available ones", () =>
  withServer("stateless", async (server) => {
    const { name } = await register(server);
    const body = { name: "A", model: "demo" };
    const tools = [`mcp:${name}/ekko`, "mcp:nothing/echo", `mcp:${name}`];
    const refused = await api.post("/api-agents", { ...body, tools: tools.slice(0, 2) });
    expect(refusal(refused)).toMatchObject({ status: 400, paths: ["tools.0", "tools.1"] });
    expect(refused.text).toContain(`the MCP server ${name} has no tool ekko. Its tools: echo, count`);
    expect(refused.text).toContain("the workspace has no MCP server nothing. Known: ");
    expect(refusal(await api.post("/api-agents", { ...body, tools: tools.slice(2) }))).toMatchObject({ status: 400 });
    const config = { requires_approval: [`mcp:${name}/ekko`] };
    expect(refusal(await api.post("/api-agents", { ...body, config })).paths).toEqual(["config.requires_approval.0"]);
  }),
);

verifies("mcp.client.names", "a tool with a name that no provider accepts is called by a mapped name", () =>
  withServer("stateless", async (server) => {
    const odd = "odd name.of/tool";
    const { id, name, agentId } = await register(server, { tools: [odd] });
    const tools = listOf(await desk.get(`/mcp-servers/${id}/tools`));
    const called = String(tools.find((tool) => tool["name"] === odd)?.["models_call_it"]);
    expect(called).toMatch(new RegExp(`^${name}--odd_name_of_tool_[0-9a-f]{8}$`));
    expect(await toolResult(service, { agentId, name: called, args: { text: "x" } })).toBe(`${odd}: x`);
  }),
);

verifies("mcp.client.delete", "a server is not deleted while agents list its tools; the error lists the agents", () =>
  withServer("stateless", async (server) => {
    const { id, agentId } = await register(server, { agent: { name: "Its user" } });
    const refused = refusal(await desk.delete(`/mcp-servers/${id}`));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining("Its user") });
    await api.patch(`/api-agents?id=${agentId}`, { tools: [] });
    expect((await desk.delete(`/mcp-servers/${id}`)).status).toBe(204);
    expect((await desk.get(`/mcp-servers/${id}`)).status).toBe(404);
  }),
);

verifies("mcp.client.crud", "a server is changed, disabled, refreshed and tested", () =>
  withServer("sessions", async (server) => {
    const headers = { Authorization: SECRET };
    const { id, name, call } = await register(server, { fields: { headers } });
    expect(refusal(await desk.post("/mcp-servers", { name, url: server.url })).status).toBe(409);
    const shown = fieldsOf(await desk.get(`/mcp-servers/${id}`))["headers"];
    const changed = await desk.patch(`/mcp-servers/${id}`, { headers: { ...Object(shown), "X-More": "m" } });
    expect(changed.status).toBe(200);
    await call("echo", {});
    expect(server.headers.at(-1)).toMatchObject({ authorization: SECRET, "x-more": "m" });
    const tested = await desk.post(`/mcp-servers/${id}/test`, { tool: "echo", arguments: { text: "t" } });
    expect(tested.body).toMatchObject({ status: "success", output: "echo: t", error: null });
    const failed = await desk.post(`/mcp-servers/${id}/test`, { tool: "fail" });
    expect(failed.body).toMatchObject({ status: "failed", output: null, error: "It did not work: " });
    expect(refusal(await desk.post(`/mcp-servers/${id}/test`, { tool: "none" })).paths).toEqual(["tool"]);
    const bad = await desk.post(`/mcp-servers/${id}/test`, { tool: "echo", arguments: { text: 1 } });
    expect(refusal(bad).paths).toEqual(["arguments.text"]);
    expect((await desk.patch(`/mcp-servers/${id}`, { is_enabled: false })).body).toMatchObject({ is_enabled: false });
    expect(await call("echo", {})).toContain("There is no tool");
    await desk.patch(`/mcp-servers/${id}`, { is_enabled: true });
    await server.close();
    const refreshed = await desk.post(`/mcp-servers/${id}/refresh`, undefined);
    expect(refreshed.body).toMatchObject({ last_error: expect.stringContaining("ECONNREFUSED"), tool_count: 8 });
    const found = await desk.post("/mcp-servers/discover", { url: server.url });
    expect(refusal(found)).toMatchObject({ status: 400, paths: ["url"] });
    await startMcpServer("sessions", server.port).then(async (again) => {
      const seen = await desk.post("/mcp-servers/discover", { url: server.url });
      expect(seen.body).toMatchObject({ server_name: "test-server", tools: expect.any(Array) });
      expect((await desk.post(`/mcp-servers/${id}/refresh`, undefined)).body).toMatchObject({ last_error: null });
      await again.close();
    });
  }),
);

verifies("mcp.client.import", "an imported agent keeps the names of tools of an unknown server", () =>
  withServer("stateless", async (server) => {
    const { agentId, name, id } = await register(server);
    const file = (await desk.get(`/agents/${agentId}/export`)).body;
    await api.patch(`/api-agents?id=${agentId}`, { tools: [] });
    await desk.delete(`/mcp-servers/${id}`);
    const { data, ...head } = z.looseObject({ data: z.looseObject({}) }).parse(file);
    const tools = ["teleport", `mcp:${name}/echo`];
    const imported = await desk.post("/agents/import", { ...head, data: { ...data, tools } });
    expect(fieldsOf(imported)).toMatchObject({
      agents: [{ tools: [`mcp:${name}/echo`] }],
      warnings: [
        { path: "data.tools.0", message: 'Unknown tool: "teleport" was left out.' },
        {
          path: "data.tools",
          message: expect.stringContaining(
            `"mcp:${name}/echo" is kept, but not usable yet: the workspace has no MCP server ${name}`,
          ),
        },
      ],
    });
  }),
);
