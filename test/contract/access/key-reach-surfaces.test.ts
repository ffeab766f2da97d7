import OpenAI from "openai";
import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal, send } from "../../support/api.ts";
import { list1, sent1 } from "../../support/a2a/shapes.ts";
import { post, rpc, userMessage1 } from "../../support/a2a/a2a.ts";
import { createKey } from "../../support/keys.ts";
import { MCP_CLIENTS } from "../../support/mcp/clients.ts";
import { HIDDEN, openReachScene } from "../../support/reach-scene.ts";
import type { ReachScene } from "../../support/reach-scene.ts";
import { eventsIn } from "../../support/sse-client.ts";
import { rawTable, tableRefusal } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createTask, taskIn } from "../../support/work.ts";

let scene: ReachScene;
beforeAll(async () => void (scene = await openReachScene()));

verifies("keys.reach.surfaces", "an A2A key reads, lists and starts only tasks of the agents it may call", async () => {
  const { key } = await scene.limitedKey({ kind: "a2a" });
  const call = (agentId: string, method: string, params: object) =>
    rpc(scene.service, agentId, { method, params, key });
  const sent = sent1.parse((await call(scene.agentId, "SendMessage", userMessage1(QUICK))).result).task;
  const listed = list1.parse((await call("", "ListTasks", {})).result);
  expect(listed.tasks.map(({ id }) => id).toSorted()).toEqual([scene.taskId, sent.id].toSorted());
  const { hidden } = scene;
  const foreign = await call("", "GetTask", { id: hidden.taskId });
  expect(foreign.error).toEqual((await call("", "GetTask", { id: newId() })).error);
  for (const agentId of [hidden.agentId, newId()]) {
    for (const [method, params] of [
      ["SendMessage", userMessage1(QUICK)],
      ["GetTask", { id: hidden.taskId }],
    ] as const) {
      const body = { jsonrpc: "2.0", id: 1, method, params };
      expect(await post(scene.service, agentId, body, { key })).toMatchObject({ body: { error: expect.anything() } });
    }
  }
  const card = await call("", "GetExtendedAgentCard", {});
  expect(JSON.stringify(card)).toContain(scene.agentId);
  expect(JSON.stringify(card)).not.toContain(HIDDEN);
});

