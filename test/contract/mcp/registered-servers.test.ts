import { beforeAll, expect } from "vitest";
import { fieldsOf, refusal } from "../../support/api.ts";
import { openMcpScene, withServer } from "../../support/mcp/scene.ts";
import type { McpScene } from "../../support/mcp/scene.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import { verifies } from "../../support/verifies.ts";

const SECRET = "Bearer sk-of-the-server-4711";

let scene: McpScene;

beforeAll(async () => {
  scene = await openMcpScene();
});

verifies("mcp.client.delete", "a server is not deleted while agents list its tools; the error lists the agents", () =>
  withServer("stateless", async (server) => {
    const { id, agentId } = await scene.register(server, { agent: { name: "Its user" } });
    const refused = refusal(await scene.desk.delete(`/mcp-servers/${id}`));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining("Its user") });
    await scene.api.patch(`/api-agents?id=${agentId}`, { tools: [] });
    expect((await scene.desk.delete(`/mcp-servers/${id}`)).status).toBe(204);
    expect((await scene.desk.get(`/mcp-servers/${id}`)).status).toBe(404);
  }),
);

verifies("mcp.client.crud", "a server is changed, disabled, refreshed and tested", () =>
  withServer("sessions", async (server) => {
    const headers = { Authorization: SECRET };
    const { id, name, call } = await scene.register(server, { fields: { headers } });
    expect(refusal(await scene.desk.post("/mcp-servers", { name, url: server.url })).status).toBe(409);
    const shown = fieldsOf(await scene.desk.get(`/mcp-servers/${id}`))["headers"];
    const changed = await scene.desk.patch(`/mcp-servers/${id}`, { headers: { ...Object(shown), "X-More": "m" } });
    expect(changed.status).toBe(200);
    await call("echo", {});
    expect(server.headers.at(-1)).toMatchObject({ authorization: SECRET, "x-more": "m" });
    const tested = await scene.desk.post(`/mcp-servers/${id}/test`, { tool: "echo", arguments: { text: "t" } });
    expect(tested.body).toMatchObject({ status: "success", output: "echo: t", error: null });
    const failed = await scene.desk.post(`/mcp-servers/${id}/test`, { tool: "fail" });
    expect(failed.body).toMatchObject({ status: "failed", output: null, error: "It did not work: " });
    expect(refusal(await scene.desk.post(`/mcp-servers/${id}/test`, { tool: "none" })).paths).toEqual(["tool"]);
    const bad = await scene.desk.post(`/mcp-servers/${id}/test`, { tool: "echo", arguments: { text: 1 } });
    expect(refusal(bad).paths).toEqual(["arguments.text"]);
    expect((await scene.desk.patch(`/mcp-servers/${id}`, { is_enabled: false })).body).toMatchObject({
      is_enabled: false,
    });
    expect(await call("echo", {})).toContain("There is no tool");
    await scene.desk.patch(`/mcp-servers/${id}`, { is_enabled: true });
    await server.close();
    const refreshed = await scene.desk.post(`/mcp-servers/${id}/refresh`, undefined);
    expect(refreshed.body).toMatchObject({ last_error: expect.stringContaining("ECONNREFUSED"), tool_count: 8 });
    const found = await scene.desk.post("/mcp-servers/discover", { url: server.url });
    expect(refusal(found)).toMatchObject({ status: 400, paths: ["url"] });
    await startMcpServer("sessions", server.port).then(async (again) => {
      const seen = await scene.desk.post("/mcp-servers/discover", { url: server.url });
      expect(seen.body).toMatchObject({ server_name: "test-server", tools: expect.any(Array) });
      expect((await scene.desk.post(`/mcp-servers/${id}/refresh`, undefined)).body).toMatchObject({ last_error: null });
      await again.close();
    });
  }),
);
