import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { makeBudget, runBudgetWindow, budgetWindow } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderReply } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, readRun, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

/** What a call of the fake provider costs: 11 prompt tokens at $1 and 7 completion tokens at $10 per million. */
const PRICE = { prompt: 1, completion: 10 };
const COST = 0.000081;
const TOKENS = 18;
/** The agents' limit; a call may use it and its prompt. */
const MAX_TOKENS = 100;

const ANSWER_WITHOUT_USAGE =
  'data: {"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"done"},"finish_reason":"stop"}]}\n\n' +
  "data: [DONE]\n\n";
const WAITS = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
/** Statements that have waited for a lock so long that they are not those of one workspace alone. */
const LONG_WAITS = `
  select from pg_locks l join pg_stat_activity a using (pid)
  where a.datname = current_database() and not l.granted and l.waitstart < clock_timestamp() - interval '2 s'`;

let provider: ScriptedProvider;
let service: TestService;
/** Replies in progress that the test finishes, by task. */
const held = new Map<string, ProviderReply>();

beforeAll(async () => {
  provider = await startScriptedProvider((call, reply) => {
    if (call.task.startsWith("Refused")) return reply.refuse(400, "no such thing");
    if (call.task === "Silent") return reply.sendRaw("text/event-stream", ANSWER_WITHOUT_USAGE);
    reply.say("done");
    if (call.task.startsWith("Held")) held.set(call.task, reply);
    else if (call.task.startsWith("Broken") && call.nth === 1) reply.abortConnection();
    else reply.finish();
  });
  service = await startService({
    env: {
      OPENAI_API_KEY: "key-of-the-test",
      OPENAI_BASE_URL: provider.baseUrl,
      ALLOW_PRIVATE_URLS: "true",
      MODEL_ATTEMPTS: "2",
      MODEL_PRICES: JSON.stringify({ "gpt-4o": PRICE, "gpt-4o-mini": PRICE, demo: PRICE }),
    },
  });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

interface BudgetedWorkspace {
  readonly workspaceId: string;
  readonly api: Api;
  readonly console: Api;
  readonly agentId: string;
}

async function budgetedWorkspace(fields: Readonly<Record<string, unknown>> = {}): Promise<BudgetedWorkspace> {
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  const api = apiOf(service, key);
  const { id: agentId } = await createAgent(api, { model: "gpt-4o", max_tokens: MAX_TOKENS, tools: [], ...fields });
  return { workspaceId, api, console: consoleOf(service, key), agentId };
}

async function runTask({ api, agentId }: BudgetedWorkspace, status: string, title = "Work", fields: object = {}) {
  const { id } = await createTask(api, { title, assigned_agent_id: agentId, ...fields });
  return taskIn(api, id, status);
}

verifies(
  ["budgets.scopes", "budgets.exceeded", "budgets.settled", "budgets.live"],
  "each cap allows calls until the next one may exceed it, and then reports it",
  async () => {
    const place = await budgetedWorkspace();
    const { workspaceId, console, agentId } = place;
    const budget = await makeBudget(console, { scope: "agent", target_id: agentId, max_usd: 0.0013 });
    await runTask(place, "completed");
    const today = new Date().toISOString().slice(0, 10);
    const once = { key: today, used_usd: COST, used_tokens: TOKENS, reserved_usd: 0, reserved_tokens: 0 };
    expect(await budgetWindow(console, budget.id)).toEqual({ ...once, cap_usd: 0.0013, cap_tokens: null });
    await runTask(place, "completed");
    const calls = provider.calls.length;

    await console.patch(`/budgets/${budget.id}`, { max_usd: 0.001 });
    const failed = await runTask(place, "failed");
    expect(failed.error).toMatch(
      /^budget_exceeded: The agent's daily budget of \$0\.001 can't cover the next model call \(\$0\.000162 used, up to \$0\.001/,
    );
    expect(failed.error).toContain(`muster budgets set\` or PATCH /console/api/budgets/${budget.id}.`);
    expect(provider.calls).toHaveLength(calls);
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
  const place = await budgetedWorkspace();
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
  await sql(service.databaseUrl, "update budget_windows set key = case key when 'total' then key else 'past' end");
  expect(Object.fromEntries((await used()).map(({ period, window }) => [period, window.used_usd]))).toEqual({
    day: 0,
    month: 0,
    total: COST,
  });
});

verifies("budgets.periods", "each run of an agent has its own window under the period run", async () => {
  const place = await budgetedWorkspace({ tools: ["current_time"] });
  const { console, agentId } = place;
  await makeBudget(console, { scope: "agent", target_id: agentId, period: "run", max_tokens: 700 });
  for (const title of ["One", "Two"]) await runTask(place, "completed", title);
  const windows = await sql<{ used: string }>(
    service.databaseUrl,
    "select used_tokens::text as used from budget_windows w join budgets b on b.id = w.budget_id where b.target_id = $1",
    [agentId],
  );
  expect(windows).toEqual([{ used: String(TOKENS) }, { used: String(TOKENS) }]);
});

verifies("budgets.worst-case", "a reply is limited to the reserved length", async () => {
  const capped = { scope: "workspace", max_usd: 1 };
  const place = await budgetedWorkspace({ max_tokens: null });
  await runTask(place, "completed", "Without a budget");
  await makeBudget(place.console, capped);
  await runTask(place, "completed", "Without a limit");
  const small = await budgetedWorkspace({ max_tokens: null, model: "gpt-4o-mini" });
  await makeBudget(small.console, capped);
  await runTask(small, "completed", "A model's own limit");
  const limits = ["Without a budget", "Without a limit", "A model's own limit"].map(
    (task) => provider.callsOf(task)[0]?.body["max_tokens"],
  );
  expect(limits).toEqual([undefined, 16_384, 16_384]);
});

verifies("budgets.wait", "a call waits for others whose reservations leave no room", async () => {
  const place = await budgetedWorkspace();
  // Room for one call at its worst, and for several of what they really use.
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 0.0015 });
  const held1 = await createTask(place.api, { title: "Held for others", assigned_agent_id: place.agentId });
  await provider.called("Held for others", 0);
  expect((await budgetWindow(place.console, budget.id)).reserved_usd).toBeGreaterThan(0.001);
  const waiting = await createTask(place.api, { title: "Waits", assigned_agent_id: place.agentId });
  await taskIn(place.api, waiting.id, "running");
  expect(provider.callsOf("Waits")).toHaveLength(0);
  held.get("Held for others")?.finish();
  await taskIn(place.api, held1.id, "completed");
  await taskIn(place.api, waiting.id, "completed");
  expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 2 * COST, reserved_usd: 0 });
});

