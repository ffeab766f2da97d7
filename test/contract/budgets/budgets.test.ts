import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { COST, MAX_TOKENS, TOKENS, runTask, useBudgetScene } from "../../support/budget-scene.ts";
import type { BudgetScene } from "../../support/budget-scene.ts";
import { makeBudget, runBudgetWindow, budgetWindow } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { createTeam, readRun, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let scene: BudgetScene;

beforeAll(async () => {
  scene = await useBudgetScene();
});

verifies(
  ["budgets.scopes", "budgets.exceeded", "budgets.settled", "budgets.live"],
  "each cap allows calls until the next one may exceed it, and then reports it",
  async () => {
    const place = await scene.budgetedWorkspace();
    const { workspaceId, console, agentId } = place;
    const budget = await makeBudget(console, { scope: "agent", target_id: agentId, max_usd: 0.0013 });
    await runTask(place, "completed");
    const today = new Date().toISOString().slice(0, 10);
    const once = { key: today, used_usd: COST, used_tokens: TOKENS, reserved_usd: 0, reserved_tokens: 0 };
    expect(await budgetWindow(console, budget.id)).toEqual({ ...once, cap_usd: 0.0013, cap_tokens: null });
    await runTask(place, "completed");
    const calls = scene.provider.calls.length;

    await console.patch(`/budgets/${budget.id}`, { max_usd: 0.001 });
    const failed = await runTask(place, "failed");
    expect(failed.error).toMatch(
      /^budget_exceeded: The agent's daily budget of \$0\.001 can't cover the next model call \(\$0\.000162 used, up to \$0\.001/,
    );
    expect(failed.error).toContain(`muster budgets set\` or PATCH /console/api/budgets/${budget.id}.`);
    expect(scene.provider.calls).toHaveLength(calls);
    expect(await budgetWindow(console, budget.id)).toMatchObject({ used_usd: 2 * COST, reserved_usd: 0 });

    await console.delete(`/budgets/${budget.id}`);
    await runTask(place, "completed");
    const ofWorkspace = await makeBudget(console, { scope: "workspace", max_tokens: 3 * TOKENS + 50 });
    expect((await runTask(place, "failed")).error).toContain("The workspace's daily budget of");
    expect(await budgetWindow(console, ofWorkspace.id)).toMatchObject({ used_tokens: 3 * TOKENS });
    expect((await console.get(`/budgets?target_id=${workspaceId}`)).body).toHaveLength(1);
  },
);

verifies("budgets.periods", "daily and monthly windows are counted separately, and a total never resets", async () => {
  const place = await scene.budgetedWorkspace();
  const { console, agentId } = place;
  const now = new Date().toISOString();
  for (const [period, key] of [
    ["day", now.slice(0, 10)],
    ["month", now.slice(0, 7)],
    ["total", "total"],
  ] as const) {
    const budget = await makeBudget(console, { scope: "agent", target_id: agentId, period, max_usd: 5 });
    expect(budget.window).toMatchObject({ key, used_usd: 0 });
  }
  await runTask(place, "completed");
  const used = async () =>
    z
      .array(z.looseObject({ period: z.string(), window: z.looseObject({ used_usd: z.number() }) }))
      .parse((await console.get("/budgets")).body);
  expect((await used()).map(({ window }) => window.used_usd)).toEqual([COST, COST, COST]);
  // As if that had been yesterday, last month and long ago.
  await sql(
    scene.service.databaseUrl,
    "update budget_windows set key = case key when 'total' then key else 'past' end",
  );
  expect(Object.fromEntries((await used()).map(({ period, window }) => [period, window.used_usd]))).toEqual({
    day: 0,
    month: 0,
    total: COST,
  });
});

verifies("budgets.periods", "each run of an agent has its own window under the period run", async () => {
  const place = await scene.budgetedWorkspace({ tools: ["current_time"] });
  const { console, agentId } = place;
  await makeBudget(console, { scope: "agent", target_id: agentId, period: "run", max_tokens: 700 });
  for (const title of ["One", "Two"]) await runTask(place, "completed", { title });
  const windows = await sql<{ used: string }>(
    scene.service.databaseUrl,
    "select used_tokens::text as used from budget_windows w join budgets b on b.id = w.budget_id where b.target_id = $1",
    [agentId],
  );
  expect(windows).toEqual([{ used: String(TOKENS) }, { used: String(TOKENS) }]);
});

verifies("budgets.unpriced", "a cap in dollars rejects a model without a price; one in tokens does not", async () => {
  const place = await scene.budgetedWorkspace({ model: "nobody-knows", provider: "openai-compatible" });
  await place.console.call("PUT", "/provider-keys/openai-compatible", { body: { base_url: scene.provider.baseUrl } });
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5, max_tokens: 10_000 });
  const { error } = await runTask(place, "failed", { title: "Unpriced" });
  expect(error).toContain("budget_exceeded: The budget of the workspace is in dollars, and the model nobody-knows has");
  expect(error).toContain("MODEL_PRICES");
  await place.console.patch(`/budgets/${budget.id}`, { max_usd: null });
  await runTask(place, "completed", { title: "Priced by tokens" });
  expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 0, used_tokens: TOKENS });
});

