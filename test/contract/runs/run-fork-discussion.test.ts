import { beforeAll, expect } from "vitest";
import { messagesOf } from "../../support/teams/crew.ts";
import { TOKENS, refuses, told, openForkScene } from "../../support/teams/forks.ts";
import type { ForkScene } from "../../support/teams/forks.ts";
import { verifies } from "../../support/verifies.ts";

let scene: ForkScene;

beforeAll(async () => {
  scene = await openForkScene();
});

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
    const [ada, ben] = [await scene.speaker("Red.", "Blue."), await scene.speaker("Green.", "Grey.")];
    const source = await scene.played("collaboration", { agent_ids: [ada.id, ben.id], max_turns: 3 });
    const run = await scene.begun(await scene.fork(source.id, 1, { prompt: "Be brief.", model: "gpt-4o-mini" }));
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
    expect((await scene.eventTypes(run.id)).filter((type) => type === "STEP_STARTED")).toHaveLength(2);
  },
);

verifies(
  ["runs.fork.collaboration", "runs.retry.from-failed-step"],
  "a facilitator's messages are reused; a failed discussion continues at the failed turn",
  async () => {
    const [ada, ben] = [await scene.speaker("Red."), await scene.speaker(refuses, "Green.")];
    const head = await scene.speaker("NEXT: B", "NEXT: B", "NEXT: B");
    const config = {
      agent_ids: [ada.id, ben.id],
      facilitator_agent_id: head.id,
      termination_condition: "facilitator_decision",
      max_turns: 3,
    };
    const source = await scene.played("collaboration", config, "failed");
    expect(source["current_step_idx"]).toBe(1);
    const run = await scene.begun(await scene.post(`/runs/${source.id}/retry`));
    expect([ada, ben, head].map((player) => player.calls().length)).toEqual([2, 2, 1]);
    expect(run).toMatchObject({ forked_from: { run_id: source.id, from_step: 1 } });
    const again = await scene.begun(await scene.fork(run.id, 2));
    expect((await messagesOf(scene.service, again.id)).map(({ content }) => content).slice(0, 2)).toEqual([
      "Red.",
      "Green.",
    ]);
    expect(head.calls()).toHaveLength(2);
  },
);

verifies("runs.fork.answer", "a person speaks in place of an agent, and may cause a consensus", async () => {
  const [ada, ben] = [await scene.speaker("Red."), await scene.speaker("Green.")];
  const config = {
    agent_ids: [ada.id, ben.id],
    max_turns: 4,
    termination_condition: "consensus",
    consensus_phrase: "Agreed",
  };
  const source = await scene.played("collaboration", config);
  const run = await scene.begun(await scene.fork(source.id, 1, { answer: "Agreed." }));
  expect([ada, ben].map((player) => player.calls().length)).toEqual([2, 2]);
  expect(run.output).toMatch(/^Agreed\.[^]*### 2\. A person\n\nAgreed\.$/);
  expect(await messagesOf(scene.service, run.id)).toMatchObject([
    { content: "Red." },
    { content: "Agreed.", sender_agent_id: null, metadata: { by: "person" }, step_idx: 1, tokens_used: 0 },
    { metadata: { reason: "consensus", turns: 2 } },
  ]);
});
