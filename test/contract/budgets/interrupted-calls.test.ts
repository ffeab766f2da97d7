import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { COST, MAX_TOKENS, TOKENS, runTask, useBudgetScene } from "../../support/budget-scene.ts";
import type { BudgetScene, BudgetedWorkspace } from "../../support/budget-scene.ts";
import { budgetWindow, makeBudget } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const total = z.looseObject({
  calls: z.int(),
  interrupted_calls: z.int(),
  total_tokens: z.int(),
  worst_case_tokens: z.int(),
  worst_case_cost_usd: z.number(),
});
const report = z.looseObject({ total });

let scene: BudgetScene;

beforeAll(async () => {
  scene = await useBudgetScene();
});

async function usageOf({ console }: BudgetedWorkspace): Promise<z.output<typeof total>> {
  return report.parse((await console.get("/usage")).body).total;
}

for (const isBudgeted of [true, false]) {
  verifies(
    "usage.interrupted",
    `a cut call ${isBudgeted ? "under" : "without"} a budget is in the usage at its worst case`,
    async () => {
      const place = await scene.budgetedWorkspace();
      const budget = isBudgeted ? await makeBudget(place.console, { scope: "workspace", max_usd: 5 }) : undefined;
      await runTask(place, "completed", { title: `Broken ${isBudgeted ? "under" : "without"} a budget` });
      const usage = await usageOf(place);
      expect(usage).toMatchObject({ calls: 1, interrupted_calls: 1, total_tokens: TOKENS, cost_usd: COST });
      expect(usage.worst_case_tokens).toBeGreaterThan(MAX_TOKENS);
      if (budget === undefined) return;
      const { used_usd, used_tokens } = await budgetWindow(place.console, budget.id);
      expect(used_tokens).toBe(TOKENS + usage.worst_case_tokens);
      expect(used_usd).toBeCloseTo(COST + usage.worst_case_cost_usd, 8);
      const later = await makeBudget(place.console, { scope: "agent", target_id: place.agentId, max_usd: 5 });
      expect(await budgetWindow(place.console, later.id)).toMatchObject({ used_usd, used_tokens });
    },
  );
}

verifies("usage.interrupted", "a cancelled call is in the usage once, and a rejected one is not", async () => {
  const place = await scene.budgetedWorkspace();
  await runTask(place, "failed", { title: "Refused without a budget" });
  const { id } = await createTask(place.api, { title: "Held and cancelled", assigned_agent_id: place.agentId });
  const noted = "select from budget_reservations where run_id = $1";
  await eventually("it takes long enough to be noted", async () => {
    return (await sql(scene.service.databaseUrl, noted, [id])).length === 1;
  });
  await place.api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
  await eventually("it is recorded", async () => (await usageOf(place)).interrupted_calls === 1);
  expect(await sql(scene.service.databaseUrl, noted, [id])).toEqual([]);
  const records = await sql(
    scene.service.databaseUrl,
    "select prompt_tokens, completion_tokens, worst_case_tokens > 100 as counted from usage_records where task_id = $1",
    [id],
  );
  expect(records).toEqual([{ prompt_tokens: 0, completion_tokens: 0, counted: true }]);
});

verifies("usage.interrupted", "a call that took long and then ended well leaves its own record only", async () => {
  const place = await scene.budgetedWorkspace();
  const { id } = await createTask(place.api, { title: "Held and finished", assigned_agent_id: place.agentId });
  const noted = "select from budget_reservations where run_id = $1";
  await eventually("it takes long enough to be noted", async () => {
    return (await sql(scene.service.databaseUrl, noted, [id])).length === 1;
  });
  scene.held.get("Held and finished")?.finish();
  await eventually("it is recorded", async () => (await usageOf(place)).calls === 1);
  expect(await usageOf(place)).toMatchObject({ interrupted_calls: 0, worst_case_tokens: 0, total_tokens: TOKENS });
  expect(await sql(scene.service.databaseUrl, noted, [id])).toEqual([]);
});

verifies(
  "budgets.reported-usage",
  "a cut call whose provider had reported its usage is charged with that usage",
  async () => {
    const place = await scene.budgetedWorkspace({ model: "gpt-4o", provider: "openai-compatible" });
    await place.console.call("PUT", "/provider-keys/openai-compatible", { body: { base_url: scene.provider.baseUrl } });
    const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
    await runTask(place, "completed", { title: "Counted, then cut" });
    expect(await usageOf(place)).toMatchObject({
      calls: 1,
      interrupted_calls: 1,
      total_tokens: 2 * TOKENS,
      cost_usd: 2 * COST,
      worst_case_tokens: 0,
    });
    expect(await budgetWindow(place.console, budget.id)).toMatchObject({
      used_tokens: 2 * TOKENS,
      used_usd: 2 * COST,
      reserved_tokens: 0,
    });
  },
);
