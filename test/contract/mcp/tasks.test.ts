import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { HEADING, QUESTION_TOOLS, callOf } from "../../support/interactions.ts";
import { CAPABILITIES, sendModern } from "../../support/mcp/modern.ts";
import type { ModernRequest } from "../../support/mcp/modern.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";
import { ENDLESS, FAILING, QUICK, createAgent, taskIn } from "../../support/work.ts";

const keys = createKeys();
let database: TestDatabase;
let service: TestService;
let peer: TestService;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService({ databaseUrl: database.url, keys });
  peer = await startPeer({ databaseUrl: database.url, keys });
  const tools = [...QUESTION_TOOLS, "wait"];
  await createAgent(apiOf(service, keys.api), { name: "Worker", is_mcp_published: true, tools });
});
afterAll(async () => {
  for (const each of [service, peer]) await each.stop();
  await database.drop();
});

const task = z.looseObject({ taskId: z.string(), status: z.string() });
const answered = z.object({ result: z.looseObject({}) });
const refused = z.object({ error: z.looseObject({ code: z.number(), message: z.string() }) });

function rpc(request: ModernRequest, on = service, key = keys.mcp) {
  return sendModern({ url: on.url, key }, request);
}

async function result(request: ModernRequest, on = service) {
  const { body, text } = await rpc(request, on);
  return answered.parse(body, { error: () => text }).result;
}

async function errorOf(request: ModernRequest, key = keys.mcp) {
  return refused.parse((await rpc(request, service, key)).body).error;
}

async function create(message: string, on = service) {
  const params = { name: "worker", arguments: { message } };
  return task.parse(await result({ method: "tools/call", params }, on));
}

/** Polls a task, at either process in turn, until it is in a state. */
function taskAs(taskId: string, status: string) {
  let polls = 0;
  return eventually(`the task is ${status}`, async () => {
    const now = await result({ method: "tasks/get", params: { taskId } }, (polls += 1) % 2 === 0 ? service : peer);
    return now["status"] === status && now;
  });
}

verifies("mcp.server.tasks", "a call becomes a task that any process finds again", async () => {
  const created = await create(QUICK);
  expect(created).toEqual({
    resultType: "task",
    taskId: expect.any(String),
    status: "working",
    createdAt: expect.any(String),
    lastUpdatedAt: expect.any(String),
    ttlMs: null,
    pollIntervalMs: 1_000,
    _meta: expect.anything(),
  });
  const done = await taskAs(created.taskId, "completed");
  expect(done).toMatchObject({
    resultType: "complete",
    result: { resultType: "complete", content: [{ text: "done" }] },
  });
  const failed = await taskAs((await create(FAILING)).taskId, "completed");
  expect(failed).toMatchObject({ result: { isError: true } });
});

verifies("mcp.server.tasks.cancel", "a client cancels a task at another process", async () => {
  const { taskId } = await create(ENDLESS);
  await taskIn(apiOf(service, keys.api), taskId, "running");
  expect(await result({ method: "tasks/cancel", params: { taskId } }, peer)).toMatchObject({ resultType: "complete" });
  const cancelled = await taskAs(taskId, "cancelled");
  expect(cancelled).not.toHaveProperty("result");
  // Again, and for one that has ended: nothing happens.
  expect(await result({ method: "tasks/cancel", params: { taskId } })).toMatchObject({ resultType: "complete" });
});

verifies("mcp.server.tasks.input", "a task asks its client, whose answer it takes at any process", async () => {
  const { taskId } = await create(callOf("request_input", HEADING));
  const waiting = await taskAs(taskId, "input_required");
  const requests = z.record(z.string(), z.looseObject({ method: z.string() })).parse(waiting["inputRequests"]);
  const [[key, request] = expect.unreachable()] = Object.entries(requests);
  expect(request).toMatchObject({ method: "elicitation/create", params: { mode: "form" } });
  // A client without forms is told what the task waits for, and asked nothing.
  const plain = { extensions: CAPABILITIES.extensions };
  expect(await result({ method: "tasks/get", params: { taskId }, capabilities: plain })).toMatchObject({
    status: "working",
    statusMessage: `Waiting for an answer: ${HEADING.title}`,
  });
  const update = (inputResponses: object) => ({ method: "tasks/update", params: { taskId, inputResponses } });
  const empty = { action: "accept", content: { answer: "" } };
  expect(await errorOf(update({ [key]: empty }))).toMatchObject({ code: -32_602 });
  expect(await result(update({ other: empty }))).toMatchObject({ resultType: "complete" });
  const answer = { [key]: { action: "accept", content: { answer: "Tuesday" } } };
  await result(update(answer), peer);
  const done = await taskAs(taskId, "completed");
  expect(JSON.stringify(done["result"])).toContain("Tuesday");
  expect(await result(update(answer))).toMatchObject({ resultType: "complete" });
});

