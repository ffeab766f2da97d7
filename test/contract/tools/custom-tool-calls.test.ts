import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import { deleteOldCustomToolCalls } from "#db/queries/tools/custom-tool-calls.ts";
import { consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import { ANY_TOOL, createTool } from "../../support/custom-tools.ts";
import { freePort } from "../../support/free-port.ts";
import { eventually } from "../../support/eventually.ts";
import { questionOf, respond } from "../../support/interactions.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { saying } from "../../support/providers/scripted-agents.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { orderOf } from "../../support/tool-calls.ts";
import { CITY, SECRET, openToolScene } from "../../support/tool-scene.ts";
import type { ToolScene } from "../../support/tool-scene.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let scene: ToolScene;

beforeAll(async () => {
  scene = await openToolScene();
});
afterAll(() => scene.close());

verifies("tools.custom.listed", "the model gets the workspace's description of the tool", async () => {
  const id = await createTool(scene.service, { name: "forecast", description: "Says what comes.", parameters: CITY });
  const agent = await scene.player(saying("Done."), { tools: ["wait", `custom:${id}`] });
  await taskEnd(scene.service, await startTask(scene.service, agent.id));
  const tools = z.array(z.looseObject({ function: z.unknown() })).parse(agent.calls()[0]?.body["tools"]);
  expect(tools).toHaveLength(2);
  expect(tools[0]?.function).toMatchObject({ name: "forecast", description: "Says what comes.", parameters: CITY });
});

verifies("tools.custom.request", "arguments fill the URL, and then the query or the body", async () => {
  const parameters = { type: "object", properties: { id: {}, n: {}, list: {}, deep: {} }, required: ["id"] };
  const args = { id: "a/b ?ü", n: 7, list: ["x", "y"], deep: { a: 1 } };
  const url = `${scene.endpoint.url}/things/{id}?fixed=1`;
  const get = await scene.toolFor({ parameters, url, method: "GET" });
  expect(JSON.parse(await get.call(args))).toMatchObject({
    method: "GET",
    path: "/things/a%2Fb%20%3F%C3%BC?fixed=1&n=7&list=x&list=y&deep=%7B%22a%22%3A1%7D",
    body: "",
  });
  const put = await scene.toolFor({ parameters, url, method: "PUT" });
  expect(JSON.parse(await put.call(args))).toMatchObject({
    method: "PUT",
    path: "/things/a%2Fb%20%3F%C3%BC?fixed=1",
    body: '{"n":7,"list":["x","y"],"deep":{"a":1}}',
    type: "application/json",
  });
  expect(await get.call({ id: ".." })).toMatch(/must not be empty, "\." or "\.\."/);
  expect(await get.call({ id: { a: 1 } })).toMatch(/must be a string, a number or a boolean/);
});

verifies("replies.integers", "integers that a number cannot hold reach the tool with all digits", async () => {
  const large = JSON.rawJSON("1198765432109876543");
  const parameters = { type: "object", properties: { id: { type: "integer" }, list: {} }, required: ["id"] };
  const put = await scene.toolFor({ parameters, url: `${scene.endpoint.url}/things/{id}`, method: "PUT" });
  expect(JSON.parse(await put.call({ id: large, list: [large, 1] }))).toMatchObject({
    path: "/things/1198765432109876543",
    body: '{"list":[1198765432109876543,1]}',
  });
});

verifies("tools.custom.bad-arguments", "the model gets an error for invalid arguments", async () => {
  const { id, call } = await scene.toolFor({ parameters: CITY });
  expect(await call({ city: "B" })).toMatch(/city must NOT have fewer than 2 characters/);
  expect(await call({ days: 3 })).toMatch(/must have required property 'city'/);
  expect(await call({ city: "Bonn", colour: "red" })).toMatch(/unknown field colour/);
  const tested = await scene.console.post(`/tools/${id}/test`, { arguments: { city: 5 } });
  expect(refusal(tested)).toMatchObject({ status: 400, paths: ["arguments.city"] });
  expect(await scene.callsOf(id)).toEqual([]);
});

verifies(
  "tools.custom.bad-arguments",
  "a schema that takes too long to check delays no other workspace",
  async () => {
    const slow = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    const { call } = await scene.toolFor({ parameters: slow });
    expect(await call({ a: `${"a".repeat(60)}!` })).toMatch(/takes too long/);
  },
  { tags: "slow" },
);

verifies(
  ["tools.custom.failures", "tools.custom.calls", "tools.custom.secret-headers"],
  "a failure is returned to the model and logged, without the secret that the endpoint repeats",
  async () => {
    const headers = { Authorization: SECRET };
    const refusing = await scene.toolFor({ url: `${scene.endpoint.url}/refuse`, headers });
    expect(await refusing.call({})).toBe('HTTP 422: {"fault":"no, ••••"}');
    const echoing = await scene.toolFor({ headers });
    expect(JSON.parse(await echoing.call({}))).toMatchObject({ sent: "••••" });
    const slow = await scene.toolFor({ url: `${scene.endpoint.url}/hang`, timeout_ms: 150 });
    expect(await slow.call({})).toMatch(/127\.0\.0\.1 took longer than 0\.15 s/);
    const away = await scene.toolFor({ url: `http://127.0.0.1:${await freePort()}/` });
    expect(await away.call({})).toMatch(/127\.0\.0\.1 cannot be reached/);
    const empty = await scene.toolFor({ url: `${scene.endpoint.url}/empty` });
    expect(await empty.call({})).toBe("");

    const log = await Promise.all([refusing, echoing, slow, away, empty].map(({ id }) => scene.callsOf(id)));
    expect(log).toMatchObject([
      [{ status: "failed", http_status: 422, error: 'HTTP 422: {"fault":"no, ••••"}', task_id: expect.any(String) }],
      [{ status: "success", http_status: 200, error: null }],
      [{ status: "failed", http_status: null, error: expect.stringMatching(/took longer/) }],
      [{ status: "failed", http_status: null }],
      [{ status: "success", http_status: 204 }],
    ]);
    for (const [call] of log) expect(call?.["duration_ms"]).toEqual(expect.any(Number));
  },
  { tags: "slow" },
);

verifies(["tools.custom.test", "tools.custom.calls"], "a test makes a real call and is logged as a test", async () => {
  const { id } = await scene.toolFor({ parameters: CITY });
  const tested = await scene.console.post(`/tools/${id}/test`, { arguments: { city: "Bonn", days: 2 } });
  expect(tested.status).toBe(200);
  const result = fieldsOf(tested);
  expect(result).toMatchObject({ status: "success", http_status: 200, error: null });
  expect(JSON.parse(String(result["output"]))).toMatchObject({ body: '{"city":"Bonn","days":2}' });
  for (const _ of [1, 2]) await scene.console.post(`/tools/${id}/test`, { arguments: { city: "Bonn" } });
  const page = await scene.console.get(`/tools/${id}/calls?limit=2`);
  expect(listOf(page)).toMatchObject([{ tool_id: id, task_id: null, status: "success" }, { task_id: null }]);
  expect(page.headers.get("link")).toMatch(/rel="next"/);
});

verifies("tools.custom.calls", "old calls are deleted", async () => {
  const { id } = await scene.toolFor({});
  for (const _ of [1, 2]) await scene.console.post(`/tools/${id}/test`, {});
  const [newer, older] = await scene.callsOf(id);
  const age = "update custom_tool_calls set created_at = now() - interval '31 days' where id = $1 returning id";
  await sql(scene.service.databaseUrl, age, [older?.["id"]]);
  const db = openDatabase({ url: scene.service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const monthAgo = new Date(Date.now() - 30 * 86_400_000);
  expect(await deleteOldCustomToolCalls(db, monthAgo, 1_000).finally(db.close)).toBe(1);
  expect(await scene.callsOf(id)).toEqual([newer]);
});

verifies("tools.custom.cancel", "cancelling the task closes the connection to the endpoint", async () => {
  const { id, agentId, name } = await scene.toolFor({ url: `${scene.endpoint.url}/hang`, timeout_ms: 60_000 });
  const taskId = await startTask(scene.service, agentId, { description: orderOf(name, {}) });
  const before = await eventually("the call", async () => {
    const seen = scene.endpoint.seen.at(-1);
    return seen?.path === "/hang" && String(seen.headers["idempotency-key"]).startsWith(taskId) && seen;
  });
  expect(before.headers["idempotency-key"]).toMatch(new RegExp(`^${taskId}:1:`));
  await stopTask(scene.api, taskId);
  await before.gone;
  const [call] = await eventually("the log", async () => {
    const calls = await scene.callsOf(id);
    return calls.length > 0 && calls;
  });
  expect(call).toMatchObject({ status: "failed", task_id: taskId, error: "The call was aborted." });
});

verifies("tools.custom.approval", "a marked tool is called only after a person's approval", async () => {
  const name = "marked";
  const id = await createTool(scene.service, { name, url: `${scene.endpoint.url}/echo` });
  const config = { approvers: "caller", requires_approval: [`custom:${id}`] };
  const { id: agentId } = await createAgent(scene.api, { tools: [`custom:${id}`], config });
  const taskId = await startTask(scene.service, agentId, { description: orderOf(name, {}) });
  const { interactionId } = await questionOf(scene.service, { agentId, taskId });
  expect(await scene.callsOf(id)).toEqual([]);
  await respond(scene.service, { agentId, taskId }, { interactionId, approved: true });
  await taskIn(scene.api, taskId, "completed");
  expect(await scene.callsOf(id)).toMatchObject([{ status: "success", task_id: taskId }]);
  expect(JSON.stringify(await readToEnd(scene.service, { agentId, taskId }))).toContain("May the agent use marked?");
});

verifies("tools.custom.guard", "without the operator's permission a tool cannot reach private networks", async () => {
  const closed = await useSharedService();
  const at = consoleOf(closed, closed.keys.api);
  expect(refusal(await at.post("/tools", { ...ANY_TOOL, url: scene.endpoint.url }))).toMatchObject({
    status: 400,
    paths: ["url"],
    message: expect.stringContaining("127.0.0.1 is rejected"),
  });
  const port = new URL(scene.endpoint.url).port;
  const local = `http://localhost:${port}/echo`;
  expect(refusal(await at.post("/tools", { ...ANY_TOOL, url: local }))).toMatchObject({
    status: 400,
    paths: ["url"],
  });
  // Stored while the operator allowed it.
  const id = await createTool(closed);
  await sql(closed.databaseUrl, "update custom_tools set url = $2 where id = $1", [id, local]);
  expect(fieldsOf(await at.post(`/tools/${id}/test`, {}))).toMatchObject({
    status: "failed",
    http_status: null,
    error: expect.stringMatching(/localhost is rejected: .*private network/),
  });
});
