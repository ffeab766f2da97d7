import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { inTurns, saying, useScriptedService, toolResults } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { askRun, outline, stepOf, stepsOf } from "../../support/run-steps.ts";
import { setStatus } from "../../support/runs.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readTask, taskIn } from "../../support/work.ts";

const TOKENS = 18;

let scene: ScriptedWorkspace;

beforeAll(async () => {
  scene = await useScriptedService();
});

function post(id: string, action: "fork" | "retry", body: object = {}): Promise<Answer> {
  return consoleOf(scene.service, scene.service.keys.api).post(`/runs/${id}/${action}`, body);
}

/** The id of what an answer has started. */
function started(answer: Answer): string {
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return z.looseObject({ id: z.uuid() }).parse(answer.body).id;
}

/** An agent that reads the clock twice before it answers. */
function clockWatcher(): Promise<ScriptedAgent> {
  const look = (reply: { callTool(name: string, args: unknown, id: string): void }, call: { turn: number }) =>
    reply.callTool("current_time", {}, `look_${call.turn}`);
  return scene.player(inTurns(look, look), { name: "Watcher", tools: ["current_time"] });
}

verifies(
  ["run-page.fork.task", "run-page.fork.reuses"],
  "a fork of a task makes only the calls from its step on, with the changes",
  async () => {
    const player = await clockWatcher();
    const { id: source } = await createTask(scene.api, { title: "Watch", assigned_agent_id: player.id });
    await taskIn(scene.api, source, "completed");
    expect(player.calls()).toHaveLength(3);
    const changes = { prompt: "Hurry up.", model: "gpt-4o-mini" };
    const id = started(await post(source, "fork", { from_step: 2, changes }));
    const end = await taskIn(scene.api, id, "completed");
    expect(end).toMatchObject({ title: "Watch", assigned_agent_id: player.id, usage: { total_tokens: TOKENS } });
    const calls = player.calls();
    expect(calls).toHaveLength(4);
    expect(calls[3]?.body.model).toBe("gpt-4o-mini");
    expect(calls[3]?.body.messages).toEqual([
      ...(calls[2]?.body.messages ?? []),
      { role: "user", content: "Hurry up." },
    ]);
    const rows = await stepsOf(scene.service, id);
    expect(rows.map((row) => [row.key, row.taken_over ?? false, row.cost_usd === undefined])).toEqual([
      ["model:0", true, true],
      ["tool:look_0", true, true],
      ["model:1", true, true],
      ["tool:look_1", true, true],
      ["model:2", false, false],
    ]);
    expect(await stepOf(scene.service, id, "model:2")).toMatchObject({ request: { messages: { length: 7 } } });
    expect(await stepOf(scene.service, id, "model:1")).toMatchObject({ request: { messages: { length: 4 } } });
    expect(fieldsOf(await askRun(scene.service, id))).toMatchObject({ forked_from: { id: source, from_step: 2 } });
    expect(fieldsOf(await askRun(scene.service, source))).toMatchObject({
      forks: [{ id, kind: "task", from_step: 2 }],
    });

    const again = started(await post(id, "fork", { from_step: 2 }));
    await taskIn(scene.api, again, "completed");
    expect(player.calls()[4]?.body).toEqual(calls[3]?.body);
    await setStatus(scene.service, again, "dispatched");
    await taskIn(scene.api, again, "completed");
    expect(player.calls()).toHaveLength(6);
    expect(player.calls()[5]?.body).toEqual(calls[3]?.body);
  },
);

