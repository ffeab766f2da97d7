import { afterAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../../support/api.ts";
import { budgetWindow, makeBudget } from "../../../support/budgets.ts";
import { eventually } from "../../../support/eventually.ts";
import { createTextTool, isSummary, messagesOf, readsParts, startTexts } from "../../../support/long-run.ts";
import { startAnthropic } from "../../../support/providers/strict/anthropic.ts";
import { startCompatible } from "../../../support/providers/strict/compatible.ts";
import { startGoogle } from "../../../support/providers/strict/google.ts";
import { startOpenAiResponses } from "../../../support/providers/strict/openai-responses.ts";
import { calls, says, thinks } from "../../../support/providers/strict/strict-server.ts";
import type { StrictServer } from "../../../support/providers/strict/strict-server.ts";
import { stepOf, stepsOf } from "../../../support/run-steps.ts";
import { createDatabase, startProcess, startService } from "../../../support/service.ts";
import { readToEnd } from "../../../support/sse-client.ts";
import { createTeam, runIn, startRun } from "../../../support/teams.ts";
import { verifies } from "../../../support/verifies.ts";
import { createAgent, createTask, readTask } from "../../../support/work.ts";
import { endOf, openStrictScene } from "./strict-scene.ts";

const WINDOW = 4_000;
const PARTS = 22;
/** While this is set, calls of the tool after the first summary are left without an answer, and counted. */
let isHeld = false;
let held = 0;
const vendor = await startCompatible("vllm", WINDOW);
const texts = await startTexts(1_000, () => isHeld && vendor.accepted.some(isSummary) && (held += 1) > 0);
const others = {
  anthropic: await startAnthropic(),
  openai: await startOpenAiResponses(),
  google: await startGoogle(),
  "openai-compatible": await startCompatible("deepseek", WINDOW),
};

afterAll(async () => {
  await Promise.all([vendor, texts, ...Object.values(others)].map((server) => server.close()));
});

const env = {
  ALLOW_PRIVATE_URLS: "true",
  OPENAI_COMPATIBLE_API_KEY: "test-key",
  OPENAI_COMPATIBLE_BASE_URL: vendor.baseUrl,
};
const small = { model: "small-9", config: { context_window: WINDOW } };

async function openLongScene(provider = "openai-compatible", server: StrictServer = vendor) {
  const scene = await openStrictScene(provider, server);
  return { ...scene, tools: [await createTextTool(scene.service, texts)] };
}

verifies(
  ["long-conversations.fit", "long-conversations.task", "long-conversations.shown", "long-conversations.recorded"],
  "a run of many turns fits a small window with recorded summaries",
  async () => {
    const { run, service, tools } = await openLongScene();
    const end = await run({ ...small, tools }, readsParts(PARTS));
    expect([end.status, end.result, vendor.rejected]).toEqual(["completed", "Done.", []]);
    const summaries = vendor.accepted.filter(isSummary);
    expect(summaries.length).toBeGreaterThan(1);
    expect(vendor.accepted.length).toBe(PARTS + 1 + summaries.length);

    const last = messagesOf(vendor.accepted.at(-1));
    expect(last[1]).toMatchObject({ role: "user", content: expect.stringContaining("Do it.") });
    expect(last[2]).toMatchObject({ role: "user", content: expect.stringMatching(/Summary after part \d+\./) });

    const steps = await stepsOf(service, end.id);
    const rows = steps.filter(({ kind }) => kind === "summary");
    expect(rows.map(({ status, model }) => [status, model])).toEqual(summaries.map(() => ["completed", "small-9"]));
    const detail = await stepOf(service, end.id, rows[0]?.key ?? "");
    expect(detail.reply?.text).toMatch(/^Summary after part \d+\.$/);
    expect(detail.request?.messages[1]).toMatchObject({ content: expect.stringContaining('end of {"part":1}') });
    const first = await stepOf(service, end.id, "tool:call_1");
    expect(first.result).toContain('end of {"part":1}');
    const paid = steps.reduce((sum, { prompt_tokens: tokens = 0 }) => sum + tokens, 0);
    expect(end.usage["prompt_tokens"]).toBe(paid);
    const events = await readToEnd(service, { agentId: String(end["assigned_agent_id"]), taskId: end.id });
    const told = events.filter(({ event }) => event["name"] === "turns_summarized");
    expect(told.map(({ event }) => event["value"])).toMatchObject(rows.map(({ key }) => ({ step: key })));
  },
);

verifies("long-conversations.forks", "a fork has the summaries from before its step, unpaid", async () => {
  const { run, service, api, tools } = await openLongScene();
  const source = await run({ ...small, tools }, readsParts(PARTS));
  const first = (await stepsOf(service, source.id)).find(({ kind }) => kind === "summary")?.key ?? "";
  const call = Number(first.split(":")[1]);
  for (const [from, summaries] of [
    [call - 1, []],
    [call, [true]],
  ] as const) {
    vendor.plays(says("Done."));
    const made = await consoleOf(service, service.keys.api).post(`/runs/${source.id}/fork`, { from_step: from });
    const fork = await endOf(api, String(fieldsOf(made)["id"]));
    const rows = (await stepsOf(service, fork.id)).filter(({ kind }) => kind === "summary");
    expect([fork.status, rows.map(({ taken_over: isTakenOver }) => isTakenOver)]).toEqual(["completed", summaries]);
    expect(vendor.accepted.length).toBe(1);
    expect(vendor.accepted[0]?.text.includes("Summary after part")).toBe(summaries.length > 0);
  }
});

verifies("long-conversations.continued", "the next message comes after the summaries of the one before", async () => {
  const { run, service, tools } = await openLongScene();
  const end = await run({ ...small, tools, name: "Reader" }, readsParts(PARTS));
  const ofRunBefore = messagesOf(vendor.accepted.at(-1));
  vendor.plays(says("Again."));
  const agent = String(end["assigned_agent_id"]);
  const asked = await send("POST", `${service.url}/v1/responses`, {
    headers: { authorization: `Bearer ${service.keys.api}` },
    body: { model: agent, previous_response_id: `resp_${end.id}`, input: "And now?" },
  });
  expect([asked.status, vendor.rejected, vendor.accepted.length]).toEqual([200, [], 1]);
  const now = messagesOf(vendor.accepted[0]);
  expect(now.slice(0, ofRunBefore.length)).toEqual(ofRunBefore);
});

for (const { provider, model, server } of [
  { provider: "anthropic", model: "claude-sonnet-5-5", server: others.anthropic },
  { provider: "openai", model: "gpt-6-sol", server: others.openai },
  { provider: "google", model: "gemini-4-argon", server: others.google },
  { provider: "openai-compatible", model: "deepseek-9", server: others["openai-compatible"] },
]) {
  verifies("long-conversations.reasoning", `the reasoning is kept or left out as ${model} wants it`, async () => {
    const { run, tools } = await openLongScene(provider, server);
    const fields = { ...small, model, tools };
    const end = await run(fields, readsParts(PARTS, thinks("The next one.")));
    expect([end.status, end.error]).toEqual(["completed", null]);
    // A compatible endpoint is learned to want this field with each call; of others, nothing is rejected.
    const learned = provider === "openai-compatible" ? [expect.stringContaining("reasoning_content")] : [];
    expect(server.rejected).toEqual(learned);
    expect(server.accepted.filter(isSummary).length).toBeGreaterThan(1);
  });
}

verifies("long-conversations.budget", "a summary is reserved and charged", async () => {
  const { run, service, tools } = await openLongScene();
  const cap = { scope: "workspace", window: "day", max_tokens: 10_000_000 };
  const { id } = await makeBudget(consoleOf(service, service.keys.api), cap);
  const end = await run({ ...small, tools, max_tokens: 400 }, readsParts(PARTS));
  const steps = await stepsOf(service, end.id);
  const key = steps.find(({ kind }) => kind === "summary")?.key ?? "";
  expect((await stepOf(service, end.id, key)).reserved?.tokens).toBeGreaterThan(400);
  const { used_tokens: used } = await budgetWindow(consoleOf(service, service.keys.api), id);
  expect([end.status, used]).toEqual(["completed", end.usage["total_tokens"]]);
});

verifies(
  ["long-conversations.recorded", "long-conversations.shown"],
  "a turn in a team has summaries of its own",
  async () => {
    const { service, api, tools } = await openLongScene();
    vendor.plays(readsParts(14));
    const { id: agent } = await createAgent(api, { ...small, tools, provider: "openai-compatible" });
    const team = await createTeam(api, { config: { steps: [{ agent_id: agent }] } });
    const { id } = await startRun(api, team.id);
    await runIn(api, id, "completed");
    const rows = (await stepsOf(service, id)).filter(({ kind }) => kind === "summary");
    expect(rows.map(({ parent }) => parent)).toEqual(vendor.accepted.filter(isSummary).map(() => "step:0:attempt:0"));
    expect((await stepOf(service, id, rows[0]?.key ?? "")).reply?.text).toMatch(/^Summary after part \d+\.$/);
  },
);

const asks = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });

