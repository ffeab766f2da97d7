import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { WEATHER, callingScript, callsText } from "../../support/client-tools.ts";
import type { ScriptedCall } from "../../support/client-tools.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readTask, stopTask } from "../../support/work.ts";
import { addKey, sql } from "../../support/workspace.ts";
import { eventsIn } from "../../support/sse-client.ts";

const keys = createKeys();
const headers = { authorization: `Bearer ${keys.agui}` };
const bern = { name: "get_weather", args: { city: "Bern" } };
const oslo = { name: "get_weather", args: { city: "Oslo" } };
const time = { name: "current_time", args: {} };
const tools = [WEATHER];

let database: TestDatabase;
let provider: ScriptedProvider;
let service: TestService;
let other: TestService;
let api: Api;
let agentId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(callingScript);
  database = await createDatabase();
  const env = { ...provider.env };
  const options = { databaseUrl: database.url, keys };
  [service, other] = await Promise.all([
    startService({ ...options, env: { ...env, AG_UI_INTERRUPTS: "false" } }),
    startService({ ...options, env }),
  ]);
  api = apiOf(service, keys.api);
  agentId = (await createAgent(api, { model: "gpt-4o", tools: ["current_time"] })).id;
});
afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
  await provider.close();
  await database.drop();
});

function urlAt({ url }: TestService): string {
  return `${url}/ag-ui/${agentId}/sse`;
}

/** A client whose agent has called its tools. */
async function called(...turns: ScriptedCall[][]): Promise<HttpAgent> {
  const client = new HttpAgent({ url: urlAt(service), headers });
  client.addMessage({ id: newId(), role: "user", content: callsText(...turns) });
  await client.runAgent({ tools });
  return client;
}

function callIds(client: Pick<HttpAgent, "messages">): string[] {
  return client.messages.flatMap((message) => {
    const ids = message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [];
    return ids.filter((id) => !client.messages.some((other) => other.role === "tool" && other.toolCallId === id));
  });
}

function bring(client: HttpAgent, results: readonly string[]): void {
  callIds(client).forEach((toolCallId, index) =>
    client.addMessage({ id: newId(), role: "tool", toolCallId, content: results[index] ?? "" }),
  );
}

/** One request as a client of 1.x sends it, whatever it says. */
function post({ threadId, messages }: HttpAgent, fields: object = {}): Promise<Answer> {
  const body = { threadId, runId: newId(), messages, protocolVersion: "1.0", state: {}, tools, context: [], ...fields };
  return send("POST", urlAt(other), { headers, body });
}

verifies(
  "ag-ui.standard.client-tools",
  "a call of the client's tool ends the run, and another process continues the task with its result",
  async () => {
    const warn = vi.spyOn(console, "warn");
    const client = await called([bern], [oslo]);
    expect(client.pendingInterrupts).toEqual([]);
    expect(await readTask(api, client.threadId)).toMatchObject({ status: "waiting_for_input" });
    bring(client, ["sunny"]);
    client.url = urlAt(other);
    await client.runAgent({ tools });
    bring(client, ["rain"]);
    const { result } = await client.runAgent({ tools });
    expect(result).toBe("Results: sunny | rain");
    expect(client.messages.filter(({ role }) => role === "tool")).toHaveLength(2);
    expect(client.messages.at(-1)).toMatchObject({ role: "assistant", content: result });
    expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed", attempt: 1, result });
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  },
  { tags: "slow" },
);

verifies(
  "ag-ui.standard.client-tools",
  "the client of 0.0.59 runs its tools as well",
  async () => {
    const client = new HttpAgent0({ url: urlAt(service), headers });
    client.addMessage({ id: newId(), role: "user", content: callsText([bern, oslo]) });
    await client.runAgent({ tools });
    const asked = client.messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
    expect(asked.map((call) => JSON.parse(call.function.arguments))).toEqual([bern.args, oslo.args]);
    for (const { id } of asked) client.addMessage({ id: newId(), role: "tool", toolCallId: id, content: "fog" });
    expect((await client.runAgent({ tools })).result).toBe("Results: fog | fog");
  },
  { tags: "slow" },
);

verifies("ag-ui.standard.client-tools", "the agent runs its own tools of the same reply itself", async () => {
  const client = await called([time, bern]);
  expect(callIds(client)).toHaveLength(1);
  bring(client, ["sunny"]);
  expect((await client.runAgent({ tools })).result).toMatch(/^Results: .*\d{4}.* \| sunny$/);
});

