import { Client } from "pg";
import { beforeAll, expect, onTestFinished } from "vitest";
import { COST, MAX_TOKENS, TOKENS, runTask, useBudgetScene } from "../../support/budget-scene.ts";
import type { BudgetScene, BudgetedWorkspace } from "../../support/budget-scene.ts";
import { makeBudget, budgetWindow } from "../../support/budgets.ts";
import { WORKSPACE_ONLY } from "#domain/models/billing-target.ts";
import { createBudgets } from "#engine/budgets/budgets.ts";
import { reserveInTurn } from "#engine/budgets/reserve-in-turn.ts";
import { openDatabase } from "#db/open-database.ts";
import { newId } from "#lib/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import { readStream } from "../../support/sse-client.ts";
import type { StreamReader } from "../../support/sse-client.ts";
import { expectWholeStream, ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readTask, taskIn } from "../../support/work.ts";
import { addKey, sql } from "../../support/workspace.ts";

const NOTHING = {
  provider: "openai",
  model: "gpt-4o",
  billing_model: "per-token",
  prompt_tokens: 0,
  completion_tokens: 0,
  estimated_cost_usd: 0,
  worst_case_tokens: 1,
  worst_case_cost_usd: 0.1,
} as const;

let scene: BudgetScene;

beforeAll(async () => {
  scene = await useBudgetScene();
});

const WAITS = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
/** Statements that have waited for a lock so long that they are not those of one workspace alone. */
const LONG_WAITS = `
  select from pg_locks l join pg_stat_activity a using (pid)
  where a.datname = current_database() and not l.granted and l.waitstart < clock_timestamp() - interval '2 s'`;

verifies("budgets.worst-case", "a reply is limited to the reserved length", async () => {
  const capped = { scope: "workspace", max_usd: 1 };
  const place = await scene.budgetedWorkspace({ max_tokens: null });
  await runTask(place, "completed", { title: "Without a budget" });
  await makeBudget(place.console, capped);
  await runTask(place, "completed", { title: "Without a limit" });
  const small = await scene.budgetedWorkspace({ max_tokens: null, model: "gpt-4o-mini" });
  await makeBudget(small.console, capped);
  await runTask(small, "completed", { title: "A model's own limit" });
  const limits = ["Without a budget", "Without a limit", "A model's own limit"].map(
    (task) => scene.provider.callsOf(task)[0]?.body["max_tokens"],
  );
  expect(limits).toEqual([undefined, 16_384, 16_384]);
});

verifies(["budgets.wait", "budgets.wait-visible"], "a call waits for others, and the stream says why", async () => {
  const place = await scene.budgetedWorkspace();
  // Room for one call at its worst, and for several of what they really use.
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 0.0015 });
  const held1 = await createTask(place.api, { title: "Held for others", assigned_agent_id: place.agentId });
  await scene.provider.called("Held for others", 0);
  expect((await budgetWindow(place.console, budget.id)).reserved_usd).toBeGreaterThan(0.001);
  const waiting = await createTask(place.api, { title: "Waits", assigned_agent_id: place.agentId });
  const stopped = await createTask(place.api, { title: "Waits in vain", assigned_agent_id: place.agentId });
  const [stream, ofStopped] = await Promise.all([streamOf(place, waiting.id), streamOf(place, stopped.id)]);
  await stream.until((events) => ofType(events, "CUSTOM").length > 0);
  await ofStopped.until((events) => ofType(events, "CUSTOM").length > 0);
  expect(scene.provider.callsOf("Waits")).toHaveLength(0);
  await place.api.patch(`/api-tasks?id=${stopped.id}`, { status: "cancelled" });
  scene.held.get("Held for others")?.finish();
  await taskIn(place.api, held1.id, "completed");
  await taskIn(place.api, waiting.id, "completed");
  expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 2 * COST, reserved_usd: 0 });

  await Promise.all([stream.over, ofStopped.over]);
  const message = expect.stringMatching(/^The workspace's daily budget of \$0\.0015 can't cover .* reserved by calls/);
  const wait = { name: "budget_wait", value: { step: "model:0", model: "gpt-4o", budget_id: budget.id, message } };
  const over = { name: "budget_wait_over", value: { step: "model:0" } };
  expect(ofType(stream.events, "CUSTOM")).toMatchObject([wait, over]);
  expect(ofType(ofStopped.events, "CUSTOM")).toMatchObject([wait]);
  for (const { events } of [stream, ofStopped]) await expectWholeStream(events);
});

