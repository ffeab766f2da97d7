import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { HEADING, callOf } from "../../support/interactions.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { openRun, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

/** What the replies of the demo model cost here. */
const PRICES = JSON.stringify({ demo: { prompt: 1_000, completion: 10_000 } });
const WORK = "[[slow:0]][[say:done]]";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene({ env: { MODEL_PRICES: PRICES } });
});
afterAll(() => scene.service.stop());

async function openUsage(search = "") {
  const page = await browser.newPage();
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/w/my-workspace${search}`);
  return page;
}

verifies("estimates.console", "prices are told where they are decided: tasks, caps, approvals, models", async () => {
  const { id: agentId } = await createAgent(scene.api, { name: "Priced", tools: ["request_approval"] });
  for (const title of ["First", "Second"]) {
    const { id } = await createTask(scene.api, { title, assigned_agent_id: agentId, description: WORK });
    await taskIn(scene.api, id, "completed");
  }

  const page = await openUsage("/runs?new=task");
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  await page.getByText(/^Usually \$\d.*: by the last 2 runs\.$/).waitFor();
  await page.getByRole("button", { name: "Priority, cap and time" }).click();
  await page.getByLabel("Cap in USD").fill("0.0001");
  await page.getByText("Would have stopped 100 % of the last 2 runs.").waitFor();
  await page.getByLabel("Cap in USD").fill("1000");
  await page.getByText("Would have stopped none of the last 2 runs.").waitFor();
  await page.getByRole("dialog").getByLabel("Agent or team").selectOption("Not assigned");
  await expect.poll(() => page.getByText(/^Usually/).count()).toBe(0);

  const budget = { scope: "agent", target_id: agentId, period: "run", max_usd: 10_000 };
  const budgets = consoleOf(scene.service, scene.service.keys.api);
  expect((await budgets.post("/budgets", budget)).status).toBe(201);
  const daily = await budgets.post("/budgets", { ...budget, period: "day", max_usd: 0.001 });
  const usage = await openUsage("/usage");
  await usage.getByText("Up to $10,000.00 each. Would have stopped none of the last 2 runs.").waitFor();
  await usage.getByText("Use reached this cap on 1 of the last 30 days.").waitFor();
  expect((await budgets.delete(`/budgets/${z.object({ id: z.string() }).parse(daily.body).id}`)).status).toBe(204);
  await usage.getByText("What would it have cost with another model?").click();
  await usage.getByText(/The 2 calls cost \$\d/).waitFor();
  expect(await usage.getByRole("table", { name: "Cost by model" }).getByRole("row").count()).toBeGreaterThan(10);

  const asks = callOf("request_approval", HEADING);
  const { id } = await createTask(scene.api, { title: "Asks", assigned_agent_id: agentId, description: asks });
  await taskIn(scene.api, id, "waiting_for_input");
  const run = await openRun(browser, scene, id);
  await run.getByText(/^So far \$\d/).waitFor();
});