verifies("long-conversations.budget", "a budget that asks a person asks before a summary, too", async () => {
  // Estimates are exact, so that what one call leaves of its reservation is not enough for the next.
  const service = await startService({ env: { ...env, BUDGET_BYTES_PER_TOKEN: "4" } });
  const [api, console] = [apiOf(service, service.keys.api), consoleOf(service, service.keys.api)];
  const tools = [await createTextTool(service, texts)];
  const budget = await makeBudget(console, { scope: "workspace", max_tokens: 10, on_breach: "ask" });
  vendor.plays(readsParts(14));
  const config = { ...small.config, approvers: "caller" };
  const fields = { ...small, config, tools, provider: "openai-compatible", max_tokens: 200 };
  const { id: agent } = await createAgent(api, fields);
  const { id } = await createTask(api, { assigned_agent_id: agent });
  const end = await eventually("the task has ended", async () => {
    const now = await readTask(api, id);
    if (now.status !== "waiting_for_input") return now.status === "completed" && now;
    const { interactionId } = asks.parse(now).interaction;
    // What earlier answers have added is taken back, so that each call asks.
    await console.patch(`/budgets/${budget.id}`, { max_tokens: 10 });
    await console.post(`/tasks/${id}/answer`, { interactionId, approved: true });
    return undefined;
  });
  const steps = await stepsOf(service, id);
  const asked = steps.filter(({ kind, key }) => kind === "question" && key.includes("budget:summary:"));
  const summaries = steps.filter(({ kind }) => kind === "summary");
  expect([end.result, asked.length > 0, summaries.length]).toEqual(["Done.", true, asked.length]);
  await service.stop();
});

