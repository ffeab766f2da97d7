import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../../support/api.ts";
import { budgetWindow, makeBudget } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const TOKENS = 18;
const keys = createKeys();
let database: TestDatabase;
let provider: ScriptedProvider;
let survivor: TestService;

beforeAll(async () => {
  database = await createDatabase();
  // The first call of a task never ends.
  provider = await startScriptedProvider(({ nth }, reply) => {
    reply.say("word");
    if (nth > 1) reply.finish();
  });
  survivor = await startService({ databaseUrl: database.url, keys, env: { ...provider.env } });
});
afterAll(async () => {
  await survivor.stop();
  await provider.close();
  await database.drop();
});

for (const isBudgeted of [false, true]) {
  for (const fate of ["killed", "frozen"] as const) {
    verifies(
      ["usage.interrupted", "budgets.crash"],
      `a call ${isBudgeted ? "under" : "without"} a budget whose process is ${fate} is in the usage once`,
      async () => {
        const title = `${fate} ${isBudgeted}`;
        const lost = await startProcess({ databaseUrl: database.url, keys, env: { ...provider.env } });
        const agentId = await openAiAgent(lost, { max_tokens: 100 });
        const console = consoleOf(survivor, keys.api);
        const cap = { scope: "agent", target_id: agentId, max_tokens: 10_000 };
        const budget = isBudgeted ? await makeBudget(console, cap) : undefined;
        const id = await startTask(lost, agentId, { title });
        await provider.called(title, 0);
        const known = "select from budget_reservations where run_id = $1";
        await eventually("the call is known", async () => (await sql(database.url, known, [id])).length === 1);
        if (fate === "killed") await lost.kill();
        else lost.process.kill("SIGSTOP");

        expect(await taskEnd(survivor, id)).toMatchObject({ status: "completed", usage: { total_tokens: TOKENS } });
        if (fate === "frozen") {
          lost.process.kill("SIGCONT");
          await provider.calls.find(({ task, nth }) => task === title && nth === 1)?.gone;
          await lost.stop();
        }
        expect(await sql(database.url, known, [id])).toEqual([]);
        const records = await sql<{ tokens: number }>(
          database.url,
          "select worst_case_tokens as tokens from usage_records where task_id = $1 and interrupted",
          [id],
        );
        expect(records).toEqual([{ tokens: expect.any(Number) }]);
        const counted = TOKENS + (records[0]?.tokens ?? 0);
        expect(counted).toBeGreaterThan(TOKENS + 100);
        if (budget) expect(await budgetWindow(console, budget.id)).toMatchObject({ used_tokens: counted });
      },
    );
  }
}

async function usageOf(agentId: string): Promise<unknown> {
  const { body } = await consoleOf(survivor, keys.api).get("/usage?group_by=agent");
  return z
    .looseObject({ rows: z.array(z.looseObject({ agent_id: z.string().nullable() })) })
    .parse(body)
    .rows.find((row) => row.agent_id === agentId);
}

for (const fate of ["killed", "frozen"] as const) {
  verifies(
    "usage.interrupted",
    `a call without a budget whose process is ${fate} in its first second is in the usage once`,
    async () => {
      const title = `${fate} at once`;
      const lost = await startProcess({ databaseUrl: database.url, keys, env: { ...provider.env } });
      const agentId = await openAiAgent(lost, { max_tokens: 100 });
      const id = await startTask(lost, agentId, { title });
      await provider.called(title, 0);
      if (fate === "killed") await lost.kill();
      else lost.process.kill("SIGSTOP");

      expect(await taskEnd(survivor, id)).toMatchObject({ status: "completed", usage: { total_tokens: TOKENS } });
      if (fate === "frozen") {
        lost.process.kill("SIGCONT");
        await provider.calls.find(({ task, nth }) => task === title && nth === 1)?.gone;
        await lost.stop();
      }
      const usage = await usageOf(agentId);
      expect(usage).toMatchObject({ calls: 1, interrupted_calls: 1, total_tokens: TOKENS });
      expect(usage).toHaveProperty("worst_case_tokens", expect.any(Number));
    },
  );
}

verifies("usage.interrupted", "a process that dies in a tool's call adds no interrupted model call", async () => {
  const lost = await startProcess({ databaseUrl: database.url, keys, env: { ...provider.env } });
  const { id: agentId } = await createAgent(apiOf(lost, keys.api), { tools: ["wait"] });
  const id = await startTask(lost, agentId, { title: '[[slow:0]] [[tool:wait {"seconds":3}]]' });
  const called = "select from run_steps where run_id = $1";
  await eventually("the tool is called", async () => (await sql(database.url, called, [id])).length === 1);
  await lost.kill();
  expect(await taskEnd(survivor, id)).toMatchObject({ status: "completed" });
  expect(await usageOf(agentId)).toMatchObject({ calls: 2, interrupted_calls: 0 });
});
