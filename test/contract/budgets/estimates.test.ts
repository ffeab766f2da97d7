import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { createClient } from "#client/index.ts";
import { refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { COST, runTask, useBudgetScene } from "../../support/budget-scene.ts";
import type { BudgetScene, BudgetedWorkspace } from "../../support/budget-scene.ts";
import { eventually } from "../../support/eventually.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { openWorkspace } from "../../support/workspace.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const NOTHING = {
  runs: 0,
  agent_version: null,
  cost_usd: null,
  total_tokens: null,
  duration_ms: null,
  stopped_share: null,
};

const spread = z.object({ p50: z.number(), p90: z.number() });
const estimate = z.object({
  runs: z.int(),
  agent_version: z.int().nullable(),
  cost_usd: spread.nullable(),
  total_tokens: spread.nullable(),
  duration_ms: spread.nullable(),
  stopped_share: z.number().nullable(),
});
const used = z.object({ usage: z.object({ cost_usd: z.number(), total_tokens: z.number() }) });

let scene: BudgetScene;

beforeAll(async () => {
  scene = await useBudgetScene();
});

async function estimateOf(api: Api, fields: object) {
  const answer = await api.post("/api-tasks?estimate=true", { title: "Estimated", ...fields });
  expect(answer.status).toBe(200);
  return estimate.parse(answer.body);
}

/** Runs tasks of the demo model whose replies are so many words long; it has a price here. */
async function runOfLengths(api: Api, agentId: string, lengths: readonly number[]): Promise<void> {
  for (const words of lengths) {
    const description = `[[slow:0]][[say:${"word ".repeat(words).trim()}]]`;
    const { id } = await createTask(api, { assigned_agent_id: agentId, description });
    await taskIn(api, id, "completed");
  }
}

verifies("estimates.task", "a task is estimated from the runs before it, and not created", async () => {
  const { api } = await openWorkspace(scene.service);
  const { id: agentId } = await createAgent(api, { model: "demo", tools: [] });
  expect(await estimateOf(api, { assigned_agent_id: agentId })).toEqual(NOTHING);

  await runOfLengths(api, agentId, [1, 400, 2, 3, 4, 5, 6, 7, 200, 8]);
  const runs = z.array(used).parse((await api.get("/api-tasks")).body);
  const rank = (field: "cost_usd" | "total_tokens", nth: number) =>
    runs.map(({ usage }) => usage[field]).toSorted((a, b) => a - b)[nth - 1];
  const told = await estimateOf(api, { assigned_agent_id: agentId });
  expect(told).toMatchObject({
    runs: 10,
    agent_version: 1,
    cost_usd: { p50: rank("cost_usd", 5), p90: rank("cost_usd", 9) },
    total_tokens: { p50: rank("total_tokens", 5), p90: rank("total_tokens", 9) },
    stopped_share: null,
  });
  expect(told.duration_ms?.p90).toBeGreaterThan(0);
  expect(told.cost_usd?.p90).toBeGreaterThan(told.cost_usd?.p50 ?? NaN);
  expect(z.array(used).parse((await api.get("/api-tasks")).body)).toHaveLength(10);
});

verifies("estimates.version", "fewer than five runs of the current version: those of all versions count", async () => {
  const { api } = await openWorkspace(scene.service);
  const { id: agentId } = await createAgent(api, { model: "demo", tools: [] });
  await runOfLengths(api, agentId, [1, 1, 1, 1]);
  await api.patch(`/api-agents?id=${agentId}`, { system_prompt: "Be brief." });
  await runOfLengths(api, agentId, [1, 1, 1, 1]);
  expect(await estimateOf(api, { assigned_agent_id: agentId })).toMatchObject({ runs: 8, agent_version: null });
  await runOfLengths(api, agentId, [1]);
  expect(await estimateOf(api, { assigned_agent_id: agentId })).toMatchObject({ runs: 5, agent_version: 2 });
});

verifies("estimates.cap", "an estimate says which share of the runs a cap would have stopped", async () => {
  const { api, console } = await openWorkspace(scene.service);
  const { id: agentId } = await createAgent(api, { model: "demo", tools: [] });
  await runOfLengths(api, agentId, [1, 1, 1, 300]);
  const ofTask = (budget: object) => estimateOf(api, { assigned_agent_id: agentId, budget });
  const most = (await estimateOf(api, { assigned_agent_id: agentId })).cost_usd;
  expect(await ofTask({ max_usd: most?.p50 })).toMatchObject({ stopped_share: 0.25 });
  expect(await ofTask({ max_tokens: 1 })).toMatchObject({ stopped_share: 1 });
  expect(await ofTask({ max_usd: 100 })).toMatchObject({ stopped_share: 0 });
  for (const whose of [`agent_id=${agentId}&`, ""]) {
    const { body } = await console.get(`/estimate?${whose}max_usd=${most?.p50}`);
    expect(body).toMatchObject({ runs: 4, stopped_share: 0.25 });
  }
});

verifies("estimates.team", "a team's task is estimated from the team's runs", async () => {
  const { api, console } = await openWorkspace(scene.service);
  const { id: agentId } = await createAgent(api, { model: "demo", tools: [] });
  const team = await createTeam(api, { config: { steps: [{ agent_id: agentId }, { agent_id: agentId }] } });
  const { id } = await createTask(api, { assigned_team_id: team.id, description: "[[slow:0]][[say:done]]" });
  const { usage } = used.parse(await taskIn(api, id, "completed"));
  const cost = { p50: usage.cost_usd, p90: usage.cost_usd };
  expect(await estimateOf(api, { assigned_team_id: team.id })).toMatchObject({ runs: 1, cost_usd: cost });
  expect((await console.get(`/estimate?team_id=${team.id}`)).body).toMatchObject({ runs: 1, cost_usd: cost });
});

verifies("estimates.run", "a run tells what it has cost, and what going on and running again will cost", async () => {
  const workspace = await scene.budgetedWorkspace();
  const { api, console } = workspace;
  const failed = await runTask(workspace, "failed", { title: "Refused to be estimated" });
  const outlookOf = async (id: string) => (await console.get(`/runs/${id}/estimate`)).body;
  expect(await outlookOf(failed.id)).toEqual({ spent_usd: 0, going_on_usd: null, again_usd: null, runs: 0 });

  await runTask(workspace, "completed", { title: "Estimates others" });
  const cost = { p50: COST, p90: COST };
  expect(await outlookOf(failed.id)).toEqual({ spent_usd: 0, going_on_usd: cost, again_usd: cost, runs: 1 });

  const { id } = await createTask(api, { assigned_agent_id: workspace.agentId, title: "Held to be estimated" });
  await eventually("the call is held", () => scene.held.get("Held to be estimated"));
  expect(await outlookOf(id)).toMatchObject({ spent_usd: 0, going_on_usd: cost });
  scene.held.get("Held to be estimated")?.finish();
  await taskIn(api, id, "completed");
  expect(await outlookOf(id)).toEqual({ spent_usd: COST, going_on_usd: null, again_usd: cost, runs: 2 });
});

verifies("estimates.rejected", "what cannot be estimated is rejected as a task would be", async () => {
  const { api, console } = await openWorkspace(scene.service);
  const { id: agentId } = await createAgent(api, { model: "demo" });
  const post = (query: string, body: object) => api.post(`/api-tasks?${query}`, body);
  expect(refusal(await post("estimate=true", { title: "x", assigned_agent_id: UNKNOWN })).status).toBe(404);
  expect(refusal(await post("estimate=true", {})).paths).toEqual(["title"]);
  expect(refusal(await post("estimate=perhaps", { title: "x" })).status).toBe(400);
  expect(refusal(await console.get(`/estimate?agent_id=${agentId}&team_id=${UNKNOWN}`)).paths).toEqual(["team_id"]);
  for (const path of [`/estimate?agent_id=${UNKNOWN}`, `/estimate?team_id=${UNKNOWN}`, `/runs/${UNKNOWN}/estimate`]) {
    expect(refusal(await console.get(path)).status).toBe(404);
  }
});

verifies("estimates.client", "the client has a method of its own for estimates", async () => {
  const { api, key } = await openWorkspace(scene.service);
  const { id: agentId } = await createAgent(api, { model: "demo" });
  const muster = createClient({ url: scene.service.url, key });
  const told = await muster.estimateTask({ title: "Estimated", assigned_agent_id: agentId });
  expect(told.runs).toBe(0);
  const made = await muster.createTask({ title: "Made" });
  expect(made.title).toBe("Made");
});

const priced = z.object({
  calls: z.int(),
  cost_usd: z.number(),
  models: z.array(z.object({ provider: z.string(), model: z.string(), cost_usd: z.number() })),
});

async function pricesOf({ console }: BudgetedWorkspace, query: string) {
  const { body } = await console.get(`/usage/what-if?${query}`);
  const { models, ...calls } = priced.parse(body);
  return { calls, costs: new Map(models.map(({ model, cost_usd: cost }) => [model, cost])), models };
}

verifies("estimates.what-if", "recorded tokens are priced for every model of the catalogue", async () => {
  const workspace = await scene.budgetedWorkspace();
  const first = await runTask(workspace, "completed", { title: "Priced once" });
  await runTask(workspace, "completed", { title: "Priced twice" });
  const all = await pricesOf(workspace, "");
  expect(all.calls).toEqual({ calls: 2, cost_usd: 2 * COST });
  // 22 prompt and 14 completion tokens at the list prices of two models.
  expect(all.costs.get("gpt-4.1")).toBeCloseTo((22 * 2 + 14 * 8) / 1e6, 10);
  expect(all.costs.get("gpt-4o")).toBeCloseTo(2 * COST, 10);
  const costs = all.models.map(({ cost_usd: cost }) => cost);
  expect(costs).toEqual(costs.toSorted((a, b) => a - b));

  const one = await pricesOf(workspace, `run_id=${first.id}`);
  expect(one.calls).toEqual({ calls: 1, cost_usd: COST });
  expect((await pricesOf(workspace, `agent_id=${workspace.agentId}`)).calls.calls).toBe(2);
  expect((await pricesOf(workspace, `team_id=${UNKNOWN}`)).calls).toEqual({ calls: 0, cost_usd: 0 });
  expect((await pricesOf(workspace, "from=2020-01-01&to=2020-01-02")).calls.calls).toBe(0);
  expect(refusal(await workspace.console.get("/usage/what-if?from=2020-02-01&to=2020-01-02")).paths).toEqual(["from"]);
});
