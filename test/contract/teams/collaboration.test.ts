import { beforeAll, expect } from "vitest";
import { endOf, openDiscussionScene } from "../../support/teams/discussion-scene.ts";
import type { DiscussionScene, Words } from "../../support/teams/discussion-scene.ts";
import { createDiscussion, messagesOf } from "../../support/teams/discussions.ts";
import { readRun, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";

const NAMES = ["Ada", "Bob", "Cyd"] as const;
const AGREED = "I agree with the consensus";

let scene: DiscussionScene;

beforeAll(async () => {
  scene = await openDiscussionScene();
});

verifies(
  ["runs.collaboration.round-robin", "runs.collaboration.max-turns", "runs.modes.messages"],
  "with round_robin the agents speak in turn until max_turns, each knowing what was said",
  async () => {
    const team = await createDiscussion(scene.service, scene.api, { names: NAMES, config: { max_turns: 5 } });
    const run = await scene.discuss(team, (who, nth) => `${who} says ${nth}`);
    expect(scene.callers()).toEqual(["Ada", "Bob", "Cyd", "Ada", "Bob"]);

    const [system, opening, ...said] = scene.sentTo(3);
    expect(system).toEqual(["system", "I am Ada."]);
    expect(opening?.[0]).toBe("user");
    for (const told of ["You are Ada", "Find a name.", "- Bob: I am Bob.", "- Cyd: I am Cyd.", "## Rules"]) {
      expect(opening?.[1]).toContain(told);
    }
    expect(opening?.[1]).not.toContain(AGREED);
    expect(said).toEqual([
      ["assistant", "Ada says 0"],
      ["user", "Bob: Bob says 0"],
      ["user", "Cyd: Cyd says 0"],
      ["user", "It is your turn, Ada. This is turn 4 of at most 5."],
    ]);

    const messages = await messagesOf(scene.api, run.id);
    expect(messages).toMatchObject([
      ...["Ada says 0", "Bob says 0", "Cyd says 0", "Ada says 1", "Bob says 1"].map((content, turn) => ({
        message_type: "discussion",
        sender_agent_id: team.ids[content.slice(0, 3)],
        content,
        step_idx: turn,
        tokens_used: 18,
        metadata: { chosen_by: "round_robin" },
      })),
      { message_type: "system", sender_agent_id: null, metadata: { reason: "max_turns", turns: 5 } },
    ]);
    expect(messages.at(-1)?.content).toBe("The discussion ended after 5 turns: all turns were taken.");
    expect(run).toMatchObject({ current_step_idx: 4 });
  },
);

verifies(
  ["runs.collaboration.output", "runs.modes.output-template"],
  "the output is the last contribution and the thread, rendered with the last speaker's template",
  async () => {
    const output = "Bob.\n\n---\n\n## Discussion\n\n### 1. Ada\n\nAda.\n\n### 2. Bob\n\nBob.";
    const config = { max_turns: 2 };
    const plain = await createDiscussion(scene.service, scene.api, { names: ["Ada", "Bob"], config });
    expect((await scene.discuss(plain, (who) => `${who}.`)).output).toBe(output);
    const template = "<{{agent_name}} on {{task_title}}, {{tokens_used}} tokens>\n{{task_result}}";
    const fields = { output_template: { type: "Custom", body: template } };
    const dressed = await createDiscussion(scene.service, scene.api, { names: ["Ada", "Bob"], config, fields });
    const run = await scene.discuss(dressed, (who) => `${who}.`);
    expect(run.output).toBe(`<Bob on Find a name., 36 tokens>\n${output}`);
  },
);

verifies(
  "runs.collaboration.consensus",
  "a discussion ends when half of the last N contributions hold the phrase, and not before N",
  async () => {
    const config = { termination_condition: "consensus", max_turns: 9 };
    const four = await createDiscussion(scene.service, scene.api, { names: [...NAMES, "Dan"], config });
    const agreeing = ["no", `Yes, ${AGREED.toUpperCase()}.`, "no", "no", "no", `${AGREED}!`, AGREED, "never asked"];
    const run = await scene.discuss(four, () => agreeing[scene.calls().length - 1] ?? "");
    expect(scene.calls()).toHaveLength(7);
    expect(scene.sentTo(0)[1]?.[1]).toContain(AGREED);
    expect(await endOf(scene.api, run)).toEqual({ reason: "consensus", turns: 7 });

    const atOnce = await scene.discuss(four, () => AGREED);
    expect(await endOf(scene.api, atOnce)).toEqual({ reason: "consensus", turns: 4 });

    const own = { ...config, consensus_phrase: "so be it", max_turns: 3 };
    const odd = await createDiscussion(scene.service, scene.api, { names: NAMES, config: own });
    const missed = await scene.discuss(odd, (who) => (who === "Bob" ? "So be it" : AGREED));
    expect(await endOf(scene.api, missed)).toEqual({ reason: "max_turns", turns: 3 });
    const met = await scene.discuss(odd, (who) => (who === "Ada" ? AGREED : "So be it"));
    expect(await endOf(scene.api, met)).toEqual({ reason: "consensus", turns: 3 });
  },
);

verifies(
  ["runs.collaboration.own-settings"],
  "a speaker has its own voice, tools, max_tokens and fallback model",
  async () => {
    const fields = {
      voice_profile: { tone: "Formal", custom_instructions: "", output_format_hints: "" },
      tools: ["current_time"],
      max_tokens: 77,
      fallback_model: "gpt-4-turbo",
    };
    const team = await createDiscussion(scene.service, scene.api, {
      names: ["Ada", "Bob"],
      config: { max_turns: 2 },
      fields,
    });
    const run = await scene.discuss(team, (who, nth, reply) => {
      if (who === "Bob") return "Bob is done.";
      if (nth === 0) reply.refuse(400, "not this model");
      if (nth === 1) reply.callTool("current_time", {});
      if (nth === 1) reply.finish();
      return nth === 2 ? "It is late." : "";
    });
    expect(scene.calls().map(({ who, body }) => [who, body.model])).toEqual([
      ["Ada", "gpt-4o"],
      ["Ada", "gpt-4-turbo"],
      ["Ada", "gpt-4o"],
      ["Bob", "gpt-4o"],
    ]);
    for (const { body } of scene.calls()) {
      expect(body.messages[0]?.content).toContain("## Voice & Tone\n\nTone: Formal");
      expect(JSON.stringify(body)).toMatch(/"max_(completion_)?tokens":77/);
      expect(body["tools"]).toHaveLength(1);
    }
    expect(run.output).toContain("It is late.");
  },
);

verifies(
  "runs.modes.cancel",
  "cancelling a run aborts the current speaker, and no agent speaks after that",
  async () => {
    const team = await createDiscussion(scene.service, scene.api, { names: ["Ada", "Bob"] });
    scene.say((who) => (who === "Ada" ? "Hello." : ""));
    const before = scene.provider.calls.length;
    const { id } = await startRun(scene.api, team.teamId);
    await expect.poll(scene.callers).toEqual(["Ada", "Bob"]);
    await scene.api.patch(`/api-runs?id=${id}`, { status: "cancelled" });
    await scene.provider.calls[before + 1]?.gone;
    expect(scene.callers()).toEqual(["Ada", "Bob"]);
    expect(await readRun(scene.api, id)).toMatchObject({ status: "cancelled", output: null });
  },
);

verifies(
  "runs.modes.messages",
  "a run whose speaker fails fails with the provider's reason and keeps what was said",
  async () => {
    const team = await createDiscussion(scene.service, scene.api, { names: ["Ada", "Bob"] });
    const say: Words = (who, _nth, reply) => {
      if (who === "Bob") reply.refuse(400, "quota of words");
      return who === "Bob" ? "" : "Hello.";
    };
    const run = await scene.discuss(team, say, "failed");
    expect(run).toMatchObject({ error: expect.stringContaining("quota of words"), output: null });
    expect(await messagesOf(scene.api, run.id)).toMatchObject([{ content: "Hello." }]);
  },
);
