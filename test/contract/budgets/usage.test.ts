import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskInState, taskIn } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

/** What the fake provider says that each call has used. */
const TOKENS = { prompt_tokens: 11, completion_tokens: 7 };

interface UsageRow {
  readonly attempt: number;
  readonly step: number;
  readonly [field: string]: unknown;
}

let provider: ScriptedProvider;
let service: TestService;
let api: Api;

beforeAll(async () => {
  provider = await startScriptedProvider((call, reply) => {
    if (call.task === "Refused") return reply.refuse(400, "no such thing");
    if (call.turn === 0) reply.callTool("current_time", {});
    else reply.say("done");
    reply.finish();
  });
  const env = { OPENAI_API_KEY: "key-of-the-test", OPENAI_BASE_URL: provider.baseUrl, ALLOW_PRIVATE_URLS: "true" };
  service = await startService({ env });
  api = apiOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

function recordsOf(taskId: string, databaseUrl = service.databaseUrl): Promise<UsageRow[]> {
  return sql<UsageRow>(
    databaseUrl,
    `select task_id, agent_id, attempt, step, provider, model, prompt_tokens, completion_tokens,
       estimated_cost_usd::double precision as estimated_cost_usd, billing_model
     from usage_records where task_id = $1 order by attempt, step`,
    [taskId],
  );
}

verifies(
  [
    "usage.record.fields",
    "usage.record.per-turn",
    "usage.record.model-used",
    "usage.cost.by-catalogue",
    "usage.billing.per-token",
    "usage.task.sum",
  ],
  "each turn of the model writes a record with its tokens at the catalogue's price",
  async () => {
    const { id: agentId } = await createAgent(api, { model: "gpt-4o" });
    const task = await taskInState(api, { agentId, status: "completed", description: "Two turns." });
    const record = {
      task_id: task.id,
      agent_id: agentId,
      attempt: 1,
      provider: "openai",
      model: "gpt-4o",
      ...TOKENS,
      // 11 at $2.50 and 7 at $10 per million.
      estimated_cost_usd: 0.0000975,
      billing_model: "per-token",
    };
    expect(await recordsOf(task.id)).toEqual([
      { ...record, step: 0 },
      { ...record, step: 1 },
    ]);
    expect(task.usage).toMatchObject({
      prompt_tokens: 22,
      completion_tokens: 14,
      total_tokens: 36,
      cost_usd: 0.000195,
    });
  },
);

verifies("usage.task.sum", "a task that runs again counts its current attempt only; older records stay", async () => {
  const { id: agentId } = await createAgent(api, { model: "gpt-4o" });
  const first = await taskInState(api, { agentId, status: "completed", description: "Again." });
  await api.patch(`/api-tasks?id=${first.id}`, { status: "dispatched" });
  const second = await taskIn(api, first.id, "completed");
  expect(second).toMatchObject({ attempt: 2, usage: first.usage });
  expect((await recordsOf(first.id)).map(({ attempt, step }) => [attempt, step])).toEqual([
    [1, 0],
    [1, 1],
    [2, 0],
    [2, 1],
  ]);
});

verifies("usage.record.failed-runs", "the turns before a failure have their records", async () => {
  const { id: agentId } = await createAgent(api);
  const description = "[[tool:current_time]]\n[[fail:boom]]";
  const task = await taskInState(api, { agentId, status: "failed", description });
  const records = await recordsOf(task.id);
  const record = { provider: "demo", model: "demo", billing_model: "per-token" };
  expect(records).toMatchObject([
    { ...record, step: 0 },
    { ...record, step: 1, prompt_tokens: 0, completion_tokens: 0 },
  ]);
  expect(task.usage["total_tokens"]).toBeGreaterThan(0);
  expect(task.usage).toMatchObject({
    prompt_tokens: records[0]?.["prompt_tokens"],
    completion_tokens: records[0]?.["completion_tokens"],
  });
});

verifies("usage.record.failed-runs", "a call that no model answered has its record too", async () => {
  const { id: agentId } = await createAgent(api, { model: "gpt-4o", fallback_model: "gpt-4-turbo" });
  const { id } = await createTask(api, { title: "Refused", assigned_agent_id: agentId });
  await taskIn(api, id, "failed");
  const nothing = { prompt_tokens: 0, completion_tokens: 0, estimated_cost_usd: 0 };
  expect(await recordsOf(id)).toMatchObject([{ step: 0, provider: "openai", model: "gpt-4-turbo", ...nothing }]);
});

verifies(
  "usage.billing.subscription-quota",
  "an endpoint marked as a subscription costs nothing per token",
  async () => {
    const workspace = await addWorkspace(service.databaseUrl);
    const other = apiOf(service, workspace.key);
    const body = { api_key: "key-of-the-test", base_url: provider.baseUrl, billing_model: "subscription-quota" };
    const headers = { "x-api-key": workspace.key };
    const saved = await send("PUT", `${service.url}/console/api/provider-keys/openai`, { headers, body });
    expect(saved.body).toMatchObject({ billing_model: "subscription-quota" });
    const { id: agentId } = await createAgent(other, { model: "gpt-4o" });
    const task = await taskInState(other, { agentId, status: "completed", description: "Two turns." });
    const record = { ...TOKENS, billing_model: "subscription-quota", estimated_cost_usd: 0 };
    expect(await recordsOf(task.id)).toMatchObject([record, record]);
  },
);

verifies("usage.record.model-used", "a record contains the fallback model when that one replied", async () => {
  const { id: agentId } = await createAgent(api, { model: "gpt-4o", fallback_model: "demo" });
  const { id } = await createTask(api, { title: "Refused", description: "[[say:ok]]", assigned_agent_id: agentId });
  expect(await taskIn(api, id, "completed")).toMatchObject({ result: "ok" });
  expect(await recordsOf(id)).toMatchObject([{ step: 0, provider: "demo", model: "demo", estimated_cost_usd: 0 }]);
});

verifies(
  "usage.record.once",
  "a run that another process takes over writes no record of a finished turn again",
  async () => {
    const database = await createDatabase();
    const keys = createKeys();
    const env = { OPENAI_API_KEY: "key-of-the-test", OPENAI_BASE_URL: provider.baseUrl };
    const first = await startProcess({ databaseUrl: database.url, keys, env });
    const before = apiOf(first, keys.api);
    const { id: agentId } = await createAgent(before);
    // The first turn calls a tool that takes a while; the process dies in the middle of it.
    const description = '[[tool:wait {"seconds":1}]]\n[[say:done]]';
    const { id } = await createTask(before, { description, assigned_agent_id: agentId });
    await taskIn(before, id, "running");
    const written = await waitForRecord(id, database.url);
    await first.kill();
    const second = await startService({ databaseUrl: database.url, keys, env });
    try {
      const done = await taskIn(apiOf(second, keys.api), id, "completed");
      const records = await recordsOf(id, database.url);
      expect(records.map(({ step }) => step)).toEqual([0, 1]);
      expect(records[0]).toEqual(written);
      expect(done.usage["total_tokens"]).toBe(
        records.reduce((sum, row) => sum + Number(row["prompt_tokens"]) + Number(row["completion_tokens"]), 0),
      );
    } finally {
      await second.stop();
      await database.drop();
    }
  },
  { tags: "slow" },
);

async function waitForRecord(taskId: string, databaseUrl: string): Promise<UsageRow> {
  return eventually("the first turn is recorded", async () => (await recordsOf(taskId, databaseUrl))[0]);
}
