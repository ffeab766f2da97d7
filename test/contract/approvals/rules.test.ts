import { beforeAll, describe, expect } from "vitest";
import { fieldsOf, refusal } from "../../support/api.ts";
import { OSLO, openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene, Person } from "../../support/approvals.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let scene: ApprovalScene;
let ana: Person;

beforeAll(async () => {
  scene = await openApprovals();
  ana = await scene.join("Ana", "admin");
});

const zone = (is: string, value: unknown) => ({ when: { arguments: [{ pointer: "/time_zone", is, value }] } });

describe("conditions", () => {
  verifies("approvals.when", "a rule asks about the calls that fit it, and other calls are made at once", async () => {
    const cases = [
      [{ when: { tool: "current_time" } }, true],
      [{ when: { tool: "wait" } }, false],
      [zone("=", "Europe/Oslo"), true],
      [zone("=", "Europe/Rome"), false],
      [zone("!=", "Europe/Rome"), true],
      [zone("in", ["Europe/Rome", "Europe/Oslo"]), true],
      [zone("in", ["Europe/Rome"]), false],
      [zone("matches", "^Europe/(Oslo|Rome)$"), true],
      [zone("matches", "^Asia/"), false],
      [{ when: { cost_above: 1 } }, false],
    ] as const;
    for (const [rule, asks] of cases) {
      const task = await scene.start((await scene.agentWith([rule])).id);
      await taskIn(scene.api, task, asks ? "waiting_for_input" : "completed");
      if (asks) await ana.vote(task, false, (await scene.question(task)).id);
    }
  });

  verifies("approvals.when", "first_use asks until a call of the tool by this agent was approved", async () => {
    const agent = await scene.agentWith([{ when: { tool: "current_time", first_use: true } }]);
    for (const approved of [false, true]) {
      const task = await scene.start(agent.id);
      await ana.vote(task, approved, (await scene.question(task)).id);
      await taskIn(scene.api, task, "completed");
    }
    await taskIn(scene.api, await scene.start(agent.id), "completed");
    const other = await scene.agentWith([{ when: { tool: "current_time", first_use: true } }]);
    await scene.question(await scene.start(other.id));
  });

  verifies("approvals.when", "first_use asks again for another tool of the same name", async () => {
    const parameters = { type: "object", properties: { order: { type: "integer" } } };
    const tool = { name: "refund", description: "Pays.", url: "https://shop.example/", method: "POST", parameters };
    const { id: agentId } = await scene.agentWith([]);
    for (const _ of ["the first", "the second"]) {
      const { id } = fieldsOf(await scene.desk.post("/tools", tool));
      const rule = { when: { tool: `custom:${String(id)}`, first_use: true }, ask: { role: "admin" }, keys: true };
      const change = { tools: [`custom:${String(id)}`], config: { approvals: [rule] } };
      expect((await scene.api.patch(`/api-agents?id=${agentId}`, change)).status).toBe(200);
      const description = '[[tool:refund {"order": 12345678901234567891}]]';
      const task = (await createTask(scene.api, { description, assigned_agent_id: agentId })).id;
      const question = await scene.question(task);
      expect(question.request.description).toContain('"order": 12345678901234567891\n');
      await ana.vote(task, true, question.id);
      await taskIn(scene.api, task, "completed");
      await scene.api.patch(`/api-agents?id=${agentId}`, { tools: [], config: { approvals: [] } });
      expect((await scene.desk.call("DELETE", `/tools/${String(id)}`)).status).toBe(204);
    }
  });

  verifies(
    "approvals.reason",
    "the question shows why it is asked, what is called, and what the run has cost",
    async () => {
      const rule = { name: "Abroad", ...zone("!=", "Europe/Rome"), need: 1 };
      const task = await scene.start((await scene.agentWith([rule])).id);
      const { request } = await scene.question(task);
      expect(request.description).toContain(JSON.stringify(OSLO, null, 2));
      expect(request.approval).toEqual({
        rule: "Abroad",
        reason: 'The rule “Abroad” asks: time_zone is not "Europe/Rome".',
        costUsd: 0,
        expectedUsd: null,
        need: 1,
        denials: 1,
        escalates: false,
        otherwise: "fail",
      });
    },
  );

  verifies(
    "approvals.reason",
    "with completed runs, it shows what going on will cost, as the run's outlook does",
    async () => {
      const rule = { when: { tool: "current_time" }, else: "deny" };
      const agent = await scene.agentWith([rule]);
      const first = await scene.start(agent.id);
      await ana.vote(first, true, (await scene.question(first)).id);
      await taskIn(scene.api, first, "completed");
      await sql(scene.service.databaseUrl, "update runs set cost_usd = 0.25 where id = $1", [first]);
      const second = await scene.start(agent.id);
      const { request } = await scene.question(second);
      expect(request.approval).toMatchObject({ costUsd: 0, expectedUsd: 0.25 });
      const outlook = await scene.desk.get(`/runs/${second}/estimate`);
      expect(outlook.body).toMatchObject({ spent_usd: 0, going_on_usd: { p50: 0.25 } });
    },
  );
});

verifies("approvals.workspace", "rules of the workspace come first, and hold for agents without rules", async () => {
  const other = await openApprovals();
  const boss = await other.join("Boss", "admin");
  const rule = { name: "All", when: { tool: "current_time" }, ask: { role: "admin" }, keys: true };
  const saved = await other.desk.call("PUT", "/workspace/approvals", { body: { approvals: [rule] } });
  expect(saved.status).toBe(200);
  expect(fieldsOf(await other.desk.get("/workspace/approvals"))).toMatchObject({ approvals: [{ ...rule, need: 1 }] });
  for (const rules of [[], [{ name: "Own" }]]) {
    const task = await other.start((await other.agentWith(rules)).id);
    const { id, request } = await other.question(task);
    expect(request.approval).toMatchObject({ rule: "All" });
    await boss.vote(task, true, id);
    await taskIn(other.api, task, "completed");
  }
  const member = await other.join("Cleo", "member");
  expect(refusal(await member.desk.call("PUT", "/workspace/approvals", { body: { approvals: [] } }))).toMatchObject({
    status: 403,
  });
});