verifies("keys.reach.surfaces", "an AG-UI key talks with its agents, and follows only their runs", async () => {
  const { key } = await scene.limitedKey({ kind: "ag-ui" });
  const follow = (agentId: string, threadId: string, content?: string) =>
    send("POST", `${scene.service.url}/ag-ui/${agentId}/sse`, {
      headers: { authorization: `Bearer ${key}` },
      body: {
        threadId,
        runId: newId(),
        state: {},
        messages: content === undefined ? [] : [{ id: newId(), role: "user", content }],
        tools: [],
        context: [],
        forwardedProps: {},
      },
    });
  expect(eventsIn(await follow(scene.agentId, newId(), QUICK)).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  expect(eventsIn(await follow(scene.agentId, scene.taskId)).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  const { hidden } = scene;
  for (const [agentId, threadId, content] of [
    [hidden.agentId, newId(), QUICK],
    [hidden.agentId, hidden.taskId, undefined],
    [scene.agentId, hidden.taskId, undefined],
  ] as const) {
    const refused = await follow(agentId, threadId, content);
    expect([403, 404]).toContain(refused.status);
    expect(refused.text).not.toContain("RUN_STARTED");
  }
});

verifies("keys.reach.surfaces", "an MCP key lists and calls only the tools of its agents", async () => {
  const { key } = await scene.limitedKey({ kind: "mcp" });
  for (const [, connect] of MCP_CLIENTS) {
    const client = await connect({ url: scene.service.url, key });
    expect((await client.listTools()).map(({ name }) => name)).toEqual([expect.stringMatching(/reached/i)]);
    await client.close();
  }
});

verifies("keys.reach.surfaces", "OpenAI's clients see only the agents of the key as models", async () => {
  const { key } = await scene.limitedKey();
  const client = new OpenAI({ baseURL: `${scene.service.url}/v1`, apiKey: key, maxRetries: 0 });
  const models: string[] = [];
  for await (const { id } of client.models.list()) models.push(id);
  expect(models).toEqual(["Reached"]);
  const messages = [{ role: "user" as const, content: QUICK }];
  const reply = await client.chat.completions.create({ model: "Reached", messages });
  expect(reply.choices[0]?.message.content).toBe("done");
  const response = await client.responses.create({ model: "Reached", input: QUICK });
  expect(await client.responses.retrieve(response.id)).toMatchObject({ output_text: "done" });
  for (const model of [HIDDEN, scene.hidden.agentId]) {
    await expect(client.chat.completions.create({ model, messages })).rejects.toThrow(/does not exist/);
  }
});

verifies("keys.reach.surfaces", "a table key selects, embeds, counts and changes only rows of its agents", async () => {
  const { key } = await scene.limitedKey({ kind: "table" });
  const table = rawTable(scene.service, key);
  expect(idsOf(await table("GET", "/agents?select=id"))).toEqual([scene.agentId]);
  expect(listOf(await table("GET", "/agents?select=id,tasks(agent_id)")).map((row) => JSON.stringify(row))).toEqual([
    expect.not.stringContaining(scene.hidden.agentId),
  ]);
  const counted = await table("GET", "/tasks?select=id", { headers: { prefer: "count=exact" } });
  const ids = idsOf(counted);
  expect(ids).not.toContain(scene.hidden.taskId);
  expect(counted.headers.get("content-range")).toMatch(new RegExp(`/${ids.length}$`));
  expect(listOf(await table("GET", "/usage_records?select=agent_id")).map((row) => row["agent_id"])).not.toContain(
    scene.hidden.agentId,
  );
  expect(tableRefusal(await table("GET", "/webhook_subscriptions"))).toMatchObject({ status: 403, code: "42501" });
  const [{ workspace_id } = {}] = listOf(await table("GET", "/agents?select=workspace_id"));
  const made = await table("POST", "/tasks", { body: { title: "x", agent_id: scene.hidden.agentId, workspace_id } });
  expect(tableRefusal(made)).toMatchObject({ status: 403, code: "42501" });
  const changed = await table("PATCH", `/tasks?id=eq.${scene.hidden.taskId}`, {
    body: { title: "mine" },
    headers: { prefer: "return=representation" },
  });
  expect(changed.body).toEqual([]);
});

verifies("keys.reach.teams", "a key limited to a team runs it, and does not see its agents", async () => {
  const { key } = await scene.limitedKey({ agents: null, teams: [scene.teamId] });
  const api = apiOf(scene.service, key);
  expect(idsOf(await api.get("/api-teams"))).toEqual([scene.teamId]);
  expect(idsOf(await api.get("/api-agents"))).toEqual([]);
  const task = await createTask(api, { assigned_team_id: scene.teamId, description: QUICK });
  expect(await taskIn(api, task.id, "completed")).toMatchObject({ result: "done" });
  const run = fieldsOf(await api.post("/api-runs", { team_id: scene.teamId, input_task: QUICK }));
  const read = await consoleOf(scene.service, key).get(`/runs/${String(run["id"])}`);
  expect([read.status, read.text]).toEqual([200, expect.any(String)]);
  expect(idsOf(await api.get("/api-tasks"))).toEqual([task.id]);
  expect(refusal(await api.post("/api-tasks", { title: "x", assigned_agent_id: scene.hidden.agentId })).status).toBe(
    403,
  );
});

verifies("keys.surfaces", "a key limited to some surfaces is refused by the others", async () => {
  const models = (key: string) => send("GET", `${scene.service.url}/v1/models`, { headers: { "api-key": key } });
  const agents = (key: string) => apiOf(scene.service, key).get("/api-agents");
  const chat = await createKey(scene.desk, { surfaces: ["openai"] });
  expect([(await models(chat.key)).status, (await agents(chat.key)).status]).toEqual([200, 403]);
  expect(refusal(await agents(chat.key)).message).toBe("This key does not open rest: it is limited to openai.");
  const rest = await createKey(scene.desk, { surfaces: ["rest", "rest"] });
  expect([(await models(rest.key)).status, (await agents(rest.key)).status]).toEqual([403, 200]);
  const a2a = await createKey(scene.desk, { kind: "a2a", surfaces: ["ag-ui"] });
  expect((await post(scene.service, scene.agentId, {}, { key: a2a.key })).status).toBe(403);
  const wrong = await scene.desk.post("/keys", { label: "x", kind: "mcp", surfaces: ["rest"] });
  expect(refusal(wrong)).toMatchObject({ status: 400, paths: ["surfaces"] });
  const changed = await scene.desk.patch(`/keys/${chat.id}`, { surfaces: null });
  expect(fieldsOf(changed)["surfaces"]).toBeNull();
  expect((await agents(chat.key)).status).toBe(200);
});
