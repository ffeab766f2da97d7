import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { callerOf, createDiscussion, messagesOf } from "../../support/teams/discussions.ts";
import type { DiscussionTeam } from "../../support/teams/discussions.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ChatRequest, ScriptedProvider, ProviderReply } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readRun, runIn, startRun } from "../../support/teams.ts";
import type { RunFields } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const NAMES = ["Ada", "Bob", "Cyd"] as const;
const AGREED = "I agree with the consensus";

/** What a called member says; the caller's name and its number of earlier calls select it. */
type Words = (who: string, nth: number, reply: ProviderReply) => string | Promise<string>;

let provider: ScriptedProvider;
let service: TestService;
let api: Api;
let words: Words;
/** The calls of the members since the last run was started. */
let calls: { who: string; body: ChatRequest }[];

beforeAll(async () => {
  provider = await startScriptedProvider(async ({ body }, reply) => {
    const who = callerOf(body);
    const nth = calls.filter((call) => call.who === who).length;
    calls.push({ who, body });
    const text = await words(who, nth, reply);
    if (text === "") return;
    reply.say(text);
    reply.finish();
  });
  service = await startService({
    env: { ...provider.env, MODEL_ATTEMPTS: "1" },
  });
  api = apiOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

/** Lets a team discuss with these contributions, and returns the run when it is in the state. */
async function discuss({ teamId }: DiscussionTeam, say: Words, status = "completed"): Promise<RunFields> {
  [words, calls] = [say, []];
  const { id } = await startRun(api, teamId, "Find a name.");
  return runIn(api, id, status);
}

const callers = () => calls.map(({ who }) => who);
const sentTo = (call: number) => calls[call]?.body.messages.map(({ role, content }) => [role, content]) ?? [];
/** The member that contributed in each turn, and the rule that chose it. */
async function turnsOf(run: RunFields, { ids }: DiscussionTeam): Promise<unknown[][]> {
  const nameOf = (id: string | null) => Object.keys(ids).find((name) => ids[name] === id);
  const messages = await messagesOf(api, run.id);
  return messages
    .filter(({ metadata }) => "chosen_by" in metadata)
    .map(({ sender_agent_id, metadata }) => [nameOf(sender_agent_id), metadata["chosen_by"]]);
}
/** How the run's discussion ended. */
async function endOf(run: RunFields): Promise<unknown> {
  const system = (await messagesOf(api, run.id)).filter(({ message_type }) => message_type === "system");
  expect(system).toHaveLength(1);
  return system[0]?.metadata;
}

verifies(
  ["runs.collaboration.round-robin", "runs.collaboration.max-turns", "runs.modes.messages"],
  "with round_robin the agents speak in turn until max_turns, each knowing what was said",
  async () => {
    const team = await createDiscussion(service, api, { names: NAMES, config: { max_turns: 5 } });
    const run = await discuss(team, (who, nth) => `${who} says ${nth}`);
    expect(callers()).toEqual(["Ada", "Bob", "Cyd", "Ada", "Bob"]);

    const [system, opening, ...said] = sentTo(3);
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

    const messages = await messagesOf(api, run.id);
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
    const plain = await createDiscussion(service, api, { names: ["Ada", "Bob"], config });
    expect((await discuss(plain, (who) => `${who}.`)).output).toBe(output);
    const template = "<{{agent_name}} on {{task_title}}, {{tokens_used}} tokens>\n{{task_result}}";
    const fields = { output_template: { type: "Custom", body: template } };
    const dressed = await createDiscussion(service, api, { names: ["Ada", "Bob"], config, fields });
    const run = await discuss(dressed, (who) => `${who}.`);
    expect(run.output).toBe(`<Bob on Find a name., 36 tokens>\n${output}`);
  },
);

verifies(
  "runs.collaboration.consensus",
  "a discussion ends when half of the last N contributions hold the phrase, and not before N",
  async () => {
    const config = { termination_condition: "consensus", max_turns: 9 };
    const four = await createDiscussion(service, api, { names: [...NAMES, "Dan"], config });
    const agreeing = ["no", `Yes, ${AGREED.toUpperCase()}.`, "no", "no", "no", `${AGREED}!`, AGREED, "never asked"];
    const run = await discuss(four, () => agreeing[calls.length - 1] ?? "");
    expect(calls).toHaveLength(7);
    expect(sentTo(0)[1]?.[1]).toContain(AGREED);
    expect(await endOf(run)).toEqual({ reason: "consensus", turns: 7 });

    const atOnce = await discuss(four, () => AGREED);
    expect(await endOf(atOnce)).toEqual({ reason: "consensus", turns: 4 });

    const own = { ...config, consensus_phrase: "so be it", max_turns: 3 };
    const odd = await createDiscussion(service, api, { names: NAMES, config: own });
    const missed = await discuss(odd, (who) => (who === "Bob" ? "So be it" : AGREED));
    expect(await endOf(missed)).toEqual({ reason: "max_turns", turns: 3 });
    const met = await discuss(odd, (who) => (who === "Ada" ? AGREED : "So be it"));
    expect(await endOf(met)).toEqual({ reason: "consensus", turns: 3 });
  },
);

verifies(
  ["runs.collaboration.llm-select", "runs.modes.usage-per-step"],
  "with llm_select one more call without tools names each speaker, and its usage counts",
  async () => {
    const config = { speaker_selection: "llm_select", max_turns: 3 };
    const fields = { tools: ["current_time"] };
    const team = await createDiscussion(service, api, { names: NAMES, config, fields });
    const choices = ["NEXT: Cyd", "I would like to hear cyd again.", "**next:** Bob"];
    const run = await discuss(team, (who, nth) => (who === "selector" ? (choices[nth] ?? "") : `${who} ${nth}`));
    expect(callers()).toEqual(["selector", "Cyd", "selector", "Cyd", "selector", "Bob"]);
    expect(await turnsOf(run, team)).toEqual([
      ["Cyd", "llm_select"],
      ["Cyd", "llm_select"],
      ["Bob", "llm_select"],
    ]);
    expect([calls[0]?.body["tools"], calls[1]?.body["tools"]]).toEqual([undefined, [expect.anything()]]);
    expect(sentTo(2).slice(2)).toEqual([
      ["user", "Cyd: Cyd 0"],
      ["user", "Who speaks next? One of: Ada, Bob, Cyd"],
    ]);
    expect(run["usage"]).toMatchObject({ prompt_tokens: 66, completion_tokens: 42, total_tokens: 108 });
    const records = await sql<{ agent_id: string }>(
      service.databaseUrl,
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
    const team = await createDiscussion(service, api, { names: NAMES, facilitator: "Moe", config });
    const run = await discuss(team, (who, nth, reply) => {
      if (who !== "selector") return "Well.";
      if (nth === 1) reply.refuse(400, "no such thing");
      return ["NEXT: Bob", "", "Somebody else: Zoe, or Bobby", "NEXT: Cyd"][nth] ?? "";
    });
    expect(await turnsOf(run, team)).toEqual([
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
    const team = await createDiscussion(service, api, { names: NAMES, facilitator: "Moe", config });
    const says = [
      "Let us begin.\nNEXT: Cyd",
      "Hm.",
      "Ada, what do you think?",
      "The name is X.\n\nDiscussion complete",
    ];
    const run = await discuss(team, (who, nth) => (who === "Moe" ? (says[nth] ?? "") : `${who} ${nth}`));
    expect(callers()).toEqual(["Moe", "Cyd", "Moe", "Ada", "Moe", "Ada", "Moe"]);
    expect(await turnsOf(run, team)).toEqual([
      ["Cyd", "facilitator"],
      ["Ada", "round_robin"],
      ["Ada", "facilitator"],
    ]);
    expect(sentTo(0)[1]?.[1]).toContain('"NEXT: <name>", one of: Ada, Bob, Cyd');
    expect(sentTo(2).slice(2)).toEqual([
      ["assistant", says[0]],
      ["user", "Cyd: Cyd 0"],
      ["user", "It is your turn as the facilitator, Moe. Turns left for the others: 9."],
    ]);
    expect(sentTo(1)[2]).toEqual(["user", `Moe: ${says[0]}`]);
    expect(await endOf(run)).toEqual({ reason: "facilitator_decision", turns: 3 });
    expect(run.output).toMatch(/^The name is X\./);
    expect(run.output).toContain("### 7. Moe");
    const moderation = (await messagesOf(api, run.id)).filter(({ metadata }) => metadata["role"] === "facilitator");
    expect(moderation.map(({ content, step_idx }) => [content, step_idx])).toEqual(says.map((text, i) => [text, i]));
  },
);

verifies(
  ["runs.collaboration.facilitator-ends", "runs.collaboration.max-turns"],
  "a facilitator that decides the end is asked after every round, and max_turns still holds",
  async () => {
    const config = { termination_condition: "facilitator_decision", max_turns: 5 };
    const team = await createDiscussion(service, api, { names: ["Ada", "Bob"], facilitator: "Moe", config });
    const run = await discuss(team, () => "Continue.");
    expect(callers()).toEqual(["Ada", "Bob", "Moe", "Ada", "Bob", "Moe", "Ada"]);
    expect(await endOf(run)).toEqual({ reason: "max_turns", turns: 5 });
    const ended = await discuss(team, (who) => (who === "Moe" ? "DISCUSSION COMPLETE" : "DISCUSSION COMPLETE?"));
    expect(callers()).toEqual(["Ada", "Bob", "Moe"]);
    expect(await endOf(ended)).toEqual({ reason: "facilitator_decision", turns: 2 });
  },
);

verifies(
  ["runs.collaboration.facilitator-select", "runs.collaboration.round-robin"],
  "a facilitator among the agents only moderates; agents with one name are distinguished",
  async () => {
    const team = await createDiscussion(service, api, { names: ["Ada", "Bob", "Bob "] });
    const moderated = { facilitator_agent_id: team.ids["Ada"], speaker_selection: "facilitator", max_turns: 2 };
    const config = { agent_ids: Object.values(team.ids), ...moderated };
    expect((await api.patch(`/api-teams?id=${team.teamId}`, { config })).status).toBe(200);
    const renamed = await api.patch(`/api-agents?id=${team.ids["Bob "]}`, {
      name: "Bob",
      system_prompt: "I am Bobby.",
    });
    expect(renamed.status).toBe(200);
    await discuss(team, (_who, nth) => (nth === 0 ? "NEXT: Bob (2)" : "NEXT: Ada"));
    expect(callers()).toEqual(["Ada", "Bobby", "Ada", "Bob"]);
    expect(sentTo(0)[1]?.[1]).toContain("one of: Bob, Bob (2)");
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
    const team = await createDiscussion(service, api, { names: ["Ada", "Bob"], config: { max_turns: 2 }, fields });
    const run = await discuss(team, (who, nth, reply) => {
      if (who === "Bob") return "Bob is done.";
      if (nth === 0) reply.refuse(400, "not this model");
      if (nth === 1) reply.callTool("current_time", {});
      if (nth === 1) reply.finish();
      return nth === 2 ? "It is late." : "";
    });
    expect(calls.map(({ who, body }) => [who, body.model])).toEqual([
      ["Ada", "gpt-4o"],
      ["Ada", "gpt-4-turbo"],
      ["Ada", "gpt-4o"],
      ["Bob", "gpt-4o"],
    ]);
    for (const { body } of calls) {
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
    const team = await createDiscussion(service, api, { names: ["Ada", "Bob"] });
    [words, calls] = [(who) => (who === "Ada" ? "Hello." : ""), []];
    const before = provider.calls.length;
    const { id } = await startRun(api, team.teamId);
    await expect.poll(callers).toEqual(["Ada", "Bob"]);
    await api.patch(`/api-runs?id=${id}`, { status: "cancelled" });
    await provider.calls[before + 1]?.gone;
    expect(callers()).toEqual(["Ada", "Bob"]);
    expect(await readRun(api, id)).toMatchObject({ status: "cancelled", output: null });
  },
);

verifies(
  "runs.modes.messages",
  "a run whose speaker fails fails with the provider's reason and keeps what was said",
  async () => {
    const team = await createDiscussion(service, api, { names: ["Ada", "Bob"] });
    const say: Words = (who, _nth, reply) => {
      if (who === "Bob") reply.refuse(400, "quota of words");
      return who === "Bob" ? "" : "Hello.";
    };
    const run = await discuss(team, say, "failed");
    expect(run).toMatchObject({ error: expect.stringContaining("quota of words"), output: null });
    expect(await messagesOf(api, run.id)).toMatchObject([{ content: "Hello." }]);
  },
);
