import { beforeAll, expect } from "vitest";
import { saying } from "../../support/providers/scripted-agents.ts";
import { runIn } from "../../support/teams.ts";
import { delegate, finish, openOrchestraScene } from "../../support/teams/orchestra.ts";
import type { OrchestraScene } from "../../support/teams/orchestra.ts";
import { verifies } from "../../support/verifies.ts";

let scene: OrchestraScene;

beforeAll(async () => {
  scene = await openOrchestraScene();
});

verifies(
  ["runs.orchestrator.own-prompt-kept", "runs.modes.voice-and-tools", "voice.every-mode"],
  "brain and workers keep their own prompt, voice, tools and limits; the brain knows its workers",
  async () => {
    const fields = (name: string) => ({
      name,
      system_prompt: `You are the ${name}.`,
      voice_profile: { tone: "Formal", custom_instructions: `Like a ${name}` },
      max_tokens: name.length,
      tools: ["current_time"],
    });
    const worker = await scene.player(saying("It rains."), fields("poet"));
    const moves = [delegate(worker, "Describe rain."), finish("Rain")];
    const { brain } = await scene.playToEnd({ moves, workers: [worker], brainFields: fields("editor") });
    for (const [player, name] of [
      [brain, "editor"],
      [worker, "poet"],
    ] as const) {
      const body = player.calls()[0]?.body;
      const system = body?.messages[0]?.content ?? "";
      expect(system).toContain(`You are the ${name}.`);
      expect(system).toMatch(new RegExp(`## Voice & Tone[^]*Like a ${name}`));
      expect(body).toMatchObject({ max_tokens: name.length });
      expect(JSON.stringify(body?.["tools"])).toContain("current_time");
    }
    expect(JSON.stringify(worker.calls()[0]?.body["tools"])).not.toContain("final_answer");
    const told = brain.calls()[0]?.body.messages.at(-1)?.content;
    for (const part of ["Write about rain.", worker.id, "poet", "You are the poet."]) expect(told).toContain(part);
  },
);

verifies(
  "runs.orchestrator.plain-answer",
  "a brain that answers in plain text ends the run with that answer",
  async () => {
    const worker = await scene.player(saying("unused"));
    const { run } = await scene.playToEnd({ moves: [(reply) => reply.say("Just so.")], workers: [worker] });
    expect(run).toMatchObject({ output: "Just so.", messages: [], delegations: [] });
  },
);

verifies("engine.text.storable", "a brain's final answer may contain characters that cannot be stored", async () => {
  const worker = await scene.player(saying("unused"));
  const { run } = await scene.playToEnd({ moves: [finish("a\0b \uD83D")], workers: [worker] });
  expect(run.output).toBe("a\uFFFDb \uFFFD");
});

verifies("runs.modes.output-template", "the output is rendered with the brain's output template", async () => {
  const worker = await scene.player(saying("unused"));
  const brainFields = {
    name: "Chief",
    output_template: { type: "Markdown", body: "# {{agent_name}}\n{{task_result}}" },
  };
  const { run } = await scene.playToEnd({ moves: [finish("Done.")], workers: [worker], brainFields });
  expect(run.output).toBe("# Chief\nDone.");
});

verifies(
  "runs.orchestrator.max-iterations",
  "a brain is warned before its last model call, and fails the run if it does not end",
  async () => {
    const worker = await scene.player(saying("More"));
    const moves = [1, 2, 3].map((number) => delegate(worker, `Work ${number}`));
    const { brain, run } = await scene.play({ moves, workers: [worker], config: { max_iterations: 2 } });
    expect((await runIn(scene.api, run.id, "failed")).error).toContain("more than 2 model calls");
    expect(brain.calls()).toHaveLength(2);
    expect(brain.calls()[1]?.body.messages.at(-1)?.content).toContain("last of 2 model calls");
  },
);
