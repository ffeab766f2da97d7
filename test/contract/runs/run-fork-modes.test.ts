import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { inTurns, saying, toolResults, startScriptedService } from "../../support/providers/scripted-agents.ts";
import type { Move, ScriptedAgent, ScriptedService } from "../../support/providers/scripted-agents.ts";
import { answerRun, messagesOf } from "../../support/teams/crew.ts";
import { stepOf, stepsOf } from "../../support/run-steps.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import type { RunFields } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const TOKENS = 18;

let scene: ScriptedService;

beforeAll(async () => {
  scene = await startScriptedService();
});
afterAll(() => scene.stop());

function post(path: string, body: unknown = {}): Promise<Answer> {
  return consoleOf(scene.service, scene.service.keys.api).post(path, body);
}

function fork(id: string, from: number, changes?: object): Promise<Answer> {
  return post(`/runs/${id}/fork`, { from_step: from, ...(changes && { changes }) });
}

/** Waits until the run in an answer is in a state. */
async function begun(answer: Answer, status = "completed"): Promise<RunFields> {
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return runIn(scene.api, z.looseObject({ id: z.uuid() }).parse(answer.body).id, status);
}

/** Starts a run of a new team and waits until it is in a state. */
async function played(mode: string, config: object, status = "completed"): Promise<RunFields> {
  const team = await createTeam(scene.api, { mode, config });
  const run = await startRun(scene.api, team.id, "Name a colour.");
  return runIn(scene.api, run.id, status);
}

/** The messages of a call, by roles. */
function told(player: ScriptedAgent, call: number): string {
  const messages = player.calls()[call]?.body.messages ?? [];
  return messages.map(({ role, content }) => `${role}: ${content ?? ""}`).join("\n");
}

async function eventTypes(id: string): Promise<string[]> {
  const query = "select event->>'type' as type from task_log where log_id = $1 order by seq";
  return (await sql<{ type: string }>(scene.service.databaseUrl, query, [id])).map(({ type }) => type);
}

const calls =
  (name: string, args: object): Move =>
  (reply) =>
    reply.callTool(name, args);
const says =
  (text: string): Move =>
  (reply) =>
    reply.say(text);
const refuses: Move = (reply) => reply.refuse(400, "not today");

/** A member who says `Red`, then `Blue`, and so on, in any conversation. */
async function speaker(...words: readonly (string | Move)[]): Promise<ScriptedAgent> {
  let call = 0;
  return scene.player(async (asked, reply) => {
    const next = words[call++] ?? "Enough.";
    await (typeof next === "string" ? says(next) : next)(reply, asked);
    reply.finish();
  });
}

