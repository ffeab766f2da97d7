import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import { makeBudget, budgetWindow } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { StartOptions, TestDatabase, TestProcess, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const MAX_TOKENS = 1_000;
/** Room for the worst case of one call, not of two. */
const CAP = 1_800;

let database: TestDatabase;
let provider: ScriptedProvider;
let killed: TestProcess;
let other: TestProcess;
let last: TestService | undefined;
const keys = createKeys();

beforeAll(async () => {
  // Never answers.
  provider = await startScriptedProvider(() => {});
  database = await createDatabase();
  killed = await startProcess(options());
  other = await startProcess(options());
});
afterAll(async () => {
  await Promise.all([killed.stop(), other.stop(), last?.stop()]);
  await provider.close();
  await database.drop();
});

function options(): StartOptions {
  const env = { OPENAI_API_KEY: "key-of-the-test", OPENAI_BASE_URL: provider.baseUrl, RUNS_PER_PROCESS: "1" };
  return { databaseUrl: database.url, keys, env };
}

verifies(
  "budgets.crash-queued",
  "a run waiting for a killed run's reservation does not wait forever in the last slot",
  async () => {
    const api = apiOf(other, keys.api);
    const console = consoleOf(other, keys.api);
    const agent = await createAgent(api, { model: "gpt-4o", max_tokens: MAX_TOKENS });
    const budget = await makeBudget(console, { scope: "workspace", max_tokens: CAP });
    const held = await createTask(apiOf(killed, keys.api), { title: "Held", assigned_agent_id: agent.id });
    await provider.called("Held", 0);
    const waiting = await createTask(api, { title: "Waiting", assigned_agent_id: agent.id });
    await eventually("it has a place", async () => (await readTask(api, waiting.id)).status === "running");
    const { reserved_tokens: worst } = await budgetWindow(console, budget.id);
    await killed.kill();

    for (const { id } of [held, waiting]) {
      const hasFailed = async () => {
        const now = await readTask(api, id);
        return now.status === "failed" && now;
      };
      const { error } = await eventually("it has failed", hasFailed);
      expect(error).toContain("budget_exceeded: ");
    }
    expect(provider.calls).toHaveLength(1);
    expect(await budgetWindow(console, budget.id)).toMatchObject({ used_tokens: worst, reserved_tokens: 0 });
  },
);

verifies(
  "budgets.crash-own",
  "a run does not wait for its own reservation of a call that is not repeated",
  async () => {
    const api = apiOf(other, keys.api);
    const agent = await createAgent(api, { model: "gpt-4o", max_tokens: MAX_TOKENS });
    await sql(database.url, "delete from budgets");
    await makeBudget(consoleOf(other, keys.api), { scope: "agent", target_id: agent.id, max_tokens: CAP });
    const { id } = await createTask(api, { title: "Alone", assigned_agent_id: agent.id });
    await provider.called("Alone", 0);
    await other.kill();
    // As that of a search in a knowledge base that is deleted before the run continues.
    await sql(database.url, "update budget_reservations set step = 'a search'");
    last = await startService(options());
    const successor = apiOf(last, keys.api);
    const hasFailed = async () => (await readTask(successor, id)).error?.includes("budget_exceeded: ") === true;
    await eventually("its own call counts as used", hasFailed);
  },
);
