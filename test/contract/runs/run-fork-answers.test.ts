import { beforeAll, expect } from "vitest";
import { inTurns, saying, toolResults } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent } from "../../support/providers/scripted-agents.ts";
import { answerRun } from "../../support/teams/crew.ts";
import { runIn } from "../../support/teams.ts";
import { calls, openForkScene } from "../../support/teams/forks.ts";
import type { ForkScene } from "../../support/teams/forks.ts";
import { verifies } from "../../support/verifies.ts";

let scene: ForkScene;

beforeAll(async () => {
  scene = await openForkScene();
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
      const source = await scene.played(mode, config, "waiting_for_input");
      await answerRun(scene.service, source.id, { text: "Red" });
      await runIn(scene.api, source.id, "completed");
      const [asked, others] = [by.calls().length, other.calls().length];
      const run = await scene.begun(await scene.fork(source.id, step, { answer: { text: "Blue" } }));
      expect([mode, run.output]).toEqual([mode, expect.stringContaining('{"text":"Blue"}')]);
      expect([by.calls().length, other.calls().length]).toEqual([asked + 1, others]);
      const types = await scene.eventTypes(run.id);
      expect(types.filter((type) => type === "TEXT_MESSAGE_START").length).toBe(
        types.filter((type) => type === "TEXT_MESSAGE_END").length,
      );
      expect(types.filter((type) => type === "INTERACTION_REQUEST")).toEqual([]);
    }
  },
  { tags: "slow" },
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
    const source = await scene.played("pipeline", { steps, auto_handoff: false }, "waiting_for_input");
    await answerRun(scene.service, source.id, { approved: false });
    await runIn(scene.api, source.id, "failed");
    const run = await scene.begun(await scene.fork(source.id, 1, { answer: { approved: true } }), "waiting_for_input");
    await answerRun(scene.service, run.id, { text: "Red" });
    await runIn(scene.api, run.id, "waiting_for_input");
    await answerRun(scene.service, run.id, { selectedOptionId: "s" });
    await runIn(scene.api, run.id, "completed");
    const large = await scene.begun(await scene.fork(run.id, 1, { answer: { selectedOptionId: "l" } }));
    expect(large.output).toBe('{"text":"Red"},{"selectedOptionId":"l"}');
    const blue = await scene.begun(
      await scene.fork(run.id, 1, { answer: { text: "Blue" }, question: 1 }),
      "waiting_for_input",
    );
    await answerRun(scene.service, blue.id, { selectedOptionId: "s" });
    expect(await runIn(scene.api, blue.id, "completed")).toMatchObject({
      output: '{"text":"Blue"},{"selectedOptionId":"s"}',
    });
    const refusals = [
      {
        asked: await scene.fork(run.id, 1, { answer: { selectedOptionId: "xl" } }),
        status: 400,
        says: "selectedOptionId",
      },
      { asked: await scene.fork(run.id, 1, { answer: { approved: true } }), status: 400, says: "does not match" },
      {
        asked: await scene.fork(run.id, 1, { answer: { text: "x" }, question: 7 }),
        status: 409,
        says: "3 answered questions",
      },
      { asked: await scene.fork(run.id, 0, { answer: { text: "x" } }), status: 409, says: "0 answered questions" },
      { asked: await scene.fork(run.id, 1, { question: 1 }), status: 400, says: "changes.question" },
      {
        asked: await scene.fork(run.id, 1, { answer: { text: "x" }, prompt: "y" }),
        status: 400,
        says: "changes.answer",
      },
    ];
    for (const { asked, status, says: text } of refusals) {
      expect([asked.status, asked.text]).toEqual([status, expect.stringContaining(text)]);
    }
  },
);
