import { beforeAll, expect } from "vitest";
import { inTurns, saying, toolResults } from "../../support/providers/scripted-agents.ts";
import { messagesOf } from "../../support/teams/crew.ts";
import { stepOf, stepsOf } from "../../support/run-steps.ts";
import { runIn } from "../../support/teams.ts";
import { TOKENS, calls, refuses, told, openForkScene } from "../../support/teams/forks.ts";
import type { ForkScene } from "../../support/teams/forks.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let scene: ForkScene;

beforeAll(async () => {
  scene = await openForkScene();
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
    const source = await scene.played("orchestrator", config);
    expect(source).toMatchObject({ current_step_idx: 2 });
    const run = await scene.begun(await scene.fork(source.id, 1, { prompt: "Hurry.", model: "gpt-4o-mini" }));
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
    const types = await scene.eventTypes(run.id);
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
    const later = await scene.begun(await scene.fork(run.id, 2));
    expect(later["usage"]).toMatchObject({ total_tokens: TOKENS });
    expect(told(brain, 7)).toContain("Hurry.");
    expect(worker.calls()).toHaveLength(1);
  },
  { tags: "slow" },
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
    const source = await scene.played("orchestrator", { brain_agent_id: brain.id, worker_agent_ids: [worker.id] });
    const run = await scene.begun(await scene.fork(source.id, 1, { answer: "Blue, I say." }));
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
    const first = await scene.begun(await scene.fork(source.id, 0, { answer: "Nothing to do." }));
    expect(first).toMatchObject({ output: "# Boss\nNothing to do.", delegations: [] });
    expect(await stepsOf(scene.service, first.id)).toMatchObject([
      { key: "brain", label: "brain: Boss", agent_id: brain.id, status: "completed" },
      { key: "brain/model:0", parent: "brain", status: "completed", changed: true },
    ]);
    const later = await scene.begun(await scene.fork(run.id, 1));
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
  const source = await scene.played(
    "orchestrator",
    { brain_agent_id: brain.id, worker_agent_ids: [worker.id] },
    "failed",
  );
  const run = await scene.begun(await scene.post(`/runs/${source.id}/retry`));
  expect(run).toMatchObject({ output: "Red it is.", forked_from: { run_id: source.id, from_step: 1 } });
  expect([brain, worker].map((player) => player.calls().length)).toEqual([3, 1]);
});

verifies("runs.fork.refusals", "unknown and unrecorded steps of other modes are rejected", async () => {
  const [ada, ben] = [await scene.speaker(), await scene.speaker()];
  const talk = await scene.played("collaboration", { agent_ids: [ada.id, ben.id], max_turns: 2 });
  const worker = await scene.player(saying("Red."));
  const boss = await scene.player(
    inTurns(calls("delegate_to_worker", { agent_id: worker.id, instruction: "A colour." })),
  );
  const config = { brain_agent_id: boss.id, worker_agent_ids: [worker.id], max_iterations: 5 };
  const brain = await scene.played("orchestrator", config);
  await scene.api.patch(`/api-teams?id=${brain.team_id}`, { config: { ...config, worker_agent_ids: [ada.id] } });
  const piped = await scene.played("pipeline", { steps: [{ agent_id: ada.id }, { agent_id: ben.id }] });
  const talking = { mode: "collaboration", config: { agent_ids: [ada.id, ben.id] } };
  await scene.api.patch(`/api-teams?id=${piped.team_id}`, talking);
  const worked = await scene.fork(brain.id, 1);
  await sql(scene.service.databaseUrl, "delete from run_steps where run_id = $1", [brain.id]);
  const refusals = [
    { asked: await scene.fork(talk.id, 2), status: 400, says: "no such turn; allowed: 0 to 1" },
    { asked: await scene.fork(brain.id, 5), status: 400, says: "no such iteration; allowed: 0 to 4" },
    { asked: await scene.fork(brain.id, 2), status: 409, says: "has reached iteration 1" },
    { asked: await scene.fork(piped.id, 1), status: 409, says: "had another mode then" },
    { asked: worked, status: 409, says: "no longer in the team" },
    { asked: await scene.fork(brain.id, 1), status: 409, says: "no longer stored" },
  ];
  for (const { asked, status, says: text } of refusals) {
    expect([asked.status, asked.text]).toEqual([status, expect.stringContaining(text)]);
  }
});