verifies("run-page.fork.answer", "a fork of a task continues with another answer to its question", async () => {
  const player = await scene.player(
    inTurns((reply) => reply.callTool("request_input", { title: "Which colour?" }, "ask")),
    { tools: ["request_input"] },
  );
  const { id: source } = await createTask(scene.api, { title: "Paint", assigned_agent_id: player.id });
  await taskIn(scene.api, source, "waiting_for_input");
  const { question } = fieldsOf(await askRun(scene.service, source));
  const { interactionId } = z.looseObject({ interactionId: z.string() }).parse(question);
  await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${source}/answer`, { interactionId, text: "red" });
  await taskIn(scene.api, source, "completed");
  const id = started(await post(source, "fork", { from_step: 0, changes: { answer: { text: "blue" } } }));
  await taskIn(scene.api, id, "completed");
  expect(player.calls()).toHaveLength(3);
  expect(toolResults(player.calls()[2])).toEqual([expect.stringContaining("blue")]);
});

verifies("run-page.retry.task", "a failed task is retried from the failed call", async () => {
  let isBroken = true;
  const player = await scene.player(
    (call, reply) => {
      if (call.turn === 0) reply.callTool("current_time", {}, "look");
      else if (isBroken) return reply.refuse(400, "Not now.");
      else reply.say("done");
      reply.finish();
    },
    { tools: ["current_time"] },
  );
  const { id: source } = await createTask(scene.api, { title: "Retry", assigned_agent_id: player.id });
  await taskIn(scene.api, source, "failed");
  isBroken = false;
  const id = started(await post(source, "retry"));
  await taskIn(scene.api, id, "completed");
  expect(player.calls().map(({ turn }) => turn)).toEqual([0, 1, 1]);
  expect(outline(await stepsOf(scene.service, id))).toEqual([
    "model gpt-4o completed",
    "tool current_time completed",
    "model gpt-4o completed",
  ]);
  expect(await readTask(scene.api, source)).toMatchObject({ status: "failed" });
});

verifies("run-page.fork.refused", "invalid forks are rejected with the reason", async () => {
  const player = await scene.player(saying("hello"));
  const { id } = await createTask(scene.api, { title: "Simple", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  expect(refusal(await post(id, "fork", { from_step: 2 }))).toMatchObject({
    status: 409,
    message: "The task is completed and has reached call 1; it cannot be forked from call 2.",
  });
  expect(refusal(await post(id, "fork", { from_step: -1 }))).toMatchObject({ status: 400, paths: ["from_step"] });
  const changes = { model: "no-such-model" };
  expect(refusal(await post(id, "fork", { from_step: 0, changes }))).toMatchObject({
    status: 400,
    paths: ["changes.model"],
  });
  expect(refusal(await post(id, "fork", { from_step: 0, changes: { answer: { text: "x" } } })).status).toBe(409);
  expect(refusal(await post(id, "retry"))).toMatchObject({
    status: 409,
    message: expect.stringContaining("completed"),
  });
  const idle = await createTask(scene.api, { title: "Nobody's" });
  expect(refusal(await post(idle.id, "fork", { from_step: 0 })).status).toBe(409);
});

/** An agent that says how many tasks it was given, this one included. */
async function counter(): Promise<ScriptedAgent> {
  let count = 0;
  return scene.player(inTurns((reply) => reply.say(`Number ${(count += 1)}`)));
}

verifies("run-page.fork.attempt", "an older attempt of a task is forked with its own steps", async () => {
  let looks = 0;
  const player = await scene.player(
    inTurns((reply) => reply.callTool("current_time", {}, `look_${(looks += 1)}`)),
    { tools: ["current_time"] },
  );
  const { id: source } = await createTask(scene.api, { title: "Twice", assigned_agent_id: player.id });
  await taskIn(scene.api, source, "completed");
  await setStatus(scene.service, source, "dispatched");
  await taskIn(scene.api, source, "completed");
  const [, first, , second] = player.calls();
  expect(first?.body.messages).not.toEqual(second?.body.messages);

  const older = started(await post(source, "fork", { from_step: 1, attempt: 1 }));
  await taskIn(scene.api, older, "completed");
  expect(player.calls()[4]?.body).toEqual(first?.body);
  const newest = started(await post(source, "fork", { from_step: 1 }));
  await taskIn(scene.api, newest, "completed");
  expect(player.calls()[5]?.body).toEqual(second?.body);
  for (const [id, attempt] of [[older, 1] as const, [newest, 2] as const]) {
    expect(fieldsOf(await askRun(scene.service, id))["forked_from"]).toEqual({ id: source, attempt, from_step: 1 });
  }
  expect(refusal(await post(source, "fork", { from_step: 1, attempt: 3 })).status).toBe(404);
  expect(refusal(await post(source, "fork", { from_step: 3, attempt: 1 })).message).toBe(
    "The task is completed and has reached call 2; it cannot be forked from call 3.",
  );
});

verifies("run-page.fork.attempt", "an older attempt of a team run is forked at the step where it ended", async () => {
  let isBroken = true;
  const two = await scene.player((_call, reply) => {
    if (isBroken) return reply.refuse(400, "Not now.");
    reply.say("Two");
    reply.finish();
  });
  const one = await counter();
  const team = await createTeam(scene.api, {
    mode: "pipeline",
    config: { steps: [{ agent_id: one.id }, { agent_id: two.id }] },
  });
  const run = await startRun(scene.api, team.id);
  await runIn(scene.api, run.id, "failed");
  isBroken = false;
  await consoleOf(scene.service, scene.service.keys.api).post("/runs/bulk", {
    action: "rerun",
    ids: [run.id],
    expect: 1,
  });
  await runIn(scene.api, run.id, "completed");
  const inputs = () => two.calls().map(({ body }) => JSON.stringify(body.messages));
  const older = started(await post(run.id, "fork", { from_step: 1, attempt: 1 }));
  await runIn(scene.api, older, "completed");
  const newest = started(await post(run.id, "fork", { from_step: 1 }));
  await runIn(scene.api, newest, "completed");
  expect(one.calls()).toHaveLength(2);
  expect(inputs().map((text) => /Number \d/.exec(text)?.[0])).toEqual(["Number 1", "Number 2", "Number 1", "Number 2"]);
  expect(refusal(await post(run.id, "fork", { from_step: 2, attempt: 1 })).status).toBe(400);
});

verifies("run-page.fork.team-task", "a task that a team does is forked as its team's run", async () => {
  const [one, two] = [await scene.player(saying("One")), await scene.player(saying("Two"))];
  const config = { steps: [{ agent_id: one.id }, { agent_id: two.id }] };
  const team = await createTeam(scene.api, { mode: "pipeline", config });
  const task = await createTask(scene.api, { title: "Together", assigned_team_id: team.id });
  await taskIn(scene.api, task.id, "completed");
  const id = started(await post(task.id, "fork", { from_step: 1 }));
  expect(await runIn(scene.api, id, "completed")).toMatchObject({ task_id: null, output: "Two" });
  expect([one.calls().length, two.calls().length]).toEqual([1, 2]);
  const rows = await stepsOf(scene.service, id);
  expect(outline(rows)).toEqual(["step Step 1 completed", "step Step 2 completed", "  model gpt-4o completed"]);
  expect(rows[0]).toMatchObject({ taken_over: true });
  expect(await stepOf(scene.service, id, "step:0")).toMatchObject({ label: "Step 1", result: "One" });
  const changes = { answer: "By hand" };
  const given = started(await post(task.id, "fork", { from_step: 1, changes }));
  await runIn(scene.api, given, "completed");
  expect(await stepOf(scene.service, given, "step:1")).toMatchObject({ changed: true, result: "By hand" });
});
