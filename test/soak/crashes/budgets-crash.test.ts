import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import { makeBudget, budgetWindow } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startPeer, startProcess, startService } from "../../support/service.ts";
import type { StartOptions, TestDatabase, TestProcess, TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream, ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const TASKS = 60;
const TURNS = 4;
const CALL_TOKENS = 18;
/** The number of concurrent runs; each holds the worst case of a call. */
const MAX_TOKENS = 40;
const CAP = 3_500;

let database: TestDatabase;
let provider: ScriptedProvider;
const services: TestService[] = [];
let killed: TestProcess;
const keys = createKeys();
/** What the provider has charged: a call counts when it arrives, whatever becomes of its answer. */
const charged = () => provider.calls.length * CALL_TOKENS;

beforeAll(async () => {
  provider = await startScriptedProvider(async (call, reply) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (call.turn < TURNS - 1) reply.callTool("current_time", {});
    else reply.say("done");
    reply.finish();
  });
  database = await createDatabase();
  killed = await startProcess(options());
  services.push(await startService(options()), killed);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await provider.close();
  await database.drop();
});

function options(): StartOptions {
  const env = { OPENAI_API_KEY: "key-of-the-test", OPENAI_BASE_URL: provider.baseUrl, RUNS_PER_PROCESS: "20" };
  return { databaseUrl: database.url, keys, env };
}

verifies(
  ["budgets.no-overshoot", "budgets.crash", "budgets.settled", "budgets.wait-visible"],
  "many runs in two processes, one of which is killed, never use more than the cap",
  async () => {
    const [one, two] = services;
    if (one === undefined || two === undefined) throw new Error("Two services were started.");
    const api = apiOf(one, keys.api);
    const console = consoleOf(one, keys.api);
    const { id: agentId } = await createAgent(api, {
      model: "gpt-4o",
      max_tokens: MAX_TOKENS,
      tools: ["current_time"],
    });
    const budget = await makeBudget(console, { scope: "workspace", max_tokens: CAP });
    const tasks = await Promise.all(
      Array.from({ length: TASKS }, (_, index) =>
        createTask(apiOf(index % 2 === 0 ? one : two, keys.api), {
          title: `Task ${index}`,
          assigned_agent_id: agentId,
        }),
      ),
    );
    await eventually("calls of both are in progress", () => provider.calls.length > TASKS / 2);
    await killed.kill();
    services.splice(1, 1, await startPeer(options()));
    const ends = await eventually(
      "all runs have ended",
      async () => {
        const now = await Promise.all(tasks.map(({ id }) => readTask(api, id)));
        return now.every(({ status }) => ["completed", "failed"].includes(status)) && now;
      },
      60_000,
    );

    for (const { status, error } of ends) {
      if (status === "failed") expect(error).toContain("budget_exceeded: ");
    }
    expect(ends.some(({ status }) => status === "failed")).toBe(true);
    const { used_tokens, reserved_tokens } = await budgetWindow(console, budget.id);
    expect(charged()).toBeLessThanOrEqual(used_tokens);
    expect(used_tokens).toBeLessThanOrEqual(CAP);
    expect(reserved_tokens).toBe(0);
    expect(await sql(database.url, "select id from budget_reservations")).toEqual([]);
    // Each recorded call was counted once: the rest are calls whose end is unknown.
    const [sum] = await sql<{ tokens: number }>(
      database.url,
      "select sum(prompt_tokens + completion_tokens)::integer as tokens from usage_records",
    );
    const unknown = provider.calls.length - (sum?.tokens ?? 0) / CALL_TOKENS;
    expect(unknown).toBeGreaterThanOrEqual(0);
    expect(used_tokens - (sum?.tokens ?? 0)).toBeGreaterThanOrEqual(unknown * CALL_TOKENS);

    const waits = await Promise.all(tasks.map(({ id }) => waitsIn(id, agentId)));
    expect(waits.join(" ")).toContain("budget_wait budget_wait_over");
    // A wait has one end, but for one in which the process died.
    for (const names of waits) expect(names).toMatch(/^(budget_wait (budget_wait_over|run_resumed) ?|run_resumed ?)*$/);
  },
);

/** The names of a run's events about waits and processes, in order. */
async function waitsIn(taskId: string, agentId: string): Promise<string> {
  const [service] = services;
  if (service === undefined) throw new Error("A service is left.");
  const events = await readToEnd(service, { agentId, taskId });
  await expectWholeStream(events);
  return ofType(events, "CUSTOM")
    .map(({ name }) => name)
    .join(" ");
}
