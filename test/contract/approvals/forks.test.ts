import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { fieldsOf, refusal } from "../../support/api.ts";
import { openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene, Person } from "../../support/approvals.ts";
import { inTurns, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { stepsOf } from "../../support/run-steps.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

const RULE = { when: { tool: "current_time" }, ask: { role: "admin" }, keys: true, need: 2 };

let given: ScriptedWorkspace;
let scene: ApprovalScene;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  given = await useScriptedService();
  scene = await openApprovals(given.service);
  [ana, ben] = [await scene.join("Ana", "admin"), await scene.join("Ben", "admin")];
});

/** A run in which the model first asks a question of its own, then makes a call that a rule asks about. */
async function decidedRun(): Promise<string> {
  const player = await given.player(
    inTurns(
      (reply) => reply.callTool("request_input", { title: "Where?" }, "where"),
      (reply) => reply.callTool("current_time", {}, "look"),
      (reply) => reply.say("Done"),
    ),
    { tools: ["request_input", "current_time"], config: { approvals: [RULE] } },
  );
  const { id } = await createTask(scene.api, { assigned_agent_id: player.id });
  const asked = await scene.question(id);
  expect((await scene.desk.post(`/tasks/${id}/answer`, { interactionId: asked.id, text: "Oslo" })).status).toBe(200);
  await decide(id, asked.id);
  return id;
}

/** Ana and Ben approve the question of the rule. */
async function decide(id: string, before: string): Promise<void> {
  const { id: interactionId } = await nextQuestion(id, before);
  for (const person of [ana, ben]) expect((await person.vote(id, true, interactionId)).status).toBe(200);
  await taskIn(scene.api, id, "completed");
}

async function nextQuestion(id: string, before: string) {
  for (;;) {
    const question = await scene.question(id);
    if (question.id !== before) return question;
  }
}

const fork = (id: string, body: object) => scene.desk.post(`/runs/${id}/fork`, body);
const idIn = (body: unknown) => z.looseObject({ id: z.uuid() }).parse(body).id;
const votesOf = async (id: string) =>
  (await scene.questions(id, "answered")).flatMap(({ votes }) => votes.map(({ by }) => by.name));

verifies(
  "approvals.forks",
  "a fork cannot change what people voted, and one from an earlier step asks them again",
  async () => {
    const source = await decidedRun();
    const steps = await stepsOf(scene.service, source);
    const decision = steps.find(({ key }) => key === "answer:approval:look");
    expect(decision?.key).toBe("answer:approval:look");
    for (const approved of [true, false]) {
      const changed = await fork(source, { from_step: 1, changes: { answer: { approved }, question: decision?.key } });
      expect(refusal(changed)).toMatchObject({ status: 403, message: expect.stringContaining("People voted on this") });
    }

    // Another answer before it: the decision is not taken over, and the record of the source stays as it was.
    const change = { answer: { text: "Rome" }, question: "answer:result:where" };
    const forked = await fork(source, { from_step: 0, changes: change });
    expect([forked.status, forked.text]).toEqual([201, forked.text]);
    const id = idIn(forked.body);
    const asked = await scene.question(id);
    expect([asked.votes, asked.may_answer?.map(({ name }) => name)]).toEqual([[], ["Ana", "Ben"]]);
    expect(refusal(await scene.owner.vote(id, true, asked.id)).message).toContain("You started this run");
    for (const person of [ben, ana]) expect((await person.vote(id, true, asked.id)).status).toBe(200);
    await taskIn(scene.api, id, "completed");
    expect(await votesOf(id)).toEqual(["Ben", "Ana"]);
    expect(await votesOf(source)).toEqual(["Ana", "Ben"]);
    const rows = await stepsOf(scene.service, id);
    expect(rows.filter(({ changed }) => changed === true).map(({ key }) => key)).toEqual(["answer:result:where"]);
    expect(rows.find(({ key }) => key === "answer:approval:look")?.taken_over).toBeUndefined();
  },
);

verifies(
  "approvals.forks",
  "a fork after the decision shows it as taken over, and votes stay with their run",
  async () => {
    const source = await decidedRun();
    const forked = await fork(source, { from_step: 2 });
    expect([forked.status, forked.text]).toEqual([201, forked.text]);
    const id = idIn(forked.body);
    await taskIn(scene.api, id, "completed");
    const rows = await stepsOf(scene.service, id);
    expect(rows.find(({ key }) => key === "answer:approval:look")).toMatchObject({ taken_over: true });
    expect([await votesOf(id), await votesOf(source)]).toEqual([[], ["Ana", "Ben"]]);
    expect(fieldsOf(await scene.desk.get(`/runs/${id}`))).toMatchObject({ forked_from: { id: source } });
  },
);
