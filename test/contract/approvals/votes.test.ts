import { sent1 } from "../../support/a2a/shapes.ts";
import { rpc, userMessage1 } from "../../support/a2a/a2a.ts";
import { callOf } from "../../support/interactions.ts";
import { beforeAll, expect } from "vitest";
import { consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { OSLO, openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene, Person } from "../../support/approvals.ts";
import { createKey } from "../../support/keys.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";
import { addKey } from "../../support/workspace.ts";

let scene: ApprovalScene;
let ana: Person;
let ben: Person;
let cleo: Person;

beforeAll(async () => {
  scene = await openApprovals();
  ana = await scene.join("Ana", "admin");
  ben = await scene.join("Ben", "admin");
  cleo = await scene.join("Cleo", "member");
});

verifies("approvals.need", "two of the asked people must approve, and each of them once", async () => {
  const agent = await scene.agentWith([{ need: 2 }]);
  const task = await scene.start(agent.id);
  const asked = await scene.question(task);
  expect(asked.may_answer?.map(({ name }) => name)).toEqual(["Ana", "Ben"]);
  expect((await ana.vote(task, true, asked.id)).status).toBe(200);
  const again = refusal(await ana.vote(task, true, asked.id));
  expect(again).toMatchObject({ status: 409, code: "conflict" });
  expect(again.message).toContain("You approved it already");
  const half = await scene.question(task);
  expect(half.votes).toMatchObject([{ by: { name: "Ana" }, approved: true, via: "api" }]);
  expect(half.may_answer?.map(({ name }) => name)).toEqual(["Ben"]);
  expect((await ben.vote(task, true, asked.id)).status).toBe(200);
  expect((await taskIn(scene.api, task, "completed")).result).toContain("Europe/Oslo");
});

verifies("approvals.record", "the record has each vote, and the arguments that were seen", async () => {
  const agent = await scene.agentWith([{ need: 2 }]);
  const task = await scene.start(agent.id);
  const { id } = await scene.question(task);
  await ben.vote(task, true, id);
  await ana.vote(task, true, id);
  await taskIn(scene.api, task, "completed");
  const [closed] = await scene.questions(task, "answered");
  expect(closed?.votes.map(({ by, approved, via }) => [by.name, approved, via])).toEqual([
    ["Ben", true, "api"],
    ["Ana", true, "api"],
  ]);
  expect(closed?.request.description).toContain(`"time_zone": "Europe/Oslo"`);
  expect(closed?.answer).toMatchObject({ approved: true, votes: [{ by: { id: ben.id } }, { by: { id: ana.id } }] });
});

verifies("approvals.denials", "one denial denies; with denials: 2 it takes two", async () => {
  const strict = await scene.start((await scene.agentWith([{ need: 2 }])).id);
  await ana.vote(strict, false, (await scene.question(strict)).id);
  expect((await taskIn(scene.api, strict, "completed")).result).toContain("did not approve");
  const mild = await scene.start((await scene.agentWith([{ ask: { role: "member" }, denials: 2 }])).id);
  const { id } = await scene.question(mild);
  await ana.vote(mild, false, id);
  expect((await scene.question(mild)).votes).toHaveLength(1);
  await ben.vote(mild, true, id);
  expect((await taskIn(scene.api, mild, "completed")).result).toContain("Europe/Oslo");
});

verifies("approvals.denials", "the vote after which nobody is left to approve denies", async () => {
  const people = [ana.id, ben.id];
  const agent = await scene.agentWith([{ ask: { people }, need: 2, denials: 3 }]);
  const task = await scene.start(agent.id);
  const { id } = await scene.question(task);
  await ana.vote(task, true, id);
  await ben.vote(task, false, id);
  expect((await taskIn(scene.api, task, "completed")).result).toContain("did not approve");
  expect((await ana.vote(task, true, id)).text).toContain("It is decided: Ben denied it first");
});

verifies("approvals.starter", "who starts a run does not count, unless the rule says so", async () => {
  const task = await scene.start((await scene.agentWith([{}])).id);
  const { id } = await scene.question(task);
  const own = refusal(await scene.owner.vote(task, true, id));
  expect(own).toMatchObject({ status: 403, code: "forbidden" });
  expect(own.message).toContain("You started this run");
  const open = await scene.start((await scene.agentWith([{ starter: true }])).id);
  expect((await scene.owner.vote(open, true, (await scene.question(open)).id)).status).toBe(200);
  await taskIn(scene.api, open, "completed");
});

verifies("approvals.starter", "who runs a task again does not count either", async () => {
  const task = await scene.start((await scene.agentWith([{}])).id);
  await ana.vote(task, false, (await scene.question(task)).id);
  await taskIn(scene.api, task, "completed");
  expect((await ben.api.patch(`/api-tasks?id=${task}`, { status: "dispatched" })).status).toBeLessThan(300);
  const asked = await scene.question(task);
  expect(asked.may_answer?.map(({ name }) => name)).toEqual(["Ana"]);
  expect(refusal(await ben.vote(task, true, asked.id)).status).toBe(403);
});

verifies(
  "approvals.who",
  "a person whom the rule does not ask is refused, and so is a key without keys: true",
  async () => {
    const task = await scene.start((await scene.agentWith([{}])).id);
    const other = refusal(await cleo.vote(task, true, (await scene.question(task)).id));
    expect([other.status, other.message]).toEqual([403, expect.stringContaining("does not ask you")]);
    const strict = await scene.start((await scene.agentWith([{ keys: false }])).id);
    const { id } = await scene.question(strict);
    const byKey = refusal(await ana.vote(strict, true, id));
    expect([byKey.status, byKey.message]).toEqual([403, expect.stringContaining("signed in")]);
    await scene.desk.patch("/workspace", { answer_links: true });
    expect(refusal(await ana.desk.post(`/questions/${id}/link`, {}))).toMatchObject({ status: 403 });
    expect((await scene.question(strict)).votes).toEqual([]);
  },
);

verifies("approvals.who", "a vote by AG-UI counts as that of the person of the key", async () => {
  const agent = await scene.agentWith([{}]);
  const { service } = scene;
  const agui = await addKey(service.databaseUrl, { workspaceId: service.workspaceId, ownerId: ana.id, kind: "ag-ui" });
  const task = await scene.start(agent.id);
  const { id } = await scene.question(task);
  const respond = (key: string) =>
    send("POST", `${service.url}/ag-ui/${agent.id}/respond`, {
      headers: { authorization: `Bearer ${key}` },
      body: { threadId: task, interactionId: id, approved: true },
    });
  expect((await respond(service.keys.agui)).status).toBe(403);
  expect((await respond(agui)).status).toBe(200);
  await taskIn(scene.api, task, "completed");
  const [closed] = await scene.questions(task, "answered");
  expect(closed?.votes).toMatchObject([{ by: { name: "Ana" } }]);
});

verifies(
  ["approvals.who", "approvals.starter"],
  "a vote by A2A counts as that of the person of the key, and not for who started the run by A2A",
  async () => {
    const { service } = scene;
    const agent = await scene.agentWith([{ need: 2 }], { is_a2a_published: true });
    const keyOf = (ownerId: string) =>
      addKey(service.databaseUrl, { workspaceId: service.workspaceId, ownerId, kind: "a2a" });
    const sendBy = async (key: string, message: object) =>
      rpc(service, agent.id, { method: "SendMessage", params: { message }, key });
    const { message } = userMessage1(callOf("current_time", OSLO));
    const asked = await sendBy(service.keys.a2a, message);
    const { task } = sent1.parse(asked.result);
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const parts = [{ data: { approved: true } }];
    const answer = (messageId: string) => ({ messageId, role: "ROLE_USER", taskId: task.id, parts });
    await expect(sendBy(service.keys.a2a, answer("own"))).rejects.toThrow("You started this run");
    await expect(sendBy(await keyOf(cleo.id), answer("other"))).rejects.toThrow("does not ask you");
    const [byAna, byBen] = [await keyOf(ana.id), await keyOf(ben.id)];
    expect((await sendBy(byAna, answer("first"))).error).toBeUndefined();
    // The same message again, as after a lost response, is no second vote.
    expect((await sendBy(byAna, answer("first"))).error).toBeUndefined();
    expect((await sendBy(byAna, answer("second"))).error?.message).toContain("You approved it already");
    expect((await sendBy(byBen, answer("third"))).error).toBeUndefined();
    await taskIn(scene.api, task.id, "completed");
    const [closed] = await scene.questions(task.id, "answered");
    expect(closed?.votes).toMatchObject([
      { by: { name: "Ana" }, via: "a2a" },
      { by: { name: "Ben" }, via: "a2a" },
    ]);
  },
);

verifies("approvals.who", "a key that is limited to the agent shows the question and votes on it", async () => {
  const agent = await scene.agentWith([{}]);
  const task = await scene.start(agent.id);
  const { id } = await scene.question(task);
  const limited = async (agentId: string) => {
    const { key } = await createKey(ana.desk, { label: "Limited", agents: [agentId] });
    return consoleOf(scene.service, key);
  };
  const other = await limited((await scene.agentWith([{}])).id);
  expect((await other.get(`/questions/${id}`)).status).toBe(404);
  expect((await other.post(`/tasks/${task}/answer`, { interactionId: id, approved: true })).status).toBe(404);
  const own = await limited(agent.id);
  expect(fieldsOf(await own.get(`/questions/${id}`))).toMatchObject({
    votes: [],
    may_answer: [{ name: "Ana" }, { name: "Ben" }],
  });
  const voted = await own.post(`/tasks/${task}/answer`, { interactionId: id, approved: true });
  expect([voted.status, voted.text]).toEqual([200, expect.any(String)]);
  await taskIn(scene.api, task, "completed");
});
