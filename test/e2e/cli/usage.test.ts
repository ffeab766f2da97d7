import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";
import { createAgent, QUICK, taskInState } from "../../support/work.ts";

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

const usage = (...args: readonly string[]) => runMuster(["usage", ...args], { env: environmentOf(service) });

verifies("cli.usage", "usage is shown as a table, as CSV and as JSON", async () => {
  expect(await usage()).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("Nothing was used") });
  const api = apiOf(service, service.keys.api);
  const { id: agentId } = await createAgent(api, { name: "Tester" });
  await taskInState(api, { agentId, status: "completed", description: QUICK });

  const table = (await usage("--by", "agent")).stdout.split("\n");
  expect(table[0]).toMatch(/^AGENT +CALLS +PROMPT +CACHED +WRITTEN +COMPLETION +COST$/);
  expect(table[1]).toMatch(/^Tester +1 +\d+ +0 +0 +\d+ +\$0$/);
  expect(table[2]).toMatch(/^Total +1 +\d+ +0 +0 +\d+ +\$0$/);
  expect((await usage("--by", "model")).stdout).toMatch(/^demo\/demo +1 /m);
  expect((await usage("--by", "team")).stdout).toMatch(/^\(no team\) +1 /m);

  const csv = (await usage("--csv")).stdout.split("\r\n");
  expect(csv[0]).toBe(
    "day,calls,prompt_tokens,completion_tokens,total_tokens,cached_tokens,cache_write_tokens,reasoning_tokens,cost_usd," +
      "interrupted_calls,worst_case_tokens,worst_case_cost_usd",
  );
  expect(csv[1]).toMatch(/^\d{4}-\d\d-\d\d,1,\d+,\d+,\d+,0,0,0,0\.00000000,0,0,0\.00000000$/);
  expect(JSON.parse((await usage("--json")).stdout)).toMatchObject({ group_by: ["day"], total: { calls: 1 } });
});

verifies(["cli.usage", "usage.interrupted"], "interrupted calls are shown below the table", async () => {
  const own = await useSharedService();
  const record = `insert into usage_records (id, workspace_id, attempt, provider, model, prompt_tokens,
    completion_tokens, estimated_cost_usd, billing_model, interrupted, worst_case_tokens, worst_case_cost_usd)
    values (gen_random_uuid(), $1, 1, 'openai', 'gpt-4o', 0, 0, 0, 'per-token', true, 1200, 0.25)`;
  await sql(own.databaseUrl, record, [own.workspaceId]);
  expect(await runMuster(["usage"], { env: environmentOf(own) })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Total +0 +0 +0 +0 +0 +\$0$/m),
    stderr: "1 more call was interrupted. Not reported, counted at worst case: 1200 tokens, $0.25.\n",
  });
});

verifies("cli.usage-kinds", "cached, written and reasoning tokens are shown wherever tokens are", async () => {
  const { service: scripted, api, player } = await useScriptedService();
  const muster = (...args: readonly string[]) => runMuster(args, { env: environmentOf(scripted) });
  const { id: agentId } = await player(
    (_, reply) => {
      reply.say("Done.");
      reply.finish(undefined, { cached: 8, written: 2, reasoning: 5 });
    },
    { model: "gpt-6-luna", name: "Cached" },
  );
  const { id } = await taskInState(api, { agentId, status: "completed", description: "Work." });
  const used = "11 tokens in (8 from the cache, 2 written to it), 7 out (5 reasoning)";
  expect((await muster("tasks", "get", id)).stdout).toContain(used);
  expect((await muster("tasks", "watch", id)).stderr).toContain(`completed · ${used} · $`);
  expect((await muster("usage", "--by", "agent")).stdout).toMatch(/^Cached +1 +11 +8 +2 +7 +\$/m);
  expect((await muster("usage", "--by", "agent", "--csv")).stdout).toMatch(/,Cached,1,11,7,18,8,2,5,0\.0/);
});

verifies("cli.usage", "wrong days and groups are rejected", async () => {
  expect(await usage("--from", "soon")).toMatchObject({ code: 1, stderr: expect.stringContaining("from") });
  expect(await usage("--by", "month")).toMatchObject({ code: 2, stderr: expect.stringContaining("--by") });
});

verifies(
  "cli.estimates",
  "a task is estimated before it is created, and calls are priced for other models",
  async () => {
    const { service: scripted, api, player } = await useScriptedService();
    const muster = (...args: readonly string[]) => runMuster(args, { env: environmentOf(scripted) });
    const say = { model: "gpt-4o", name: "Estimated" };
    const { id: agentId } = await player((_, reply) => {
      reply.say("Done.");
      reply.finish();
    }, say);
    const estimate = () => muster("tasks", "create", "--agent", "Estimated", "--title", "Told", "--estimate");
    expect((await estimate()).stdout).toBe("No run has completed yet that could tell.\n");
    await taskInState(api, { agentId, status: "completed", description: "Work." });
    const told = await estimate();
    expect(told.stdout).toMatch(/^half of the runs +\$0.000097 +18 +\d/m);
    expect(told.stdout).toMatch(/^nine of ten +\$0.000097 +18 +\d/m);
    expect(told.stderr).toBe("By the last 1 completed run.\n");
    expect((await muster("tasks", "list")).stdout).not.toContain("Told");
    expect((await muster("usage", "--what-if")).stdout).toMatch(/^openai\/gpt-4\.1 +\$0\.0/m);
  },
);
