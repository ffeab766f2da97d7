import { beforeAll, expect } from "vitest";
import { openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene, Person } from "../../support/approvals.ts";
import { eventually } from "../../support/eventually.ts";
import { questionOf } from "../../support/interactions.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";

let scene: ApprovalScene;
let ana: Person;
let cleo: Person;

beforeAll(async () => {
  scene = await openApprovals();
  ana = await scene.join("Ana", "admin");
  cleo = await scene.join("Cleo", "member");
});

verifies("approvals.else", "at the last deadline the run fails, or the call is denied or allowed", async () => {
  const task = async (ending: string) => scene.start((await scene.agentWith([{ within_seconds: 1, else: ending }])).id);
  const [fails, denied, allowed] = await Promise.all([task("fail"), task("deny"), task("allow")]);
  expect((await taskIn(scene.api, fails, "failed")).error).toContain("not answered in time");
  expect((await taskIn(scene.api, denied, "completed")).result).toContain("Nobody approved this call in time");
  expect((await taskIn(scene.api, allowed, "completed")).result).toContain("Europe/Oslo");
  const [closed] = await scene.questions(allowed, "answered");
  expect(closed).toMatchObject({ answered_via: "rule", answered_by: null, answer: { approved: true, votes: [] } });
});

verifies("approvals.escalation", "after its time, the rule asks more people, who may answer then", async () => {
  const people = [ana.id];
  const rule = { ask: { people }, after: [{ seconds: 1, ask: { role: "member" } }], within_seconds: 600 };
  const agent = await scene.agentWith([rule]);
  const task = await scene.start(agent.id);
  const { reader, request, interactionId } = await questionOf(scene.service, { agentId: agent.id, taskId: task });
  expect(request).toMatchObject({ timeoutMs: 1_000, approval: { escalates: true } });
  const asked = await eventually("the question escalates", async () => {
    const now = await scene.question(task);
    return now.may_answer?.length === 2 && now;
  });
  expect(asked).toMatchObject({ id: interactionId, may_answer: [{ name: "Ana" }, { name: "Cleo" }] });
  await reader.until((events) => ofType(events, "INTERACTION_REQUEST").length === 2);
  const again = ofType(reader.events, "INTERACTION_REQUEST")[1];
  expect(again).toMatchObject({ interactionId, timeoutMs: 599_000, approval: { escalates: false } });
  expect((await cleo.vote(task, true, interactionId)).status).toBe(200);
  await taskIn(scene.api, task, "completed");
  await reader.over;
});

verifies("approvals.left", "a question whose people have left says so, and its ending follows", async () => {
  const dora = await scene.join("Dora", "admin");
  const ask = { people: [dora.id] };
  const start = async (seconds: number) =>
    scene.start((await scene.agentWith([{ ask, within_seconds: seconds, else: "deny" }])).id);
  const [long, short] = await Promise.all([start(600), start(2)]);
  expect((await scene.question(long)).problem).toBeNull();
  expect((await scene.desk.delete(`/members/${dora.id}`)).status).toBeLessThan(300);
  expect((await scene.question(long)).problem).toBe(
    "1 more approval is needed, and only 0 of those asked may still answer. The call is denied at the deadline.",
  );
  expect((await taskIn(scene.api, short, "completed")).result).toContain("Nobody approved this call in time");
});