verifies(
  "ag-ui.standard.client-tools",
  "the same results sent again get the same events, and all are AG-UI's",
  async () => {
    const client = await called([bern]);
    bring(client, ["sunny"]);
    const answers = await Promise.all([post(client), post(client)]);
    answers.push(await post(client));
    for (const events of answers.map(eventsIn)) {
      expect(events[0]).toMatchObject({ type: "RUN_STARTED", threadId: client.threadId });
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: "Results: sunny" });
      expect(events.map(({ type }) => type)).not.toContain("TOOL_CALL_RESULT");
      for (const event of events) expect(EventSchemas.safeParse(event).error?.message).toBeUndefined();
    }
    expect(provider.calls.filter(({ body }) => body.messages.at(-1)?.role === "tool").length).toBeGreaterThan(0);
  },
  { tags: "slow" },
);

verifies("ag-ui.standard.client-tools", "a client that reconnects without results gets its calls again", async () => {
  const client = await called([bern]);
  const again = eventsIn(await post(client));
  expect(again.map(({ type }) => type)).toContain("TOOL_CALL_START");
  expect(again.at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId: client.threadId });
  expect(again.at(-1)).not.toHaveProperty("outcome");
  await stopTask(api, client.threadId);
});

verifies("ag-ui.standard.client-tools-errors", "a read-only key sends no results, and is told why", async () => {
  const [owner] = await sql<{ workspaceId: string; ownerId: string }>(
    database.url,
    `select workspace_id as "workspaceId", user_id as "ownerId" from members`,
  );
  if (owner === undefined) throw new Error("There is no owner.");
  const key = await addKey(database.url, { ...owner, kind: "ag-ui", scopes: ["read"] });
  const client = await called([bern]);
  bring(client, ["sunny"]);
  const body = { threadId: client.threadId, messages: client.messages, tools };
  const answer = await send("POST", urlAt(service), { headers: { authorization: `Bearer ${key}` }, body });
  expect([answer.status, answer.body]).toEqual([403, { error: "This key has no write scope." }]);
  expect(await readTask(api, client.threadId)).toMatchObject({ status: "waiting_for_input" });
  await stopTask(api, client.threadId);
});

verifies("ag-ui.standard.client-tools-errors", "invalid results are rejected, and the task keeps waiting", async () => {
  const client = await called([bern, oslo]);
  const [one = "", two = ""] = callIds(client);
  const result = (toolCallId: unknown, content: unknown = "x") => ({ id: newId(), role: "tool", toolCallId, content });
  const message = { id: newId(), role: "user", content: "And now?" };
  const said = client.messages;
  const refusals = [
    [{ messages: [...said, result(one)] }, 400, "Results are missing for these calls"],
    [{ messages: [...said, result(7)] }, 400, "toolCallId"],
    [{ messages: [...said, result(one, 7)] }, 400, "content"],
    [{ messages: [...said, result(one), result(two)], tools: [{ ...WEATHER, name: "current_time" }] }, 400, "rename"],
    [{ messages: [...said, message] }, 409, "send the results of your tools"],
    [{ messages: [message], threadId: newId(), tools: [{ name: "no blanks" }] }, 400, "tools.0.name"],
    [{ messages: [message], threadId: newId(), tools: [{ ...WEATHER, name: "current_time" }] }, 400, "tools.0"],
  ] as const;
  for (const [fields, status, says] of refusals) {
    const answer = await post(client, fields);
    expect([fields, answer.status, answer.body]).toEqual([fields, status, { error: expect.stringContaining(says) }]);
  }
  expect(await readTask(api, client.threadId)).toMatchObject({ status: "waiting_for_input" });
  bring(client, ["a", "b"]);
  expect((await post(client)).status).toBe(200);
  const changed = client.messages.map((each) => (each.role === "tool" ? { ...each, content: "c" } : each));
  expect((await post(client, { messages: changed })).status).toBe(409);
});

verifies(
  "ag-ui.standard.interrupts-off",
  "AG_UI_INTERRUPTS=false and ?interrupts=false do not take resume",
  async () => {
    const body = { threadId: newId(), messages: [], resume: [{ interruptId: "i", status: "cancelled" }] };
    const refusals = [
      [urlAt(service), 400, "resume is not supported here"],
      [`${urlAt(other)}?interrupts=false`, 400, "resume is not supported here"],
      [`${urlAt(other)}?interrupts=no`, 400, "interrupts must be true or false"],
      [`${urlAt(other)}?interrupts=true`, 404, "Task not found for this agent"],
    ] as const;
    for (const [url, status, says] of refusals) {
      const answer = await send("POST", url, { headers, body });
      expect([url, answer.status, answer.body]).toEqual([url, status, { error: expect.stringContaining(says) }]);
    }
  },
);