verifies("mcp.server.tasks.own", "a task is found by its client only, and by those that know tasks", async () => {
  const { taskId } = await create(QUICK);
  const desk = consoleOf(service, keys.api);
  const other = String(fieldsOf(await desk.post("/keys", { label: "Other", kind: "mcp" }))["key"]);
  const mine = (await apiOf(service, keys.api).post("/api-tasks", { title: "Not by MCP" })).body;
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    const of = (id: string) => ({ method, params: { taskId: id, inputResponses: {} } });
    expect(await errorOf(of(taskId), other)).toMatchObject({ code: -32_602, message: "Task not found" });
    for (const id of [z.looseObject({ id: z.string() }).parse(mine).id, "no-id", crypto.randomUUID()]) {
      expect(await errorOf(of(id))).toMatchObject({ code: -32_602 });
    }
    expect(await errorOf({ ...of(taskId), capabilities: {} })).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
    });
  }
  const listen = { method: "subscriptions/listen", params: { notifications: { taskIds: [taskId] } }, capabilities: {} };
  expect(await errorOf(listen)).toMatchObject({ code: -32_021 });
  const params = { name: "worker", arguments: { message: QUICK } };
  const plain = await result({ method: "tools/call", params, capabilities: {} });
  expect(plain).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
});

const card = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"),
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  version: z.string(),
  title: z.string().max(100),
  description: z.string().min(1).max(100),
  remotes: z.tuple([
    z.strictObject({
      type: z.literal("streamable-http"),
      url: z.url(),
      supportedProtocolVersions: z.array(z.string()),
    }),
  ]),
});

verifies("mcp.server.card", "a client finds the endpoint by the name of its host", async () => {
  const catalog = await send("GET", `${service.url}/.well-known/mcp/catalog.json`);
  expect(catalog.body).toEqual({
    specVersion: "draft",
    entries: [
      {
        identifier: "urn:air:127.0.0.1:mcp",
        displayName: "Muster",
        type: "application/mcp-server-card+json",
        url: `${service.url}/mcp/server-card`,
      },
    ],
  });
  const found = await send("GET", `${service.url}/mcp/server-card`);
  expect(found.headers.get("content-type")).toBe("application/mcp-server-card+json");
  expect(found.headers.get("access-control-allow-origin")).toBe("*");
  const { version, remotes } = card.parse(found.body);
  const [{ url, supportedProtocolVersions }] = remotes;
  expect(url).toBe(`${service.url}/mcp`);
  const discovered = await result({ method: "server/discover" });
  expect(supportedProtocolVersions).toEqual(
    expect.arrayContaining(z.array(z.string()).parse(discovered["supportedVersions"])),
  );
  expect(JSON.stringify(discovered["_meta"])).toContain(`"version":"${version}"`);
});