verifies(
  [
    "runs.fork.collaboration",
    "runs.fork.own-usage",
    "runs.fork.aside",
    "runs.fork.stream",
    "runs.record.usage-by-turn",
  ],
  "a discussion continues from a turn with what was said before it",
  async () => {
    const [ada, ben] = [await speaker("Red.", "Blue."), await speaker("Green.", "Grey.")];
    const source = await played("collaboration", { agent_ids: [ada.id, ben.id], max_turns: 3 });
    const run = await begun(await fork(source.id, 1, { prompt: "Be brief.", model: "gpt-4o-mini" }));
    expect([ada.calls(), ben.calls()].map(({ length }) => length)).toEqual([3, 2]);
    expect(told(ben, 1)).toContain("Red.");
    expect(told(ben, 1)).toMatch(/user: It is your turn, .*turn 2 of at most 3\.\nuser: Be brief\.$/);
    expect(ben.calls()[1]?.body.model).toBe("gpt-4o-mini");
    expect(told(ada, 2)).toContain("Grey.");
    expect(run).toMatchObject({ forked_from: { run_id: source.id, from_step: 1 }, current_step_idx: 2 });
    expect(run.output).toMatch(/^Enough\.[^]*### 1\. [^]*Red\.[^]*### 2\. [^]*Grey\.[^]*### 3\. /);
    expect(run["usage"]).toMatchObject({ total_tokens: 2 * TOKENS });
    const price = { total_tokens: TOKENS, cost_usd: expect.closeTo(0.000006, 6) };
    expect(run["usage_by_turn"]).toMatchObject([
      { turn: "turn:1", agent_id: ben.id, model_calls: 1, ...price },
      { turn: "turn:2", agent_id: ada.id, prompt_tokens: 11, completion_tokens: 7 },
    ]);
    expect(await messagesOf(scene.service, run.id)).toMatchObject([
      { content: "Red.", sender_agent_id: ada.id, step_idx: 0, tokens_used: TOKENS },
      { content: "Grey.", sender_agent_id: ben.id, step_idx: 1 },
      { content: "Enough.", sender_agent_id: ada.id, step_idx: 2 },
      { message_type: "system", metadata: { reason: "max_turns", turns: 3 } },
    ]);
    expect((await eventTypes(run.id)).filter((type) => type === "STEP_STARTED")).toHaveLength(2);
  },
);

verifies(
  ["runs.fork.collaboration", "runs.retry.from-failed-step"],
  "a facilitator's messages are reused; a failed discussion continues at the failed turn",
  async () => {
    const [ada, ben] = [await speaker("Red."), await speaker(refuses, "Green.")];
    const head = await speaker("NEXT: B", "NEXT: B", "NEXT: B");
    const config = {
      agent_ids: [ada.id, ben.id],
      facilitator_agent_id: head.id,
      termination_condition: "facilitator_decision",
      max_turns: 3,
    };
    const source = await played("collaboration", config, "failed");
    expect(source["current_step_idx"]).toBe(1);
    const run = await begun(await post(`/runs/${source.id}/retry`));
    expect([ada, ben, head].map((player) => player.calls().length)).toEqual([2, 2, 1]);
    expect(run).toMatchObject({ forked_from: { run_id: source.id, from_step: 1 } });
    const again = await begun(await fork(run.id, 2));
    expect((await messagesOf(scene.service, again.id)).map(({ content }) => content).slice(0, 2)).toEqual([
      "Red.",
      "Green.",
    ]);
    expect(head.calls()).toHaveLength(2);
  },
);

verifies("runs.fork.answer", "a person speaks in place of an agent, and may cause a consensus", async () => {
  const [ada, ben] = [await speaker("Red."), await speaker("Green.")];
  const config = {
    agent_ids: [ada.id, ben.id],
    max_turns: 4,
    termination_condition: "consensus",
    consensus_phrase: "Agreed",
  };
  const source = await played("collaboration", config);
  const run = await begun(await fork(source.id, 1, { answer: "Agreed." }));
  expect([ada, ben].map((player) => player.calls().length)).toEqual([2, 2]);
  expect(run.output).toMatch(/^Agreed\.[^]*### 2\. A person\n\nAgreed\.$/);
  expect(await messagesOf(scene.service, run.id)).toMatchObject([
    { content: "Red." },
    { content: "Agreed.", sender_agent_id: null, metadata: { by: "person" }, step_idx: 1, tokens_used: 0 },
    { metadata: { reason: "consensus", turns: 2 } },
  ]);
});

verifies(
  ["runs.fork.orchestrator", "runs.fork.own-usage", "runs.fork.aside", "runs.fork.stream", "runs.fork.rerun"],
  "a brain continues from an iteration with all that it and its workers did before",
  async () => {
    const worker = await scene.player(saying("Red."));
    const brain = await scene.player(
      inTurns(
        (reply) => {
          reply.say("Let me see.");
          reply.callTool("delegate_to_worker", { agent_id: worker.id, instruction: "A colour." });
        },
        calls("accept_result", { delegation_id: "d1", score: 0.9 }),
        calls("final_answer", { output: "Red it is." }),
      ),
    );
    const config = { brain_agent_id: brain.id, worker_agent_ids: [worker.id] };
    const source = await played("orchestrator", config);
    expect(source).toMatchObject({ current_step_idx: 2 });
    const run = await begun(await fork(source.id, 1, { prompt: "Hurry.", model: "gpt-4o-mini" }));
    expect([brain, worker].map((player) => player.calls().length)).toEqual([5, 1]);
    expect(toolResults(brain.calls()[3])).toEqual(["delegation_id: d1\n\nRed."]);
    expect(told(brain, 3)).toMatch(/user: Hurry\.$/);
    expect(brain.calls().map(({ body }) => body.model)).toEqual([
      ...Array(3).fill("gpt-4o"),
      ...Array(2).fill("gpt-4o-mini"),
    ]);
    expect(run).toMatchObject({
      output: "Red it is.",
      usage: { total_tokens: 2 * TOKENS },
      delegations: [{ key: "d1", status: "accepted", result: "Red.", tokens_used: TOKENS }],
      usage_by_turn: [{ turn: "brain", model_calls: 2, total_tokens: 2 * TOKENS }],
    });
    expect(await messagesOf(scene.service, run.id)).toMatchObject([
      { message_type: "delegation", step_idx: 0, content: "A colour." },
      { message_type: "result", step_idx: 0, tokens_used: TOKENS },
      { message_type: "system", step_idx: 1 },
    ]);
    const types = await eventTypes(run.id);
    expect(types.filter((type) => type.startsWith("TEXT_MESSAGE"))).toEqual([]);
    const steps = "select event from task_log where log_id = $1 and event->>'type' = 'STEP_FINISHED' order by seq";
    expect(await sql(scene.service.databaseUrl, steps, [run.id])).toMatchObject([
      { event: { tokensUsed: 0, costUsd: 0 } },
      { event: { tokensUsed: 2 * TOKENS } },
    ]);
    await scene.api.patch(`/api-runs?id=${run.id}`, { status: "pending" });
    expect(await runIn(scene.api, run.id, "completed")).toMatchObject({
      attempt: 2,
      usage: { total_tokens: 2 * TOKENS },
    });
    const later = await begun(await fork(run.id, 2));
    expect(later["usage"]).toMatchObject({ total_tokens: TOKENS });
    expect(told(brain, 7)).toContain("Hurry.");
    expect(worker.calls()).toHaveLength(1);
  },
);

verifies(
  ["runs.fork.answer", "runs.fork.orchestrator", "runs.fork.own-usage", "runs.fork.rerun"],
  "a person's text replaces a brain's call, costs nothing, and ends the run",
  async () => {
    const worker = await scene.player(saying("Red."));
    const brain = await scene.player(
      inTurns(
        calls("delegate_to_worker", { agent_id: worker.id, instruction: "A colour." }),
        calls("final_answer", { output: "Red it is." }),
      ),
      { name: "Boss", output_template: { type: "Markdown", body: "# {{agent_name}}\n{{task_result}}" } },
    );
    const source = await played("orchestrator", { brain_agent_id: brain.id, worker_agent_ids: [worker.id] });
    const run = await begun(await fork(source.id, 1, { answer: "Blue, I say." }));
    expect([brain, worker].map((player) => player.calls().length)).toEqual([2, 1]);
    expect(run).toMatchObject({
      output: "# Boss\nBlue, I say.",
      usage: { total_tokens: 0, cost_usd: 0 },
      delegations: [{ key: "d1", result: "Red." }],
    });
    const shown = (await stepsOf(scene.service, run.id)).filter(({ kind }) => kind === "model");
    expect(shown).toMatchObject([
      { key: "brain/model:0", taken_over: true },
      { parent: expect.stringMatching(/^delegation:/), taken_over: true },
      { key: "brain/model:1", changed: true, status: "completed" },
    ]);
    const given = await stepOf(scene.service, run.id, "brain/model:1");
    expect(given).toMatchObject({ reply: { text: "Blue, I say." }, request: null, changed: true });
    expect(given.answered_by).not.toBe(null);
    await scene.api.patch(`/api-runs?id=${run.id}`, { status: "pending" });
    expect(await runIn(scene.api, run.id, "completed")).toMatchObject({ attempt: 2, output: "# Boss\nBlue, I say." });
    const first = await begun(await fork(source.id, 0, { answer: "Nothing to do." }));
    expect(first).toMatchObject({ output: "# Boss\nNothing to do.", delegations: [] });
    expect(await stepsOf(scene.service, first.id)).toMatchObject([
      { key: "brain", label: "brain: Boss", agent_id: brain.id, status: "completed" },
      { key: "brain/model:0", parent: "brain", status: "completed", changed: true },
    ]);
    const later = await begun(await fork(run.id, 1));
    expect(later).toMatchObject({ output: "# Boss\nRed it is.", usage: { total_tokens: TOKENS } });
    expect([brain, worker].map((player) => player.calls().length)).toEqual([3, 1]);
  },
);

verifies("runs.retry.from-failed-step", "a brain whose call failed tries it again", async () => {
  const worker = await scene.player(saying("Red."));
  let failed = false;
  const brain = await scene.player(
    inTurns(calls("delegate_to_worker", { agent_id: worker.id, instruction: "A colour." }), (reply, call) => {
      if (failed) return reply.say("Red it is.");
      failed = true;
      return refuses(reply, call);
    }),
  );
  const source = await played("orchestrator", { brain_agent_id: brain.id, worker_agent_ids: [worker.id] }, "failed");
  const run = await begun(await post(`/runs/${source.id}/retry`));
  expect(run).toMatchObject({ output: "Red it is.", forked_from: { run_id: source.id, from_step: 1 } });
  expect([brain, worker].map((player) => player.calls().length)).toEqual([3, 1]);
});

/** Asks a person with a tool, and says what the answer was. */
function asking(): Promise<ScriptedAgent> {
  return scene.player(
    inTurns(calls("request_input", { title: "Which colour?" }), (reply, call) => reply.say(toolResults(call).join())),
    { tools: ["request_input"] },
  );
}

verifies(
  "runs.fork.changed-answer",
  "another answer of a person continues from the question, in every mode",
  async () => {
    const [brain, worker, other] = [await asking(), await asking(), await scene.player(saying("Nothing."))];
    const boss = await scene.player(
      inTurns(calls("delegate_to_worker", { agent_id: worker.id, instruction: "Ask." }), (reply, call) =>
        reply.say(toolResults(call).join()),
      ),
    );
    const teams = [
      { mode: "pipeline", config: { steps: [{ agent_id: other.id }, { agent_id: brain.id }] }, step: 1, by: brain },
      { mode: "collaboration", config: { agent_ids: [other.id, brain.id], max_turns: 2 }, step: 1, by: brain },
      { mode: "orchestrator", config: { brain_agent_id: brain.id, worker_agent_ids: [other.id] }, step: 0, by: brain },
      { mode: "orchestrator", config: { brain_agent_id: boss.id, worker_agent_ids: [worker.id] }, step: 0, by: worker },
    ];
    for (const { mode, config, step, by } of teams) {
      const source = await played(mode, config, "waiting_for_input");
      await answerRun(scene.service, source.id, { text: "Red" });
      await runIn(scene.api, source.id, "completed");
      const [asked, others] = [by.calls().length, other.calls().length];
      const run = await begun(await fork(source.id, step, { answer: { text: "Blue" } }));
      expect([mode, run.output]).toEqual([mode, expect.stringContaining('{"text":"Blue"}')]);
      expect([by.calls().length, other.calls().length]).toEqual([asked + 1, others]);
      const types = await eventTypes(run.id);
      expect(types.filter((type) => type === "TEXT_MESSAGE_START").length).toBe(
        types.filter((type) => type === "TEXT_MESSAGE_END").length,
      );
      expect(types.filter((type) => type === "INTERACTION_REQUEST")).toEqual([]);
    }
  },
);

verifies(
  "runs.fork.changed-answer",
  "one of several answers, and the approval between a pipeline's steps",
  async () => {
    const twice = await scene.player(
      inTurns(
        calls("request_input", { title: "Which colour?" }),
        calls("request_choice", {
          title: "Size?",
          choices: [
            { id: "s", label: "S" },
            { id: "l", label: "L" },
          ],
        }),
        (reply, call) => reply.say(toolResults(call).join()),
      ),
      { tools: ["request_input", "request_choice"] },
    );
    const steps = [{ agent_id: (await scene.player(saying("Begin."))).id }, { agent_id: twice.id }];
    const source = await played("pipeline", { steps, auto_handoff: false }, "waiting_for_input");
    await answerRun(scene.service, source.id, { approved: false });
    await runIn(scene.api, source.id, "failed");
    const run = await begun(await fork(source.id, 1, { answer: { approved: true } }), "waiting_for_input");
    await answerRun(scene.service, run.id, { text: "Red" });
    await runIn(scene.api, run.id, "waiting_for_input");
    await answerRun(scene.service, run.id, { selectedOptionId: "s" });
    await runIn(scene.api, run.id, "completed");
    const large = await begun(await fork(run.id, 1, { answer: { selectedOptionId: "l" } }));
    expect(large.output).toBe('{"text":"Red"},{"selectedOptionId":"l"}');
    const blue = await begun(await fork(run.id, 1, { answer: { text: "Blue" }, question: 1 }), "waiting_for_input");
    await answerRun(scene.service, blue.id, { selectedOptionId: "s" });
    expect(await runIn(scene.api, blue.id, "completed")).toMatchObject({
      output: '{"text":"Blue"},{"selectedOptionId":"s"}',
    });
    const refusals = [
      { asked: await fork(run.id, 1, { answer: { selectedOptionId: "xl" } }), status: 400, says: "selectedOptionId" },
      { asked: await fork(run.id, 1, { answer: { approved: true } }), status: 400, says: "does not match" },
      {
        asked: await fork(run.id, 1, { answer: { text: "x" }, question: 7 }),
        status: 409,
        says: "3 answered questions",
      },
      { asked: await fork(run.id, 0, { answer: { text: "x" } }), status: 409, says: "0 answered questions" },
      { asked: await fork(run.id, 1, { question: 1 }), status: 400, says: "changes.question" },
      { asked: await fork(run.id, 1, { answer: { text: "x" }, prompt: "y" }), status: 400, says: "changes.answer" },
    ];
    for (const { asked, status, says: text } of refusals) {
      expect([asked.status, asked.text]).toEqual([status, expect.stringContaining(text)]);
    }
  },
);

verifies(
  ["runs.fork.changed-answer", "runs.retry.from-failed-step", "budgets.ask"],
  "approval to exceed a budget, or its rejection, applies to its run alone: a fork asks again",
  async () => {
    const [brain, worker] = [await scene.player(saying("Red.")), await scene.player(saying("unused"))];
    const config = { brain_agent_id: brain.id, worker_agent_ids: [worker.id] };
    const team = await createTeam(scene.api, { mode: "orchestrator", config });
    await post("/budgets", { scope: "team", target_id: team.id, period: "run", max_tokens: 1, on_breach: "ask" });
    const source = await startRun(scene.api, team.id);
    await runIn(scene.api, source.id, "waiting_for_input");
    await answerRun(scene.service, source.id, { approved: false });
    await runIn(scene.api, source.id, "failed");
    expect((await fork(source.id, 0, { answer: { approved: true } })).text).toContain("0 answered questions");
    const again = await begun(await post(`/runs/${source.id}/retry`), "waiting_for_input");
    await answerRun(scene.service, again.id, { approved: true });
    await runIn(scene.api, again.id, "completed");
    await begun(await fork(again.id, 0), "waiting_for_input");
    expect(brain.calls()).toHaveLength(1);
  },
);

verifies(
  ["runs.retry.from-failed-step", "budgets.run-cap"],
  "a fork is capped as its run, or the task of it, is",
  async () => {
    const ada = await scene.player(saying("Red."));
    const team = await createTeam(scene.api, { config: { steps: [{ agent_id: ada.id }] } });
    const budget = { max_tokens: 1 };
    const run = await scene.api.post("/api-runs", { team_id: team.id, input_task: "Work", budget });
    const { id: taskId } = await createTask(scene.api, { assigned_team_id: team.id, budget });
    const { team_run_id: ofTask } = z
      .looseObject({ team_run_id: z.uuid() })
      .parse(await taskIn(scene.api, taskId, "failed"));
    for (const id of [(await begun(run, "failed")).id, ofTask]) {
      const again = await begun(await post(`/runs/${id}/retry`), "failed");
      expect(again.error).toContain("The run's budget of 1 token can't cover the next model call");
    }
    expect(ada.calls()).toEqual([]);
  },
);

verifies("runs.fork.refusals", "unknown and unrecorded steps of other modes are rejected", async () => {
  const [ada, ben] = [await speaker(), await speaker()];
  const talk = await played("collaboration", { agent_ids: [ada.id, ben.id], max_turns: 2 });
  const worker = await scene.player(saying("Red."));
  const boss = await scene.player(
    inTurns(calls("delegate_to_worker", { agent_id: worker.id, instruction: "A colour." })),
  );
  const config = { brain_agent_id: boss.id, worker_agent_ids: [worker.id], max_iterations: 5 };
  const brain = await played("orchestrator", config);
  await scene.api.patch(`/api-teams?id=${brain.team_id}`, { config: { ...config, worker_agent_ids: [ada.id] } });
  const piped = await played("pipeline", { steps: [{ agent_id: ada.id }, { agent_id: ben.id }] });
  const talking = { mode: "collaboration", config: { agent_ids: [ada.id, ben.id] } };
  await scene.api.patch(`/api-teams?id=${piped.team_id}`, talking);
  const worked = await fork(brain.id, 1);
  await sql(scene.service.databaseUrl, "delete from run_steps where run_id = $1", [brain.id]);
  const refusals = [
    { asked: await fork(talk.id, 2), status: 400, says: "no such turn; allowed: 0 to 1" },
    { asked: await fork(brain.id, 5), status: 400, says: "no such iteration; allowed: 0 to 4" },
    { asked: await fork(brain.id, 2), status: 409, says: "has reached iteration 1" },
    { asked: await fork(piped.id, 1), status: 409, says: "had another mode then" },
    { asked: worked, status: 409, says: "no longer in the team" },
    { asked: await fork(brain.id, 1), status: 409, says: "no longer stored" },
  ];
  for (const { asked, status, says: text } of refusals) {
    expect([asked.status, asked.text]).toEqual([status, expect.stringContaining(text)]);
  }
});
