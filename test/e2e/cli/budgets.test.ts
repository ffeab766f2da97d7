import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

const budgets = (...args: readonly string[]) => runMuster(["budgets", ...args], { env: environmentOf(service) });

verifies("cli.budgets", "budgets are set, shown, changed and deleted", async () => {
  expect(await budgets("list")).toMatchObject({ code: 0, stderr: expect.stringContaining("No budgets yet") });
  await createAgent(apiOf(service, service.keys.api), { name: "Writer" });
  const made = await budgets("set", "agent", "Writer", "--usd", "2.5", "--period", "month");
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Created budget \S+\n$/) });
  const id = made.stdout.trim().split(" ").at(-1) ?? "";
  await budgets("set", "workspace", "--tokens", "1000", "--on-breach", "ask");
  const again = await budgets("set", "agent", "Writer", "--tokens", "500", "--period", "month");
  expect(again.stdout).toBe(`Updated budget ${id}\n`);
  const table = (await budgets("list")).stdout.split("\n");
  expect(table[0]).toMatch(/^ID +OF +PERIOD +USED +RESERVED +CAP +ON BREACH$/);
  expect(table[1]).toMatch(/^\S+ +workspace +day +0 tokens +0 tokens +1000 tokens +ask$/);
  expect(table[2]).toMatch(/^\S+ +agent Writer +month +\$0, 0 tokens +\$0, 0 tokens +\$2.50, 500 tokens +stop$/);
  expect((await budgets("list", "--limit", "1")).stderr).toBe("Showing 1; use --limit for more.\n");
  expect((await budgets("list", "--target", crypto.randomUUID())).stderr).toBe("No budget matches.\n");
  expect((await budgets("set", "agent", "Writer", "--usd", "none", "--period", "month")).code).toBe(0);
  expect(JSON.parse((await budgets("list", "--json")).stdout)).toMatchObject([{}, { id, max_usd: null }]);
  expect(await budgets("delete", id, "--yes")).toMatchObject({ code: 0, stdout: `Deleted budget ${id}\n` });
  expect(await budgets("delete", id, "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Budget not found"),
  });
});

verifies("cli.budgets", "wrong scopes, targets and amounts are rejected", async () => {
  for (const [args, message] of [
    [["set", "planet", "--usd", "1"], "workspace, agent, team, run"],
    [["set", "agent", "--usd", "1"], "Name the agent"],
    [["set", "workspace", "x", "--usd", "1"], "has no target"],
    [["set", "workspace", "--usd", "much"], "--usd must be a number"],
    [["set", "workspace", "--usd", "1", "--period", "week"], "--period"],
  ] as const) {
    const { code, stderr } = await budgets(...args);
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(message)]);
  }
});
