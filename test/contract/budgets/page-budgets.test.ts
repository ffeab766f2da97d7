import { expect } from "vitest";
import { COST, useBudgetScene } from "../../support/budget-scene.ts";
import { fieldsOf } from "../../support/api.ts";
import { createPage, openPage } from "../../support/page-scene.ts";
import { verifies } from "../../support/verifies.ts";

verifies("agent-pages.budget", "the runs of a page stop at its budgets, and other runs do not", async () => {
  const { service, budgetedWorkspace } = await useBudgetScene();
  const { agentId, console: desk } = await budgetedWorkspace();
  // A call may cost a hundred tokens more than it does: one fits, two do not.
  const { id, slug } = await createPage(desk, agentId, { budget_day_usd: 0.002, budget_month_usd: COST * 1_000 });
  const visitor = await openPage(service.url, slug);
  expect((await visitor.say("Page one")).text).toBe("done");
  expect(fieldsOf(await desk.get(`/pages/${id}`))).toMatchObject({
    budget_day: { max_usd: 0.002, used_usd: COST },
    budget_month: { used_usd: COST },
  });
  await desk.patch(`/pages/${id}`, { budget_day_usd: COST * 2 });
  const stopped = await visitor.say("Page two");
  expect(stopped.events.at(-1)?.event).toMatchObject({
    type: "RUN_ERROR",
    code: "BUDGET_EXCEEDED",
    message: "This page has used up its budget for now. Try again later.",
  });
  await desk.patch(`/pages/${id}`, { budget_day_usd: COST });
  const refused = await visitor.say("Page three");
  expect(refused.status).toBe(403);
  expect(refused.raw).toContain("This page has used up its budget for now.");
  const budgets = (await desk.get("/budgets")).text;
  expect(budgets).toContain('"scope":"page"');
  expect(budgets).toContain('"target_name":"Ask us"');
  await desk.patch(`/pages/${id}`, { budget_day_usd: null });
  expect((await visitor.say("Page four")).text).toBe("done");
  await desk.delete(`/pages/${id}`);
  expect((await desk.get("/budgets")).text).not.toContain('"scope":"page"');
});
