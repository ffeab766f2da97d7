import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import { deleteOldCustomToolCalls } from "#db/queries/tools/custom-tool-calls.ts";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { ANY_TOOL, createTool } from "../../support/custom-tools.ts";
import { freePort } from "../../support/free-port.ts";
import { eventually } from "../../support/eventually.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { questionOf, respond } from "../../support/interactions.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { orderOf, toolResult } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, stopTask, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

const SECRET = "Bearer sk-of-the-tool-4711";
const UNKNOWN = "01900000-0000-7000-8000-000000000000";
const CITY = {
  type: "object",
  properties: { city: { type: "string", minLength: 2 }, days: { type: "integer" } },
  required: ["city"],
  additionalProperties: false,
};

let endpoint: FakeServer;
let provider: ScriptedProvider;
let service: TestService;
let api: Api;
let console_: Api;

beforeAll(async () => {
  endpoint = await startFakeServer(answer);
  provider = await startScriptedProvider((_, reply) => {
    reply.say("Done.");
    reply.finish();
  });
  const env = { ALLOW_PRIVATE_URLS: "true", OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: "key" };
  service = await startService({ env });
  api = apiOf(service, service.keys.api);
  console_ = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
  await endpoint.close();
});

function answer({ path, method, body, headers }: SeenRequest, response: ServerResponse): void {
  if (path === "/hang") return;
  if (path === "/refuse") answerJson(response, { fault: `no, ${headers["authorization"]}` }, 422);
  else if (path === "/empty") response.writeHead(204).end();
  else answerJson(response, { method, path, body, sent: headers["authorization"], type: headers["content-type"] });
}

let made = 0;
/** Creates a tool with a unique name, and an agent that has it. */
async function toolFor(fields: Readonly<Record<string, unknown>>, agent: Readonly<Record<string, unknown>> = {}) {
  const name = `tool_${(made += 1)}`;
  const id = await createTool(service, { name, url: `${endpoint.url}/echo`, ...fields });
  const { id: agentId } = await createAgent(api, { tools: [`custom:${id}`], ...agent });
  return { id, name, agentId, call: (args: unknown) => toolResult(service, { agentId, name, args }) };
}

async function callsOf(id: string) {
  return listOf(await console_.get(`/tools/${id}/calls`));
}

verifies(
  ["tools.custom.crud", "tools.custom.secret-headers"],
  "a tool is created, read, changed and deleted",
  async () => {
    const headers = { Authorization: SECRET, "X-Short": "abc" };
    const created = await console_.post("/tools", { ...ANY_TOOL, name: "weather", parameters: CITY, headers });
    expect(created.status).toBe(201);
    const tool = fieldsOf(created);
    expect(tool).toMatchObject({
      ...ANY_TOOL,
      name: "weather",
      parameters: CITY,
      method: "POST",
      headers: { Authorization: "••••4711", "X-Short": "••••" },
      timeout_ms: 30_000,
    });
    const path = `/tools/${String(tool["id"])}`;
    expect(fieldsOf(await console_.get(path))).toEqual(tool);
    expect(idsOf(await console_.get("/tools"))).toContain(tool["id"]);

    const back = await console_.patch(path, { ...tool, url: `${endpoint.url}/echo` });
    expect(fieldsOf(back)).toMatchObject({ headers: { Authorization: "••••4711", "X-Short": "••••" } });
    const sent = fieldsOf(await console_.post(`${path}/test`, { arguments: { city: "Bonn" } }));
    expect(endpoint.seen.at(-1)?.headers).toMatchObject({ authorization: SECRET, "x-short": "abc" });
    const [row] = await sql(
      service.databaseUrl,
      "select t::text as row from custom_tools t where name = 'weather'",
      [],
    );
    const log = await console_.get(`${path}/calls`);
    for (const text of [created.text, back.text, JSON.stringify(sent), JSON.stringify(row), log.text]) {
      expect(text).not.toContain("sk-of-the-tool");
    }
    const changed = await console_.patch(path, { headers: { "X-Other": "another secret" }, description: "New." });
    expect(fieldsOf(changed)).toMatchObject({ headers: { "X-Other": "••••cret" }, description: "New." });
    const stale = await console_.patch(path, { headers: { "X-Other": "••••4711" } });
    expect(refusal(stale)).toMatchObject({
      status: 400,
      message: expect.stringContaining("headers.X-Other is masked"),
    });

    expect((await console_.delete(path)).status).toBe(204);
    for (const gone of [await console_.get(path), await console_.delete(path), await console_.get(`${path}/calls`)]) {
      expect(refusal(gone)).toMatchObject({ status: 404, message: "Tool not found" });
    }
  },
);

