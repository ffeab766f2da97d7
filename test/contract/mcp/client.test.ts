import { beforeAll, describe, expect } from "vitest";
import { listOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { openMcpScene, withServer } from "../../support/mcp/scene.ts";
import type { McpScene } from "../../support/mcp/scene.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import { startTask } from "../../support/runs.ts";
import { readStream } from "../../support/sse-client.ts";
import { orderOf } from "../../support/tool-calls.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, stopTask } from "../../support/work.ts";

const SECRET = "Bearer sk-of-the-server-4711";

let scene: McpScene;

beforeAll(async () => {
  scene = await openMcpScene();
});

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
        const { id, name, call } = await scene.register(server, {
          tools: ["echo", "count", "fail"],
          fields: { headers },
        });
        const record = await scene.desk.get(`/mcp-servers/${id}`);
        expect(record.body).toMatchObject({ ...spoken, name, server_name: "test-server", tool_count: 8 });
        expect(record.text).not.toContain("sk-of");
        const listed = listOf(await scene.desk.get(`/mcp-servers/${id}/tools`));
        expect(listed[0]).toMatchObject({ name: "echo", agents_list_it_as: `mcp:${name}/echo`, issue: null });
        expect((await scene.desk.get("/mcp-servers/tools")).body).toContain(`mcp:${name}/echo`);
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
        const { id, call } = await scene.register(server);
        await call("echo", {});
        await server.setTools(["echo", "brand_new"]);
        const names = async () => listOf(await scene.desk.get(`/mcp-servers/${id}/tools`)).map(({ name }) => name);
        await eventually("the new list", async () => (await names()).join() === "echo,brand_new");
      }),
    );

    verifies("mcp.client.reconnect", "is connected to again after it was restarted", async () => {
      const server = await startMcpServer(kind, await freePort());
      const { call } = await scene.register(server);
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
          const { agentId, name } = await scene.register(server, { tools: ["steps"] });
          const taskId = await startTask(scene.service, agentId, { description: orderOf(`${name}--steps`, {}) });
          const reader = await readStream(scene.service, { agentId, taskId });
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
        const { call, agentId, name } = await scene.register(server, {
          tools: ["hang"],
          fields: { timeout_ms: 3_000 },
        });
        expect(await call("hang", {})).toBe("The tool took longer than 3 s.");
        await eventually("the call is cancelled", () => server.cancelled() === 1);
        await scene.desk.patch(`/mcp-servers/${String(await idOf(name))}`, { timeout_ms: 60_000 });
        const { id } = await createTask(scene.api, {
          assigned_agent_id: agentId,
          description: orderOf(`${name}--hang`, {}),
        });
        await eventually("the call", () => server.calls.length === 2);
        await stopTask(scene.api, id);
        await eventually("the call is cancelled", () => server.cancelled() === 2);
      }),
    );
  }
});

async function idOf(name: string): Promise<unknown> {
  return listOf(await scene.desk.get("/mcp-servers?limit=100")).find((each) => each["name"] === name)?.["id"];
}