verifies("budgets.apart", "a lock on a workspace's budget delays no other workspace", async () => {
  const [place, other] = [await budgetedWorkspace(), await budgetedWorkspace()];
  for (const { console, agentId } of [place, other])
    await makeBudget(console, { scope: "agent", target_id: agentId, period: "day", max_tokens: 10_000 });
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    await locker.query("begin");
    await locker.query("select from budgets where workspace_id = $1 for update", [place.workspaceId]);
    const { id } = await createTask(place.api, { assigned_agent_id: place.agentId });
    await eventually("its call waits for the lock", async () => (await sql(service.databaseUrl, WAITS)).length > 0);
    for (let round = 0; round < 3; round++) {
      const { id: free } = await createTask(other.api, { assigned_agent_id: other.agentId });
      await eventually("the other completes", async () => {
        expect(await sql(service.databaseUrl, LONG_WAITS)).toEqual([]);
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
  const [place, other] = [await budgetedWorkspace(), await budgetedWorkspace()];
  await makeBudget(place.console, { scope: "agent", target_id: place.agentId, period: "day", max_tokens: 100_000 });
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    const titles = Array.from({ length: 6 }, (_, n) => `Held for a charge ${n}`);
    const tasks = await Promise.all(
      titles.map((title) => createTask(place.api, { title, assigned_agent_id: place.agentId })),
    );
    for (const title of titles) await provider.called(title, 0);
    await locker.query("begin");
    await locker.query("select from budgets where workspace_id = $1 for update", [place.workspaceId]);
    await Promise.all(tasks.map(({ id }) => place.api.patch(`/api-tasks?id=${id}`, { status: "cancelled" })));
    await eventually("a charge waits for the lock", async () => (await sql(service.databaseUrl, WAITS)).length > 0);
    const { id: free } = await createTask(other.api, { assigned_agent_id: other.agentId });
    await eventually("the other completes", async () => {
      expect(await sql(service.databaseUrl, LONG_WAITS)).toEqual([]);
      return (await readTask(other.api, free)).status === "completed";
    });
    await locker.query("rollback");
  } finally {
    await locker.end();
  }
});

verifies(["budgets.wait", "budgets.settled"], "a cancelled call counts as what it may have cost", async () => {
  const place = await budgetedWorkspace();
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
  const { id } = await createTask(place.api, { title: "Held and cancelled", assigned_agent_id: place.agentId });
  await provider.called("Held and cancelled", 0);
  const { reserved_usd, reserved_tokens } = await budgetWindow(place.console, budget.id);
  await place.api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
  const settled = await eventually("the call is settled", async () => {
    const standing = await budgetWindow(place.console, budget.id);
    return standing.reserved_usd === 0 && standing;
  });
  expect(settled).toMatchObject({ used_usd: reserved_usd, used_tokens: reserved_tokens, reserved_tokens: 0 });
});

verifies("budgets.failed-calls", "a rejected call costs nothing, an aborted one its worst case", async () => {
  const place = await budgetedWorkspace();
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
  await runTask(place, "failed", "Refused");
  expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 0, used_tokens: 0, reserved_usd: 0 });
  await runTask(place, "completed", "Broken");
  const { used_tokens, reserved_tokens } = await budgetWindow(place.console, budget.id);
  expect(provider.callsOf("Broken")).toHaveLength(2);
  expect(used_tokens - TOKENS).toBeGreaterThan(MAX_TOKENS);
  expect(reserved_tokens).toBe(0);
});