verifies("long-conversations.repeats", "the same call counts across a summary", async () => {
  const { run, tools } = await openLongScene();
  const reads = readsParts(PARTS);
  let made = 0;
  const end = await run({ ...small, tools }, (request) => {
    if (isSummary(request)) return says("A summary.");
    made += 1;
    return made % 4 === 0 ? { parts: [calls("read_part", { part: 0 }, `same_${made}`)] } : reads(request);
  });
  expect(end).toMatchObject({ status: "failed", error: expect.stringContaining("with the same arguments") });
  expect(vendor.accepted.some(isSummary)).toBe(true);
});

verifies("long-conversations.window", "a context window that is none is rejected", async () => {
  const { api } = await openLongScene();
  for (const wrong of [0, 1_999, 1.5, "many", -1]) {
    const body = { name: "Small", model: "demo", config: { context_window: wrong } };
    const refused = refusal(await api.post("/api-agents", body));
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining("config.context_window")]);
  }
});

verifies(
  "long-conversations.recorded",
  "a summary is not paid again after kill -9",
  async () => {
    const database = await createDatabase();
    const killed = await startProcess({ databaseUrl: database.url, env });
    vendor.plays(readsParts(PARTS));
    isHeld = true;
    const tools = [await createTextTool(killed, texts)];
    const api = apiOf(killed, killed.keys.api);
    const { id: agent } = await createAgent(api, { ...small, provider: "openai-compatible", tools });
    const { id } = await createTask(api, { assigned_agent_id: agent });
    await eventually("the tool is called after a summary", () => Promise.resolve(held > 0));
    await killed.kill();
    isHeld = false;
    const heir = await startService({ databaseUrl: database.url, env, keys: killed.keys });
    expect(await endOf(apiOf(heir, heir.keys.api), id)).toMatchObject({ status: "completed", result: "Done." });
    const asked = vendor.accepted.filter(isSummary).map(({ text }) => text);
    const rows = (await stepsOf(heir, id)).filter(({ kind }) => kind === "summary");
    expect([new Set(asked).size, rows.length, vendor.rejected]).toEqual([asked.length, asked.length, []]);
    await heir.stop();
    await database.drop();
  },
  { tags: "slow" },
);