verifies("budgets.wait", "a run that is no longer in progress reserves nothing", async () => {
  const place = await scene.budgetedWorkspace();
  await makeBudget(place.console, { scope: "workspace", max_usd: 1 });
  const running = await createTask(place.api, { title: "Held for a verdict", assigned_agent_id: place.agentId });
  await scene.provider.called("Held for a verdict", 0);
  const { id: ended } = await runTask(place, "completed", { title: "Has ended" });
  const { workspaceId: workspace_id } = place;
  const calls = [running.id, ended].map((run_id, n) => {
    const amounts = { usd: 0.1, tokens: 1 };
    return { id: newId(), workspace_id, targets: [workspace_id], run_id, attempt: 1, step: `late/${n}`, ...amounts };
  });
  const verdicts = "select verdict from reserve_budgets($1) order by n";
  expect(await sql(scene.service.databaseUrl, verdicts, [JSON.stringify(calls)])).toEqual([
    { verdict: "granted" },
    { verdict: "ended" },
  ]);
  scene.held.get("Held for a verdict")?.finish();
  await taskIn(place.api, running.id, "completed");
});

verifies("budgets.wait", "a call that is cancelled while it reserves is not sent and costs nothing", async () => {
  const { workspaceId: workspace_id, console } = await scene.budgetedWorkspace();
  const budget = await makeBudget(console, { scope: "workspace", max_usd: 1 });
  const call = { id: newId(), workspace_id, targets: [workspace_id], run_id: newId(), attempt: 1, step: "late/0" };
  const db = openDatabase({ url: scene.service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  onTestFinished(() => db.close());
  const cancel = new AbortController();
  const usage = { ...WORKSPACE_ONLY, ...NOTHING, id: call.id, workspace_id, attempt: 1, step: 0 };
  const reserved = reserveInTurn(createBudgets(db), { ...call, usd: 0.1, tokens: 1, usage }, { signal: cancel.signal });
  cancel.abort();
  await expect(reserved).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(await budgetWindow(console, budget.id)).toMatchObject({ reserved_usd: 0, used_usd: 0 });
});

async function streamOf({ workspaceId, ownerId, agentId }: BudgetedWorkspace, taskId: string): Promise<StreamReader> {
  const { databaseUrl, url } = scene.service;
  const agui = await addKey(databaseUrl, { workspaceId, ownerId, kind: "ag-ui" });
  return readStream({ url, keys: { agui } }, { agentId, taskId });
}

verifies("budgets.apart", "a lock on a workspace's budget delays no other workspace", async () => {
  const [place, other] = [await scene.budgetedWorkspace(), await scene.budgetedWorkspace()];
  for (const { console, agentId } of [place, other])
    await makeBudget(console, { scope: "agent", target_id: agentId, period: "day", max_tokens: 10_000 });
  const locker = new Client({ connectionString: scene.service.databaseUrl });
  await locker.connect();
  try {
    await locker.query("begin");
    await locker.query("select from budgets where workspace_id = $1 for update", [place.workspaceId]);
    const { id } = await createTask(place.api, { assigned_agent_id: place.agentId });
    await eventually(
      "its call waits for the lock",
      async () => (await sql(scene.service.databaseUrl, WAITS)).length > 0,
    );
    for (let round = 0; round < 3; round++) {
      const { id: free } = await createTask(other.api, { assigned_agent_id: other.agentId });
      await eventually("the other completes", async () => {
        expect(await sql(scene.service.databaseUrl, LONG_WAITS)).toEqual([]);
        return (await readTask(other.api, free)).status === "completed";
      });
    }
    await locker.query("rollback");
    await taskIn(place.api, id, "completed");
  } finally {
    await locker.end();
  }
});

verifies("budgets.apart", "charges that wait for a locked budget do not use up the connections", async () => {
  const [place, other] = [await scene.budgetedWorkspace(), await scene.budgetedWorkspace()];
  await makeBudget(place.console, { scope: "agent", target_id: place.agentId, period: "day", max_tokens: 100_000 });
  const locker = new Client({ connectionString: scene.service.databaseUrl });
  await locker.connect();
  try {
    const titles = Array.from({ length: 6 }, (_, n) => `Held for a charge ${n}`);
    const tasks = await Promise.all(
      titles.map((title) => createTask(place.api, { title, assigned_agent_id: place.agentId })),
    );
    for (const title of titles) await scene.provider.called(title, 0);
    await locker.query("begin");
    await locker.query("select from budgets where workspace_id = $1 for update", [place.workspaceId]);
    await Promise.all(tasks.map(({ id }) => place.api.patch(`/api-tasks?id=${id}`, { status: "cancelled" })));
    await eventually(
      "a charge waits for the lock",
      async () => (await sql(scene.service.databaseUrl, WAITS)).length > 0,
    );
    const { id: free } = await createTask(other.api, { assigned_agent_id: other.agentId });
    await eventually("the other completes", async () => {
      expect(await sql(scene.service.databaseUrl, LONG_WAITS)).toEqual([]);
      return (await readTask(other.api, free)).status === "completed";
    });
    await locker.query("rollback");
  } finally {
    await locker.end();
  }
});

verifies(["budgets.wait", "budgets.settled"], "a cancelled call counts as what it may have cost", async () => {
  const place = await scene.budgetedWorkspace();
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
  const { id } = await createTask(place.api, { title: "Held and cancelled", assigned_agent_id: place.agentId });
  await scene.provider.called("Held and cancelled", 0);
  const { reserved_usd, reserved_tokens } = await budgetWindow(place.console, budget.id);
  await place.api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
  const settled = await eventually("the call is settled", async () => {
    const standing = await budgetWindow(place.console, budget.id);
    return standing.reserved_usd === 0 && standing;
  });
  expect(settled).toMatchObject({ used_usd: reserved_usd, used_tokens: reserved_tokens, reserved_tokens: 0 });
});

verifies("budgets.failed-calls", "a rejected call costs nothing, an aborted one its worst case", async () => {
  const place = await scene.budgetedWorkspace();
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
  await runTask(place, "failed", { title: "Refused" });
  expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 0, used_tokens: 0, reserved_usd: 0 });
  await runTask(place, "completed", { title: "Broken" });
  const { used_tokens, reserved_tokens } = await budgetWindow(place.console, budget.id);
  expect(scene.provider.callsOf("Broken")).toHaveLength(2);
  expect(used_tokens - TOKENS).toBeGreaterThan(MAX_TOKENS);
  expect(reserved_tokens).toBe(0);
});

verifies("budgets.failed-calls", "a call without reported usage costs its worst case", async () => {
  const place = await scene.budgetedWorkspace();
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
  const { usage } = await runTask(place, "completed", { title: "Silent" });
  expect(usage).toMatchObject({ total_tokens: 0 });
  const { used_tokens, reserved_tokens } = await budgetWindow(place.console, budget.id);
  expect(used_tokens).toBeGreaterThan(MAX_TOKENS);
  expect(reserved_tokens).toBe(0);
});

verifies("budgets.failed-calls", "a provider that cannot be reached costs nothing", async () => {
  const place = await scene.budgetedWorkspace({ provider: "openai-compatible" });
  const gone = await startScriptedProvider(() => {});
  await gone.close();
  const body = { base_url: gone.baseUrl, api_key: "x" };
  await place.console.call("PUT", "/provider-keys/openai-compatible", { body });
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
  const { error } = await runTask(place, "failed");
  expect(error).toContain("failed");
  expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 0, reserved_usd: 0 });
});