const WRONG = [
  [{ name: "Look Up" }, "name"],
  [{ name: "read_url" }, "name"],
  [{ name: "final_answer" }, "name"],
  [{ description: " " }, "description"],
  [{ parameters: { type: "string" } }, "parameters.type"],
  [{ parameters: { type: "object", properties: { a: { type: "nothing" } } } }, "parameters"],
  [{ parameters: { type: "object", properties: { a: { $ref: "https://elsewhere.example/" } } } }, "parameters"],
  [{ parameters: { type: "object", properties: {}, note: "x".repeat(40_000) } }, "parameters"],
  [{ url: "ftp://tools.example/" }, "url"],
  [{ url: "https://{host}/" }, "url"],
  // A model could continue the host: "tools.example" and ".evil.example".
  [{ url: "https://tools.example{city}/", parameters: CITY }, "url"],
  [{ url: "https://tools.example/{id}" }, "url"],
  [{ url: "https://user:word@tools.example/" }, "url"],
  [{ url: "http://169.254.169.254/" }, "url"],
  [{ method: "TRACE" }, "method"],
  [{ headers: { Host: "elsewhere" } }, "headers.Host"],
  [{ headers: { "X-A": "a\nb" } }, "headers.X-A"],
  [{ timeout_ms: 5 }, "timeout_ms"],
  [{ colour: "red" }, "colour"],
] as const;

verifies("tools.custom.checked", "an invalid tool is rejected with the path", async () => {
  const id = await createTool(service, { name: "right" });
  for (const [fields, path] of WRONG) {
    const refused = [
      await console_.post("/tools", { ...ANY_TOOL, ...fields }),
      await console_.patch(`/tools/${id}`, fields),
    ];
    for (const answered of refused) {
      expect({ fields, ...refusal(answered) }).toMatchObject({ fields, status: 400, paths: [path] });
    }
  }
  expect(refusal(await console_.post("/tools", {})).paths).toEqual(["name", "description", "url"]);
  expect(refusal(await console_.post("/tools/nonsense/test", {})).status).toBe(400);
});

verifies("tools.custom.name-once", "a second tool of the same name is rejected", async () => {
  await createTool(service, { name: "only_once" });
  const other = await createTool(service, { name: "another" });
  expect(refusal(await console_.post("/tools", { ...ANY_TOOL, name: "only_once" }))).toMatchObject({ status: 409 });
  expect(refusal(await console_.patch(`/tools/${other}`, { name: "only_once" }))).toMatchObject({ status: 409 });
});

verifies("tools.custom.admins", "rights depend on the role", async () => {
  const own = await api.get("/api-me");
  const { workspace_id: workspaceId } = z.looseObject({ workspace_id: z.string() }).parse(own.body);
  const id = await createTool(service, { name: "roles", url: `${endpoint.url}/echo` });
  const as = async (role: "viewer" | "member" | "admin") => {
    const { key } = await addMember(service.databaseUrl, workspaceId, role);
    return consoleOf(service, key);
  };
  const statuses = async (who: Api) => [
    (await who.get(`/tools/${id}/calls`)).status,
    (await who.post(`/tools/${id}/test`, {})).status,
    (await who.patch(`/tools/${id}`, { description: "X" })).status,
  ];
  expect(await statuses(await as("viewer"))).toEqual([200, 403, 403]);
  expect(await statuses(await as("member"))).toEqual([200, 200, 403]);
  expect(await statuses(await as("admin"))).toEqual([200, 200, 200]);
});

