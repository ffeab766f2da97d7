import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { inTurns, toolResults, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { askRun, stepOf, stepsOf } from "../../support/run-steps.ts";
import { setStatus } from "../../support/runs.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

const TEA_OR_COFFEE = [
  { id: "tea", label: "Tea" },
  { id: "coffee", label: "Coffee" },
];
const PAGES = [
  { stepId: "drink", type: "choice", title: "Drink?", choices: TEA_OR_COFFEE },
  {
    stepId: "milk",
    type: "approval",
    title: "With milk?",
    condition: { dependsOnStep: "drink", field: "selectedOptionId", operator: "equals", value: "coffee" },
  },
];

/** Each kind of question, the first answer, and the other one. */
const KINDS = [
  { tool: "request_approval", input: {}, first: { approved: false }, other: { approved: true } },
  {
    tool: "request_confirmation",
    input: { data: { amount: 10 } },
    first: { approved: true },
    other: { approved: true, data: { amount: 12 } },
  },
  {
    tool: "request_choice",
    input: { choices: TEA_OR_COFFEE },
    first: { selectedOptionId: "tea" },
    other: { selectedOptionId: "coffee" },
  },
  { tool: "request_input", input: {}, first: { text: "red" }, other: { text: "blue" } },
  {
    tool: "request_form",
    input: { fields: [{ key: "seats", label: "Seats", type: "number" }] },
    first: { values: { seats: 2 } },
    other: { values: { seats: 3 } },
  },
  {
    tool: "request_wizard",
    input: { steps: PAGES },
    first: { selectedOptionId: "tea", wizardStepId: "drink" },
    other: { answers: { drink: { selectedOptionId: "coffee" }, milk: { approved: true } } },
  },
] as const;

let scene: ScriptedWorkspace;

beforeAll(async () => {
  scene = await useScriptedService();
});

function fork(id: string, from: number, changes: object): Promise<Answer> {
  return consoleOf(scene.service, scene.service.keys.api).post(`/runs/${id}/fork`, { from_step: from, changes });
}

/** The id of what an answer has started. */
function started(answer: Answer): string {
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return z.looseObject({ id: z.uuid() }).parse(answer.body).id;
}

async function answerQuestion(id: string, body: object): Promise<void> {
  const { question } = fieldsOf(await askRun(scene.service, id));
  const { interactionId } = z.looseObject({ interactionId: z.string() }).parse(question);
  const answer = await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${id}/answer`, {
    interactionId,
    ...body,
  });
  expect(answer.status, answer.text).toBeLessThan(300);
}

/** An agent that reads the clock, asks with a tool, and ends with the answer. */
function asker({ tool, input }: Pick<(typeof KINDS)[number], "tool" | "input">) {
  return scene.player(
    inTurns(
      (reply) => reply.callTool("current_time", {}, "look"),
      (reply) => reply.callTool(tool, { title: "What now?", ...input }, "ask"),
      (reply, call) => reply.say(`Heard ${toolResults(call).at(-1)}`),
    ),
    { tools: [tool, "current_time"] },
  );
}

verifies(
  ["run-page.fork.answer", "run-page.fork.answer.by", "run-page.fork.reuses"],
  "every kind of question takes another answer: earlier steps cost nothing, and only the rest is done",
  async () => {
    for (const kind of KINDS) {
      const player = await asker(kind);
      const { id: source } = await createTask(scene.api, { title: kind.tool, assigned_agent_id: player.id });
      await taskIn(scene.api, source, "waiting_for_input");
      await answerQuestion(source, kind.first);
      await taskIn(scene.api, source, "completed");
      const { question } = await stepOf(scene.service, source, "answer:result:ask");

      const id = started(await fork(source, 1, { answer: kind.other, question: "answer:result:ask" }));
      await taskIn(scene.api, id, "completed");
      expect(player.calls(), kind.tool).toHaveLength(4);
      const rows = await stepsOf(scene.service, id);
      expect(rows.map((row) => [row.key, row.taken_over, row.changed, row.cost_usd === undefined])).toEqual([
        ["model:0", true, undefined, true],
        ["tool:look", true, undefined, true],
        ["model:1", true, undefined, true],
        ["tool:ask", true, undefined, true],
        ["answer:result:ask", undefined, true, true],
        ["model:2", undefined, undefined, false],
      ]);
      const changed = await stepOf(scene.service, id, "answer:result:ask");
      expect(changed).toMatchObject({ label: "What now?", question, answered_via: "console" });
      expect(changed.answered_by).not.toBe(null);
      expect(JSON.stringify(changed.answer)).toContain(JSON.stringify(Object.values(kind.other)[0]));
      expect(toolResults(player.calls().at(-1)).at(-1)).toBe(JSON.stringify(changed.answer));
    }
  },
  { tags: "slow" },
);

verifies(
  ["run-page.fork.answer.by", "runs.fork.changed-answer"],
  "a changed answer stays in later attempts, and is an ordinary one in a fork of the fork",
  async () => {
    const player = await asker(KINDS[3]);
    const { id: source } = await createTask(scene.api, { title: "Paint", assigned_agent_id: player.id });
    await taskIn(scene.api, source, "waiting_for_input");
    await answerQuestion(source, { text: "red" });
    await taskIn(scene.api, source, "completed");
    const id = started(await fork(source, 1, { answer: { text: "blue" } }));
    await taskIn(scene.api, id, "completed");
    await setStatus(scene.service, id, "dispatched");
    await taskIn(scene.api, id, "completed");
    expect(await stepOf(scene.service, id, "answer:result:ask")).toMatchObject({
      changed: true,
      answer: { text: "blue" },
    });
    const second = started(await fork(id, 2, { prompt: "Louder." }));
    await taskIn(scene.api, second, "completed");
    const inherited = await stepOf(scene.service, second, "answer:result:ask");
    expect(inherited).toMatchObject({ taken_over: true, answer: { text: "blue" } });
    expect(inherited.changed).toBe(undefined);

    const team = await createTeam(scene.api, { mode: "pipeline", config: { steps: [{ agent_id: player.id }] } });
    const run = await startRun(scene.api, team.id);
    await runIn(scene.api, run.id, "waiting_for_input");
    await answerQuestion(run.id, { text: "red" });
    await runIn(scene.api, run.id, "completed");
    const key = "step:0:attempt:0/answer:result:ask";
    const forked = started(await fork(run.id, 0, { answer: { text: "green" }, question: key }));
    expect(await runIn(scene.api, forked, "completed")).toMatchObject({ output: 'Heard {"text":"green"}' });
    expect(await stepOf(scene.service, forked, key)).toMatchObject({
      label: "What now?",
      changed: true,
      answered_via: "console",
      question: { kind: "prompt" },
    });
    expect(refusal(await fork(run.id, 0, { answer: { text: "x" }, question: "answer:result:none" })).status).toBe(409);
  },
);

verifies("run-page.fork.output", "a text replaces a model call of a task, which ends with it", async () => {
  const player = await asker(KINDS[3]);
  const { id: source } = await createTask(scene.api, { title: "Paint", assigned_agent_id: player.id });
  await taskIn(scene.api, source, "waiting_for_input");
  const id = started(await fork(source, 1, { answer: "Done by hand." }));
  expect(await taskIn(scene.api, id, "completed")).toMatchObject({
    result: "Done by hand.",
    usage: { total_tokens: 0 },
  });
  expect(player.calls()).toHaveLength(2);
  expect(
    (await stepsOf(scene.service, id)).map(({ key, taken_over: taken, changed }) => [key, taken, changed]),
  ).toEqual([
    ["model:0", true, undefined],
    ["tool:look", true, undefined],
    ["model:1", undefined, true],
  ]);
  const given = await stepOf(scene.service, id, "model:1");
  expect(given).toMatchObject({ reply: { text: "Done by hand." }, request: null });
  expect(given.answered_by).not.toBe(null);
  await setStatus(scene.service, id, "dispatched");
  expect(await taskIn(scene.api, id, "completed")).toMatchObject({ result: "Done by hand.", attempt: 2 });
  expect(player.calls()).toHaveLength(2);
  expect(refusal(await fork(id, 2, { answer: "Again." }))).toMatchObject({
    status: 409,
    message: "The task ended with call 1; there is no call 2 to replace.",
  });
});
