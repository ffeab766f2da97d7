import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { fieldsOf, listOf, refusal } from "../../support/api.ts";
import { questionOf, respond } from "../../support/interactions.ts";
import { openMcpScene, withServer } from "../../support/mcp/scene.ts";
import type { McpScene } from "../../support/mcp/scene.ts";
import { PIXEL } from "../../support/mcp/server.ts";
import { orderOf, toolResult } from "../../support/tool-calls.ts";
import { inTurns } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

let scene: McpScene;

beforeAll(async () => {
  scene = await openMcpScene();
});

verifies("mcp.client.results", "images become files of the task and are shown to a model that sees", () =>
  withServer("stateless", async (server) => {
    const { name } = await scene.register(server, { tools: ["picture"] });
    const script = inTurns((reply) => reply.callTool(`${name}--picture`, { text: "hello" }));
    const agent = await scene.player(script, { tools: [`mcp:${name}/picture`] });
    const task = await createTask(scene.api, { assigned_agent_id: agent.id });
    const ended = await taskIn(scene.api, task.id, "completed");
    expect(ended).toMatchObject({ attachments: [{ name: "file.png", type: "image/png", direction: "output" }] });
    const [, second] = agent.calls();
    expect(second?.images).toEqual([`data:image/png;base64,${PIXEL}`]);
    expect(JSON.stringify(second?.body)).toContain("Stored as file.png");
  }),
);

verifies("mcp.client.results", "resources and what is not stored are described", () =>
  withServer("stateless", async (server) => {
    const { call } = await scene.register(server, { tools: ["files"] });
    const text = await call("files", {});
    expect(text).toMatch(/^\[audio\/wav, 3 bytes\] It was not stored: .*audio\/wav/);
    expect(text).toContain("[Resource file:///notes.txt]\nsome notes\n[Resource more: https://example.org/more]");
  }),
);

verifies("mcp.client.approval", "a tool that needs approval is called after a person has approved it", () =>
  withServer("stateless", async (server) => {
    const { agentId, name } = await scene.register(server);
    const listed = `mcp:${name}/echo`;
    const config = { approvers: "caller", requires_approval: [listed] };
    expect((await scene.api.patch(`/api-agents?id=${agentId}`, { config })).status).toBe(200);
    for (const approved of [true, false]) {
      const order = orderOf(`${name}--echo`, { text: "dear" });
      const { id: taskId } = await createTask(scene.api, { assigned_agent_id: agentId, description: order });
      const { request, interactionId } = await questionOf(scene.service, { agentId, taskId });
      expect(request).toMatchObject({ interactionType: "approval", title: expect.stringContaining(name) });
      expect(server.calls).toHaveLength(approved ? 0 : 1);
      await respond(scene.service, { agentId, taskId }, { interactionId, approved });
      await taskIn(scene.api, taskId, "completed");
    }
    expect(server.calls).toMatchObject([{ tool: "echo", args: { text: "dear" } }]);
  }),
);

verifies("mcp.client.names", "an agent with an unknown tool is rejected with a list of the available ones", () =>
  withServer("stateless", async (server) => {
    const { name } = await scene.register(server);
    const body = { name: "A", model: "demo" };
    const tools = [`mcp:${name}/ekko`, "mcp:nothing/echo", `mcp:${name}`];
    const refused = await scene.api.post("/api-agents", { ...body, tools: tools.slice(0, 2) });
    expect(refusal(refused)).toMatchObject({ status: 400, paths: ["tools.0", "tools.1"] });
    expect(refused.text).toContain(`the MCP server ${name} has no tool ekko. Its tools: echo, count`);
    expect(refused.text).toContain("the workspace has no MCP server nothing. Known: ");
    expect(refusal(await scene.api.post("/api-agents", { ...body, tools: tools.slice(2) }))).toMatchObject({
      status: 400,
    });
    const config = { approvers: "caller", requires_approval: [`mcp:${name}/ekko`] };
    expect(refusal(await scene.api.post("/api-agents", { ...body, config })).paths).toEqual([
      "config.requires_approval.0",
    ]);
  }),
);

verifies("mcp.client.names", "a tool with a name that no provider accepts is called by a mapped name", () =>
  withServer("stateless", async (server) => {
    const odd = "odd name.of/tool";
    const { id, name, agentId } = await scene.register(server, { tools: [odd] });
    const tools = listOf(await scene.desk.get(`/mcp-servers/${id}/tools`));
    const called = String(tools.find((tool) => tool["name"] === odd)?.["models_call_it"]);
    expect(called).toMatch(new RegExp(`^${name}--odd_name_of_tool_[0-9a-f]{8}$`));
    expect(await toolResult(scene.service, { agentId, name: called, args: { text: "x" } })).toBe(`${odd}: x`);
  }),
);

verifies("mcp.client.import", "an imported agent keeps the names of tools of an unknown server", () =>
  withServer("stateless", async (server) => {
    const { agentId, name, id } = await scene.register(server);
    const file = (await scene.desk.get(`/agents/${agentId}/export`)).body;
    await scene.api.patch(`/api-agents?id=${agentId}`, { tools: [] });
    await scene.desk.delete(`/mcp-servers/${id}`);
    const { data, ...head } = z.looseObject({ data: z.looseObject({}) }).parse(file);
    const tools = ["teleport", `mcp:${name}/echo`];
    const imported = await scene.desk.post("/agents/import", { ...head, data: { ...data, tools } });
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
