import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { fieldsOf } from "../../support/api.ts";
import { openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene, Person } from "../../support/approvals.ts";
import { verifies } from "../../support/verifies.ts";
import { readAgent } from "../../support/work.ts";

let scene: ApprovalScene;
let ana: Person;

beforeAll(async () => {
  scene = await openApprovals();
  ana = await scene.join("Ana", "admin");
});

const rules = z.array(z.looseObject({ ask: z.looseObject({}), need: z.int() }));
const config = z.looseObject({ config: z.looseObject({ approvals: rules }) });
const imported = z.looseObject({
  agents: z.array(config),
  warnings: z.array(z.object({ path: z.string(), message: z.string() })),
});

const rulesOf = (record: unknown) => config.parse(record).config.approvals;

verifies(
  "approvals.portable",
  "people are named by e-mail address, stored by id, and exported by address",
  async () => {
    const agent = await scene.agentWith([{ ask: { people: [ana.email] } }]);
    expect(rulesOf(agent)).toMatchObject([{ ask: { people: [ana.id] } }]);
    const file = fieldsOf(await scene.desk.get(`/agents/${agent.id}/export`));
    expect(rulesOf(file["data"])).toMatchObject([{ ask: { people: [ana.email] } }]);
    const back = imported.parse((await scene.desk.post("/agents/import", file)).body);
    expect(rulesOf(back.agents[0])).toEqual(rulesOf(agent));
    expect(back.warnings).toEqual([]);
  },
);

verifies(
  "approvals.portable",
  "a channel is exported by name, and a rule without its channel asks the admins",
  async () => {
    const config = { webhook_url: "https://hooks.slack.com/services/T00000000/B00000000/token" };
    const route = { name: "Finance", kind: "people", type: "slack", config, members: [{ member: ana.id }] };
    expect((await scene.desk.post("/routes", route)).status).toBe(201);
    const agent = await scene.agentWith([{ ask: { channel: "Finance" } }]);
    const file = fieldsOf(await scene.desk.get(`/agents/${agent.id}/export`));
    expect(rulesOf(file["data"])).toMatchObject([{ ask: { channel: "Finance" } }]);
    const back = imported.parse((await scene.desk.post("/agents/import", file)).body);
    expect([rulesOf(back.agents[0]), back.warnings]).toEqual([rulesOf(agent), []]);
    const other = await openApprovals();
    const there = imported.parse((await other.desk.post("/agents/import", file)).body);
    expect(rulesOf(there.agents[0])).toMatchObject([{ ask: { role: "admin" }, need: 1, starter: true }]);
    expect(there.warnings[0]).toMatchObject({ path: "data.config.approvals.0.ask.channel" });
  },
);

verifies("approvals.portable", "elsewhere, what a rule cannot keep is a warning, and it still asks", async () => {
  const pair = { ask: { people: [ana.email] }, need: 1 };
  const gone = { when: { tool: "no_such_tool" }, ask: { role: "admin" } };
  const agent = await scene.agentWith([pair, { ask: { role: "admin" }, need: 1, starter: true }]);
  const file = fieldsOf(await scene.desk.get(`/agents/${agent.id}/export`));
  const text = JSON.stringify(file).replace('"approvals":[', `"approvals":[${JSON.stringify(gone)},`);
  const other = await openApprovals();
  const there = imported.parse((await other.desk.post("/agents/import", JSON.parse(text))).body);
  expect(rulesOf(there.agents[0])).toMatchObject([
    { ask: { role: "admin" }, need: 1, starter: true },
    { ask: { role: "admin" }, need: 1, starter: true },
  ]);
  expect(there.warnings.map(({ path }) => path)).toEqual([
    "data.config.approvals.0",
    "data.config.approvals.0.ask.people.0",
    "data.config.approvals.0.need",
  ]);
});

verifies(
  "approvals.portable",
  "an installed copy asks the admins of its workspace, and the answer says so",
  async () => {
    const listed = await scene.agentWith([{ ask: { people: [ana.id] } }], { is_marketplace: true });
    const other = await openApprovals();
    const answer = await other.desk.post(`/marketplace/${listed.id}/install`, {});
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    const { agent_id, warnings } = fieldsOf(answer);
    expect(JSON.stringify(warnings)).toContain("no member of the workspace who may answer");
    const copy = await readAgent(other.api, String(agent_id));
    expect(rulesOf(copy)).toMatchObject([{ ask: { role: "admin" }, need: 1, starter: true }]);
    expect(JSON.stringify(copy)).not.toContain(ana.email);
  },
);
