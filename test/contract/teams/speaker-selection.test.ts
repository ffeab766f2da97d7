import { beforeAll, expect } from "vitest";
import { endOf, openDiscussionScene, turnsOf } from "../../support/teams/discussion-scene.ts";
import type { DiscussionScene } from "../../support/teams/discussion-scene.ts";
import { createDiscussion, messagesOf } from "../../support/teams/discussions.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const NAMES = ["Ada", "Bob", "Cyd"] as const;

let scene: DiscussionScene;

beforeAll(async () => {
  scene = await openDiscussionScene();
});

verifies(
  ["runs.collaboration.llm-select", "runs.modes.usage-per-step"],
  "with llm_select one more call without tools names each speaker, and its usage counts",
  async () => {
    const config = { speaker_selection: "llm_select", max_turns: 3 };
    const fields = { tools: ["current_time"] };
    const team = await createDiscussion(scene.service, scene.api, { names: NAMES, config, fields });
    const choices = ["NEXT: Cyd", "I would like to hear cyd again.", "**next:** Bob"];
    const run = await scene.discuss(team, (who, nth) => (who === "selector" ? (choices[nth] ?? "") : `${who} ${nth}`));
    expect(scene.callers()).toEqual(["selector", "Cyd", "selector", "Cyd", "selector", "Bob"]);
    expect(await turnsOf(scene.api, run, team)).toEqual([
      ["Cyd", "llm_select"],
      ["Cyd", "llm_select"],
      ["Bob", "llm_select"],
    ]);
    expect([scene.calls()[0]?.body["tools"], scene.calls()[1]?.body["tools"]]).toEqual([
      undefined,
      [expect.anything()],
    ]);
    expect(scene.sentTo(2).slice(2)).toEqual([
      ["user", "Cyd: Cyd 0"],
      ["user", "Who speaks next? One of: Ada, Bob, Cyd"],
    ]);
    expect(run["usage"]).toMatchObject({ prompt_tokens: 66, completion_tokens: 42, total_tokens: 108 });
    const records = await sql<{ agent_id: string }>(
      scene.service.databaseUrl,
      "select agent_id from usage_records where team_run_id = $1 order by created_at, id",
      [run.id],
    );
    expect(records.map(({ agent_id }) => agent_id)).toEqual(
      ["Ada", "Cyd", "Ada", "Cyd", "Ada", "Bob"].map((name) => team.ids[name]),
    );
  },
);

verifies(
  "runs.collaboration.llm-select",
  "when the choice names no agent or its call fails, the next agent in the config's order speaks",
  async () => {
    const config = { speaker_selection: "llm_select", max_turns: 4 };
    const team = await createDiscussion(scene.service, scene.api, { names: NAMES, facilitator: "Moe", config });
    const run = await scene.discuss(team, (who, nth, reply) => {
      if (who !== "selector") return "Well.";
      if (nth === 1) reply.refuse(400, "no such thing");
      return ["NEXT: Bob", "", "Somebody else: Zoe, or Bobby", "NEXT: Cyd"][nth] ?? "";
    });
    expect(await turnsOf(scene.api, run, team)).toEqual([
      ["Bob", "llm_select"],
      ["Cyd", "round_robin"],
      ["Ada", "round_robin"],
      ["Cyd", "llm_select"],
    ]);
  },
);

verifies(
  ["runs.collaboration.facilitator-select", "runs.collaboration.facilitator-ends"],
  "a facilitator chooses each speaker, is heard by all, and ends the discussion",
  async () => {
    const config = { speaker_selection: "facilitator", termination_condition: "facilitator_decision" };
    const team = await createDiscussion(scene.service, scene.api, { names: NAMES, facilitator: "Moe", config });
    const says = [
      "Let us begin.\nNEXT: Cyd",
      "Hm.",
      "Ada, what do you think?",
      "The name is X.\n\nDiscussion complete",
    ];
    const run = await scene.discuss(team, (who, nth) => (who === "Moe" ? (says[nth] ?? "") : `${who} ${nth}`));
    expect(scene.callers()).toEqual(["Moe", "Cyd", "Moe", "Ada", "Moe", "Ada", "Moe"]);
    expect(await turnsOf(scene.api, run, team)).toEqual([
      ["Cyd", "facilitator"],
      ["Ada", "round_robin"],
      ["Ada", "facilitator"],
    ]);
    expect(scene.sentTo(0)[1]?.[1]).toContain('"NEXT: <name>", one of: Ada, Bob, Cyd');
    expect(scene.sentTo(2).slice(2)).toEqual([
      ["assistant", says[0]],
      ["user", "Cyd: Cyd 0"],
      ["user", "It is your turn as the facilitator, Moe. Turns left for the others: 9."],
    ]);
    expect(scene.sentTo(1)[2]).toEqual(["user", `Moe: ${says[0]}`]);
    expect(await endOf(scene.api, run)).toEqual({ reason: "facilitator_decision", turns: 3 });
    expect(run.output).toMatch(/^The name is X\./);
    expect(run.output).toContain("### 7. Moe");
    const moderation = (await messagesOf(scene.api, run.id)).filter(
      ({ metadata }) => metadata["role"] === "facilitator",
    );
    expect(moderation.map(({ content, step_idx }) => [content, step_idx])).toEqual(says.map((text, i) => [text, i]));
  },
);

verifies(
  ["runs.collaboration.facilitator-ends", "runs.collaboration.max-turns"],
  "a facilitator that decides the end is asked after every round, and max_turns still holds",
  async () => {
    const config = { termination_condition: "facilitator_decision", max_turns: 5 };
    const team = await createDiscussion(scene.service, scene.api, {
      names: ["Ada", "Bob"],
      facilitator: "Moe",
      config,
    });
    const run = await scene.discuss(team, () => "Continue.");
    expect(scene.callers()).toEqual(["Ada", "Bob", "Moe", "Ada", "Bob", "Moe", "Ada"]);
    expect(await endOf(scene.api, run)).toEqual({ reason: "max_turns", turns: 5 });
    const ended = await scene.discuss(team, (who) => (who === "Moe" ? "DISCUSSION COMPLETE" : "DISCUSSION COMPLETE?"));
    expect(scene.callers()).toEqual(["Ada", "Bob", "Moe"]);
    expect(await endOf(scene.api, ended)).toEqual({ reason: "facilitator_decision", turns: 2 });
  },
);

verifies(
  ["runs.collaboration.facilitator-select", "runs.collaboration.round-robin"],
  "a facilitator among the agents only moderates; agents with one name are distinguished",
  async () => {
    const team = await createDiscussion(scene.service, scene.api, { names: ["Ada", "Bob", "Bob "] });
    const moderated = { facilitator_agent_id: team.ids["Ada"], speaker_selection: "facilitator", max_turns: 2 };
    const config = { agent_ids: Object.values(team.ids), ...moderated };
    expect((await scene.api.patch(`/api-teams?id=${team.teamId}`, { config })).status).toBe(200);
    const renamed = await scene.api.patch(`/api-agents?id=${team.ids["Bob "]}`, {
      name: "Bob",
      system_prompt: "I am Bobby.",
    });
    expect(renamed.status).toBe(200);
    await scene.discuss(team, (_who, nth) => (nth === 0 ? "NEXT: Bob (2)" : "NEXT: Ada"));
    expect(scene.callers()).toEqual(["Ada", "Bobby", "Ada", "Bob"]);
    expect(scene.sentTo(0)[1]?.[1]).toContain("one of: Bob, Bob (2)");
  },
);