verifies("mcp.server.multi-round", "a round goes on at any process, with the state of this very call", async () => {
  const params = { name: "worker", arguments: { message: callOf("request_input", HEADING) } };
  const capabilities = { elicitation: {} };
  const call = (more: object, on = service) =>
    result({ method: "tools/call", params: { ...params, ...more }, capabilities }, on);
  const first = await call({});
  expect(first["resultType"]).toBe("input_required");
  const [key = ""] = Object.keys(z.record(z.string(), z.unknown()).parse(first["inputRequests"]));
  const requestState = z.string().parse(first["requestState"]);
  for (const wrong of [`${requestState}x`, "nonsense", requestState.toLowerCase()]) {
    const request = { method: "tools/call", params: { ...params, requestState: wrong }, capabilities };
    expect(await errorOf(request)).toMatchObject({ code: -32_602 });
  }
  const desk = consoleOf(service, keys.api);
  const other = String(fieldsOf(await desk.post("/keys", { label: "Thief", kind: "mcp" }))["key"]);
  const stolen = { method: "tools/call", params: { ...params, requestState }, capabilities };
  expect(await errorOf(stolen, other)).toMatchObject({ code: -32_602 });
  // Without the answer, and with one that does not fit, it is asked again.
  expect(await call({ requestState })).toMatchObject({ resultType: "input_required", inputRequests: { [key]: {} } });
  const answer = (text: string) => ({ [key]: { action: "accept", content: { answer: text } } });
  const misfit = await call({ requestState, inputResponses: answer("") });
  expect(misfit).toMatchObject({ resultType: "input_required", inputRequests: { [key]: {} } });
  const second = await call({ requestState, inputResponses: answer("Tuesday") }, peer);
  expect(second).toMatchObject({ resultType: "complete", content: [{ text: expect.stringContaining("Tuesday") }] });
  // Sent again, as after a lost response.
  const again = await call({ requestState, inputResponses: answer("Friday") });
  expect(again["content"]).toEqual(second["content"]);
});

verifies("mcp.server.tasks.earlier", "the client of before calls with a task, answers, lists and cancels", async () => {
  const client = new Client({ name: "tests", version: "1" }, { capabilities: { elicitation: {}, tasks: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept" as const, content: { answer: "Tuesday" } }));
  const requestInit = { headers: { Authorization: `Bearer ${keys.mcp}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", service.url), { requestInit }));
  const { tasks } = client.experimental;
  const params = { name: "worker", arguments: { message: callOf("request_input", HEADING) } };
  await client.listTools();
  const seen: string[] = [];
  let text = "";
  for await (const message of tasks.callToolStream(params, CallToolResultSchema, { task: { ttl: 60_000 } })) {
    seen.push(message.type);
    if (message.type === "error") throw message.error;
    if (message.type === "result") text = JSON.stringify(message.result.content);
  }
  expect(seen[0]).toBe("taskCreated");
  expect(text).toContain("Tuesday");
  const [newest] = (await tasks.listTasks()).tasks;
  expect(newest).toMatchObject({ status: "completed", ttl: null });
  const endless = tasks.callToolStream({ name: "worker", arguments: { message: ENDLESS } }, CallToolResultSchema, {
    task: {},
  });
  const created = (await endless.next()).value;
  if (created?.type !== "taskCreated") throw new Error("No task was created.");
  const { taskId } = created.task;
  expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: "cancelled" });
  await expect(tasks.cancelTask(taskId)).rejects.toThrow(/already/);
  await endless.return(undefined);
  await client.close();
});

verifies(
  "mcp.server.errors",
  "what cannot be stored, and the cursor of no list, are the client's mistakes",
  async () => {
    const post = (body: object) =>
      send("POST", `${service.url}/mcp`, {
        headers: { authorization: `Bearer ${keys.mcp}` },
        body: { jsonrpc: "2.0", id: 1, ...body },
      });
    for (const message of ["a\u0000b", "a\ud800b"]) {
      const answer = await post({ method: "tools/call", params: { name: "worker", arguments: { message } } });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("U+0000 or unpaired surrogates")]);
    }
    const list = await post({ method: "tasks/list", params: { cursor: "x" } });
    expect(list.body).toMatchObject({
      error: { code: -32_602, message: "cursor must be the nextCursor of this list." },
    });
  },
);

verifies("mcp.server.errors", "a fault of the service is an internal error without its reason", async () => {
  const { taskId } = await create(QUICK);
  const right = "execute on function question_votes_of";
  await sql(database.url, `revoke ${right} from public`);
  try {
    const error = await errorOf({ method: "tasks/get", params: { taskId } });
    expect(error).toMatchObject({ code: -32_603, message: "Internal error." });
  } finally {
    await sql(database.url, `grant ${right} to public`);
  }
});
