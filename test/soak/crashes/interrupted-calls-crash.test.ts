import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { budgetWindow, makeBudget } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
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