verifies("tools.custom.listed", "the model gets the workspace's description of the tool", async () => {
  const id = await createTool(service, { name: "forecast", description: "Says what comes.", parameters: CITY });
  const { id: agentId } = await createAgent(api, { model: "gpt-4o", tools: ["wait", `custom:${id}`] });
  await taskEnd(service, await startTask(service, agentId, { title: "listed" }));
  const tools = z.array(z.looseObject({ function: z.unknown() })).parse(provider.callsOf("listed")[0]?.body["tools"]);
  expect(tools).toHaveLength(2);
  expect(tools[1]?.function).toMatchObject({ name: "forecast", description: "Says what comes.", parameters: CITY });
});

verifies("tools.custom.foreign", "a tool of another workspace cannot be listed, read or tested", async () => {
  const id = await createTool(service, { name: "ours" });
  const { key } = await addWorkspace(service.databaseUrl);
  const theirs = apiOf(service, key);
  const agent = await createAgent(theirs);
  for (const tool of [id, UNKNOWN]) {
    const tools = ["wait", `custom:${tool}`];
    const config = { requires_approval: [`custom:${tool}`] };
    for (const refused of [
      await theirs.post("/api-agents", { name: "A", model: "demo", tools }),
      await theirs.patch(`/api-agents?id=${agent.id}`, { tools }),
    ]) {
      expect(refusal(refused)).toMatchObject({ status: 400, paths: ["tools.1"] });
    }
    const marked = await theirs.patch(`/api-agents?id=${agent.id}`, { config });
    expect(refusal(marked)).toMatchObject({ status: 400, paths: ["config.requires_approval.0"] });
    expect(refusal(await consoleOf(service, key).get(`/tools/${tool}`)).status).toBe(404);
    expect(refusal(await consoleOf(service, key).post(`/tools/${tool}/test`, {})).status).toBe(404);
  }
  expect(await createTool(service, { name: "ours" }, key)).toBeTruthy();
});

verifies("tools.custom.request", "arguments fill the URL, and then the query or the body", async () => {
  const parameters = { type: "object", properties: { id: {}, n: {}, list: {}, deep: {} }, required: ["id"] };
  const args = { id: "a/b ?ü", n: 7, list: ["x", "y"], deep: { a: 1 } };
  const url = `${endpoint.url}/things/{id}?fixed=1`;
  const get = await toolFor({ parameters, url, method: "GET" });
  expect(JSON.parse(await get.call(args))).toMatchObject({
    method: "GET",
    path: "/things/a%2Fb%20%3F%C3%BC?fixed=1&n=7&list=x&list=y&deep=%7B%22a%22%3A1%7D",
    body: "",
  });
  const put = await toolFor({ parameters, url, method: "PUT" });
  expect(JSON.parse(await put.call(args))).toMatchObject({
    method: "PUT",
    path: "/things/a%2Fb%20%3F%C3%BC?fixed=1",
    body: '{"n":7,"list":["x","y"],"deep":{"a":1}}',
    type: "application/json",
  });
  expect(await get.call({ id: ".." })).toMatch(/must not be empty, "\." or "\.\."/);
  expect(await get.call({ id: { a: 1 } })).toMatch(/must be a string, a number or a boolean/);
});

verifies("tools.custom.bad-arguments", "the model gets an error for invalid arguments", async () => {
  const { id, call } = await toolFor({ parameters: CITY });
  expect(await call({ city: "B" })).toMatch(/city must NOT have fewer than 2 characters/);
  expect(await call({ days: 3 })).toMatch(/must have required property 'city'/);
  expect(await call({ city: "Bonn", colour: "red" })).toMatch(/unknown field colour/);
  const tested = await console_.post(`/tools/${id}/test`, { arguments: { city: 5 } });
  expect(refusal(tested)).toMatchObject({ status: 400, paths: ["arguments.city"] });
  expect(await callsOf(id)).toEqual([]);
});