verifies("budgets.earlier-spending", "today's spending before the budget was created counts", async () => {
  const place = await scene.budgetedWorkspace();
  const other = await createAgent(place.api, { model: "gpt-4o", max_tokens: MAX_TOKENS });
  await runTask(place, "completed");
  await runTask({ ...place, agentId: other.id }, "completed");
  const ofAgent = { scope: "agent", target_id: place.agentId, max_usd: 5 };
  expect((await makeBudget(place.console, ofAgent)).window).toMatchObject({ used_usd: COST, used_tokens: TOKENS });
  expect((await makeBudget(place.console, { scope: "workspace", max_usd: 5 })).window).toMatchObject({
    used_usd: 2 * COST,
  });
});

verifies(
  ["budgets.run-cap", "budgets.scopes"],
  "a task may have a cap, which applies to each attempt separately",
  async () => {
    const place = await scene.budgetedWorkspace();
    const task = await runTask(place, "completed", { title: "Capped", budget: { max_usd: 0.0015 } });
    expect(await runBudgetWindow(place.console, task.id)).toMatchObject({
      key: `${task.id}.1`,
      used_usd: COST,
      cap_usd: 0.0015,
    });
    expect((await place.console.get("/budgets")).body).toEqual([]);
    await place.api.patch(`/api-tasks?id=${task.id}`, { status: "dispatched" });
    await eventually("the second attempt", async () =>
      (await runBudgetWindow(place.console, task.id)).key.endsWith(".2"),
    );
    await taskIn(place.api, task.id, "completed");
    const failed = await runTask(place, "failed", { title: "Capped too low", budget: { max_tokens: 10 } });
    expect(failed.error).toContain("The run's budget of");
    await place.api.delete(`/api-tasks?id=${task.id}`);
    expect((await place.console.get(`/budgets?target_id=${task.id}`)).body).toEqual([]);
  },
);

verifies(
  ["budgets.run-cap", "budgets.scopes", "budgets.exceeded"],
  "a team and its run are capped over all of their agents, however failed steps are handled",
  async () => {
    const place = await scene.budgetedWorkspace();
    const { id: second } = await createAgent(place.api, { name: "Second", model: "gpt-4o", max_tokens: MAX_TOKENS });
    const steps = [place.agentId, second].map((agent_id) => ({ agent_id, on_failure: "skip" }));
    const team = await createTeam(place.api, { config: { steps } });
    const budget = await makeBudget(place.console, { scope: "team", target_id: team.id, max_usd: 5 });
    await runIn(place.api, (await startRun(place.api, team.id)).id, "completed");
    expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 2 * COST, used_tokens: 2 * TOKENS });

    const capped = await place.api.post("/api-runs", {
      team_id: team.id,
      input_task: "Work",
      budget: { max_tokens: 350 },
    });
    const { id } = z.looseObject({ id: z.string() }).parse(capped.body);
    await runIn(place.api, id, "failed");
    expect(z.looseObject({ error: z.string() }).parse(await readRun(place.api, id)).error).toContain(
      "budget_exceeded: ",
    );
    expect(await runBudgetWindow(place.console, id)).toMatchObject({ used_tokens: TOKENS, reserved_tokens: 0 });
  },
);
