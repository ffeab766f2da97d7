import { beforeAll, expect } from "vitest";
import { refusal } from "../../support/api.ts";
import { openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene } from "../../support/approvals.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let scene: ApprovalScene;

beforeAll(async () => {
  scene = await openApprovals();
  await scene.join("Ana", "admin");
  await scene.join("Vera", "viewer");
});

const pointed = (pointer: string) => ({ when: { tool: "current_time", arguments: [{ pointer, is: "=", value: 1 }] } });
const condition = (is: string, value: unknown) => ({ when: { arguments: [{ pointer: "/a", is, value }] } });

verifies("approvals.unmeetable", "a rule that can never be met is refused at once, with the reason", async () => {
  const asks = { when: {}, ask: { role: "admin" } };
  const cases = [
    [
      { need: 3 },
      "need",
      "can never be met: 3 must approve, and the rule asks 1, without the person who starts the run",
    ],
    [{ need: 3, starter: true }, "need", "3 must approve, and the rule asks 2"],
    [{ ask: { role: "owner" }, need: 2, starter: true }, "need", "the rule asks 1"],
    [{ ask: { role: "viewer" }, need: 3, starter: true }, "need", "the rule asks 2"],
    [
      { ask: { people: ["nobody@example.org"] } },
      "ask.people.0",
      'no member of the workspace who may answer is "nobody@',
    ],
    [{ ask: { role: "boss" } }, "ask.role", ""],
    [{ ask: {} }, "ask", "name people, a role, a channel, or several"],
    [{ when: { tool: "curent_time" } }, "when.tool", "Did you mean current_time?"],
    [pointed("/zone"), "when.arguments.0.pointer", "current_time has no such argument. It has: /time_zone."],
    [pointed("zone"), "when.arguments.0.pointer", "must be a JSON pointer"],
    [condition(">", "ten"), "when.arguments.0.value", "with > must be a number"],
    [condition("in", "ten"), "when.arguments.0.value", "with in must be a list"],
    [condition("=", 1.2345678901234567e19), "when.arguments.0.value", "a number of at most 15 digits"],
    [condition("in", ["a", 2 ** 53]), "when.arguments.0.value", "a number of at most 15 digits"],
    [condition("matches", "(a"), "when.arguments.0.value", "must be a regular expression of RE2"],
    [condition("matches", "(a)\\1"), "when.arguments.0.value", "no back-references"],
    [
      { after: [{ seconds: 90_000, ask: { role: "owner" } }] },
      "after.0.seconds",
      "earlier than within_seconds (86400)",
    ],
    [{ else: "ask" }, "else", ""],
  ] as const;
  for (const [change, path, words] of cases) {
    const rule = { ...asks, ...change };
    const agent = await scene.api.post("/api-agents", { name: "A", model: "demo", config: { approvals: [rule] } });
    expect([change, refusal(agent)]).toMatchObject([change, { status: 400, paths: [`config.approvals.0.${path}`] }]);
    expect(agent.text).toContain(JSON.stringify(words).slice(1, -1));
    const whole = await scene.desk.call("PUT", "/workspace/approvals", { body: { approvals: [rule] } });
    expect([change, refusal(whole)]).toMatchObject([change, { status: 400, paths: [`approvals.0.${path}`] }]);
  }
});

verifies("approvals.closed", "a run whose rules cannot be read fails, and makes no call", async () => {
  const agent = await scene.agentWith([{}]);
  const broken = `update agents set config = '{"approvals": [{"when": {}}]}' where id = $1`;
  await sql(scene.service.databaseUrl, broken, [agent.id]);
  const task = await scene.start(agent.id);
  const { result, error } = await taskIn(scene.api, task, "failed");
  expect([result, error]).toEqual([null, expect.stringContaining("internal error")]);
});