verifies("tools.custom.bad-arguments", "a schema that takes too long to check delays no other workspace", async () => {
  const slow = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  const { call } = await toolFor({ parameters: slow });
  expect(await call({ a: `${"a".repeat(60)}!` })).toMatch(/takes too long/);
});

verifies(
  ["tools.custom.failures", "tools.custom.calls", "tools.custom.secret-headers"],
  "a failure is returned to the model and logged, without the secret that the endpoint repeats",
  async () => {
    const headers = { Authorization: SECRET };
    const refusing = await toolFor({ url: `${endpoint.url}/refuse`, headers });
    expect(await refusing.call({})).toBe('HTTP 422: {"fault":"no, ••••"}');
    const echoing = await toolFor({ headers });
    expect(JSON.parse(await echoing.call({}))).toMatchObject({ sent: "••••" });
    const slow = await toolFor({ url: `${endpoint.url}/hang`, timeout_ms: 150 });
    expect(await slow.call({})).toMatch(/127\.0\.0\.1 took longer than 0\.15 s/);
    const away = await toolFor({ url: `http://127.0.0.1:${await freePort()}/` });
    expect(await away.call({})).toMatch(/127\.0\.0\.1 cannot be reached/);
    const empty = await toolFor({ url: `${endpoint.url}/empty` });
    expect(await empty.call({})).toBe("");

    const log = await Promise.all([refusing, echoing, slow, away, empty].map(({ id }) => callsOf(id)));
    expect(log).toMatchObject([
      [{ status: "failed", http_status: 422, error: 'HTTP 422: {"fault":"no, ••••"}', task_id: expect.any(String) }],
      [{ status: "success", http_status: 200, error: null }],
      [{ status: "failed", http_status: null, error: expect.stringMatching(/took longer/) }],
      [{ status: "failed", http_status: null }],
      [{ status: "success", http_status: 204 }],
    ]);
    for (const [call] of log) expect(call?.["duration_ms"]).toEqual(expect.any(Number));
  },
);

verifies(["tools.custom.test", "tools.custom.calls"], "a test makes a real call and is logged as a test", async () => {
  const { id } = await toolFor({ parameters: CITY });
  const tested = await console_.post(`/tools/${id}/test`, { arguments: { city: "Bonn", days: 2 } });
  expect(tested.status).toBe(200);
  const result = fieldsOf(tested);
  expect(result).toMatchObject({ status: "success", http_status: 200, error: null });
  expect(JSON.parse(String(result["output"]))).toMatchObject({ body: '{"city":"Bonn","days":2}' });
  for (const _ of [1, 2]) await console_.post(`/tools/${id}/test`, { arguments: { city: "Bonn" } });
  const page = await console_.get(`/tools/${id}/calls?limit=2`);
  expect(listOf(page)).toMatchObject([{ tool_id: id, task_id: null, status: "success" }, { task_id: null }]);
  expect(page.headers.get("link")).toMatch(/rel="next"/);
});

verifies("tools.custom.calls", "old calls are deleted", async () => {
  const { id } = await toolFor({});
  for (const _ of [1, 2]) await console_.post(`/tools/${id}/test`, {});
  const [newer, older] = await callsOf(id);
  const age = "update custom_tool_calls set created_at = now() - interval '31 days' where id = $1 returning id";
  await sql(service.databaseUrl, age, [older?.["id"]]);
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const monthAgo = new Date(Date.now() - 30 * 86_400_000);
  expect(await deleteOldCustomToolCalls(db, monthAgo, 1_000).finally(db.close)).toBe(1);
  expect(await callsOf(id)).toEqual([newer]);
});