verifies("budgets.failed-calls", "a call without reported usage costs its worst case", async () => {
  const place = await budgetedWorkspace();
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
  const { usage } = await runTask(place, "completed", "Silent");
  expect(usage).toMatchObject({ total_tokens: 0 });
  const { used_tokens, reserved_tokens } = await budgetWindow(place.console, budget.id);
  expect(used_tokens).toBeGreaterThan(MAX_TOKENS);
  expect(reserved_tokens).toBe(0);
});

verifies("budgets.failed-calls", "a provider that cannot be reached costs nothing", async () => {
  const place = await budgetedWorkspace({ provider: "openai-compatible" });
  const gone = await startScriptedProvider(() => {});
  await gone.close();
  const body = { base_url: gone.baseUrl, api_key: "x" };
  await place.console.call("PUT", "/provider-keys/openai-compatible", { body });
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5 });
  const { error } = await runTask(place, "failed");
  expect(error).toContain("failed");
  expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 0, reserved_usd: 0 });
});

verifies("budgets.unpriced", "a cap in dollars rejects a model without a price; one in tokens does not", async () => {
  const place = await budgetedWorkspace({ model: "nobody-knows", provider: "openai-compatible" });
  await place.console.call("PUT", "/provider-keys/openai-compatible", { body: { base_url: provider.baseUrl } });
  const budget = await makeBudget(place.console, { scope: "workspace", max_usd: 5, max_tokens: 10_000 });
  const { error } = await runTask(place, "failed", "Unpriced");
  expect(error).toContain("budget_exceeded: The budget of the workspace is in dollars, and the model nobody-knows has");
  expect(error).toContain("MODEL_PRICES");
  await place.console.patch(`/budgets/${budget.id}`, { max_usd: null });
  await runTask(place, "completed", "Priced by tokens");
  expect(await budgetWindow(place.console, budget.id)).toMatchObject({ used_usd: 0, used_tokens: TOKENS });
});

verifies("budgets.earlier-spending", "today's spending before the budget was created counts", async () => {
  const place = await budgetedWorkspace();
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
    const place = await budgetedWorkspace();
    const task = await runTask(place, "completed", "Capped", { budget: { max_usd: 0.0015 } });
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
    const failed = await runTask(place, "failed", "Capped too low", { budget: { max_tokens: 10 } });
    expect(failed.error).toContain("The run's budget of");
    await place.api.delete(`/api-tasks?id=${task.id}`);
    expect((await place.console.get(`/budgets?target_id=${task.id}`)).body).toEqual([]);
  },
);

verifies(
  ["budgets.run-cap", "budgets.scopes", "budgets.exceeded"],
  "a team and its run are capped over all of their agents, however failed steps are handled",
  async () => {
    const place = await budgetedWorkspace();
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