verifies("tools.custom.cancel", "cancelling the task closes the connection to the endpoint", async () => {
  const { id, agentId, name } = await toolFor({ url: `${endpoint.url}/hang`, timeout_ms: 60_000 });
  const taskId = await startTask(service, agentId, { description: orderOf(name, {}) });
  const before = await eventually("the call", async () => {
    const seen = endpoint.seen.at(-1);
    return seen?.path === "/hang" && String(seen.headers["idempotency-key"]).startsWith(taskId) && seen;
  });
  expect(before.headers["idempotency-key"]).toMatch(new RegExp(`^${taskId}:1:`));
  await stopTask(api, taskId);
  await before.gone;
  const [call] = await eventually("the log", async () => {
    const calls = await callsOf(id);
    return calls.length > 0 && calls;
  });
  expect(call).toMatchObject({ status: "failed", task_id: taskId, error: "The call was aborted." });
});

verifies("tools.custom.approval", "a marked tool is called only after a person's approval", async () => {
  const name = "marked";
  const id = await createTool(service, { name, url: `${endpoint.url}/echo` });
  const config = { requires_approval: [`custom:${id}`] };
  const { id: agentId } = await createAgent(api, { tools: [`custom:${id}`], config });
  const taskId = await startTask(service, agentId, { description: orderOf(name, {}) });
  const { interactionId } = await questionOf(service, { agentId, taskId });
  expect(await callsOf(id)).toEqual([]);
  await respond(service, { agentId, taskId }, { interactionId, approved: true });
  await taskIn(api, taskId, "completed");
  expect(await callsOf(id)).toMatchObject([{ status: "success", task_id: taskId }]);
  expect(JSON.stringify(await readToEnd(service, { agentId, taskId }))).toContain("May the agent use marked?");
});

verifies("tools.custom.delete-used", "a tool that agents list is not deleted; the error lists the agents", async () => {
  const { id, agentId } = await toolFor({}, { name: "Its user" });
  const refused = refusal(await console_.delete(`/tools/${id}`));
  expect(refused).toMatchObject({ status: 409, message: expect.stringContaining("Its user") });
  await api.patch(`/api-agents?id=${agentId}`, { tools: [] });
  expect((await console_.delete(`/tools/${id}`)).status).toBe(204);
});

verifies("tools.names.known", "an unknown name is rejected with its path and the known names", async () => {
  const { id } = await createAgent(api);
  const tools = ["wait", "web_serch"];
  const config = { requires_approval: ["delegate_to_worker", "nothing"] };
  const message =
    /unknown tool\. (?:Did you mean \S+\? )?Known: .*current_time.*web_search, custom:<id> of a custom tool, mcp:/;
  for (const refused of [
    await api.post("/api-agents", { name: "A", model: "demo", tools }),
    await api.patch(`/api-agents?id=${id}`, { tools }),
  ]) {
    expect(refusal(refused)).toMatchObject({
      status: 400,
      paths: ["tools.1"],
      message: expect.stringMatching(message),
    });
  }
  expect(refusal(await api.patch(`/api-agents?id=${id}`, { config }))).toMatchObject({
    status: 400,
    paths: ["config.requires_approval.1"],
  });
  expect(refusal(await api.patch(`/api-agents?id=${id}`, { tools: ["custom:crm"] })).status).toBe(400);
});

verifies("tools.names.promised", "names that files and the contract use are accepted", async () => {
  const tools = ["web_search", "knowledge_search", "a2a_delegate"];
  expect(await createAgent(api, { tools })).toMatchObject({ tools });
});

verifies("tools.custom.guard", "without the operator's permission a tool cannot reach private networks", async () => {
  const closed = await startService();
  try {
    const at = consoleOf(closed, closed.keys.api);
    expect(refusal(await at.post("/tools", { ...ANY_TOOL, url: endpoint.url }))).toMatchObject({
      status: 400,
      paths: ["url"],
      message: expect.stringContaining("127.0.0.1 is rejected"),
    });
    const port = new URL(endpoint.url).port;
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
  } finally {
    await closed.stop();
  }
});
