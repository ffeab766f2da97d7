import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { startScriptedAgents } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgents } from "../../support/providers/scripted-agents.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import type { FakeTalk, Person } from "../../support/talk/fake-talk.ts";
import { ANA, BEN, openTalkScene } from "../../support/talk/scene.ts";
import type { TalkScene } from "../../support/talk/scene.ts";
import { startSlackTalk } from "../../support/talk/slack.ts";
import { startTelegramTalk } from "../../support/talk/telegram.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember } from "../../support/workspace.ts";

const open = z.object({
  items: z.array(
    z.looseObject({ id: z.string(), subject: z.looseObject({ id: z.string() }), may_answer: z.unknown() }),
  ),
});
const WORDS = Array.from({ length: 2_000 }, (_, index) => `word${index}`);
const rows = z.object({ items: z.array(z.looseObject({ id: z.string(), title: z.string(), replies: z.int() })) });

let slack: FakeTalk;
let telegram: FakeTalk;
let agents: ScriptedAgents;
let service: TestService;
let peer: TestService;

beforeAll(async () => {
  [slack, telegram, agents] = await Promise.all([startSlackTalk(), startTelegramTalk(), startScriptedAgents()]);
  const env = { ...slack.env, ...telegram.env, ...agents.provider.env };
  service = await startService({ env });
  peer = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys, env });
});
afterAll(async () => {
  await peer.stop();
  await service.stop();
  await Promise.all([slack.close(), telegram.close(), agents.provider.close()]);
});

describe.each([
  ["slack", () => slack],
  ["telegram", () => telegram],
])("%s", (type, of) => {
  verifies(
    ["channels.talk.answer", "channels.talk.conversation"],
    `a message in ${type} is answered by one that grows; the conversation shows in the console`,
    async () => {
      const scene = await openTalkScene(service, of());
      await scene.write("[[slow:0]][[say:Hello Ana.]]");
      const first = await scene.hears("Hello Ana.");
      await scene.write("[[slow:400]][[say:one two three four five six]]", { replyTo: first.thread ?? undefined });
      const second = await scene.hears(/^one two three four five six$/);
      expect(second).toMatchObject({ channel: first.channel, thread: first.thread });
      expect(second.edits).toBeGreaterThan(1);
      expect(second.texts.some((text) => /^one.*…$/s.test(text))).toBe(true);
      expect(scene.said()).toHaveLength(2);
      const [row, ...others] = await conversations(scene);
      expect([row?.replies, others]).toEqual([2, []]);
      const conversation = await scene.desk.get(`/runs/${row?.id ?? ""}/conversation`);
      expect(conversation.body).toMatchObject({ turns: [{ reply: "Hello Ana." }, { reply: second.text }] });
      const runs = await scene.desk.get(`/runs?source=channel`);
      expect(runs.body).toMatchObject({ items: [{ source: { kind: "channel", id: scene.to.routeId, name: "Talk" } }] });
      expect(of().faults).toEqual([]);
    },
  );

  verifies(
    ["channels.talk.group", "channels.talk.conversation"],
    `in a group of ${type} the agent answers those who mention it, and each thread is a conversation`,
    async () => {
      const scene = await openTalkScene(service, of());
      await scene.write("[[slow:0]][[say:First.]]", { isGroup: true });
      const first = await scene.hears("First.");
      await scene.silence();
      expect(first.thread).not.toBeNull();
      const thread = type === "slack" ? (first.thread ?? undefined) : first.id;
      await scene.write("[[slow:0]][[say:More.]]", { isGroup: true, replyTo: thread });
      await scene.hears("More.");
      await scene.write("[[slow:0]][[say:Second.]]", { isGroup: true });
      await scene.hears("Second.");
      expect((await conversations(scene)).map(({ replies }) => replies)).toEqual([1, 2]);
      expect(of().faults).toEqual([]);
    },
  );

  verifies(
    ["channels.talk.list", "channels.talk.once", "channels.talk.signed"],
    `in ${type} strangers are refused once, bots and repeats ignored, and forged calls rejected`,
    async () => {
      const talk = of();
      const scene = await openTalkScene(service, talk, { route: { allowed_user_ids: [ANA.id] } });
      await scene.write("hello", { person: BEN });
      await scene.hears("you are not on the list");
      await scene.write("hello again", { person: BEN });
      await scene.write("[[slow:0]][[say:never]]", { isBot: true });
      const call = talk.compose("[[slow:0]][[say:Once.]]", { person: ANA });
      const there = { ...scene.to, url: peer.url };
      const sent = await Promise.all([scene.to, there, scene.to, there].map((to) => talk.send(to, call)));
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await talk.send({ ...scene.to, isForged: true }, call)).status).toBe(401);
      await scene.hears("Once.");
      await scene.silence();
      expect(scene.said()).toHaveLength(2);
    },
  );

  verifies("channels.talk.answer", `an answer in ${type} that somebody deletes is no failure`, async () => {
    const scene = await openTalkScene(service, of());
    await scene.write("[[slow:300]][[say:one two three four five six]]");
    of().forget((await scene.hears(/^one/)).id);
    await scene.silence();
    const list = await scene.desk.get(`/deliveries?route_id=${scene.to.routeId}`);
    expect(list.body).toMatchObject([{ status: "success", attempt_count: 1 }]);
    expect(scene.said()).toEqual([]);
  });

  verifies("channels.talk.files", `files come along to and from ${type}`, async () => {
    const talk = of();
    const scene = await openTalkScene(service, talk);
    const player = await agents.player(scene.api, (_, reply) => {
      reply.say("Here:\n\n```csv report.csv\na,1\n```\n");
      reply.finish();
    });
    expect((await scene.desk.patch(`/routes/${scene.to.routeId}`, { agent_id: player.id })).status).toBe(200);
    await scene.write("Read it.", { file: talk.addFile("notes.txt", "The code word is heron.") });
    const sent = await eventually("the file is there", () => scene.said().find((one) => one.file !== undefined));
    expect(sent.file).toEqual({ name: "report.csv", content: "a,1\n" });
    expect(JSON.stringify(player.calls()[0]?.body.messages)).toContain("The code word is heron.");
    await scene.write("", { file: { ...talk.addFile("big.txt", ""), file_size: 1e9, size: 1e9 } });
    await scene.hears(/big\.txt is larger than/);
    expect(talk.faults).toEqual([]);
  });

  verifies(
    ["channels.talk.limits", "channels.talk.answer"],
    `a rate limit of ${type}, a long answer, and a text that mentions people are no obstacle`,
    async () => {
      const talk = of();
      const scene = await openTalkScene(service, talk);
      const player = await agents.player(scene.api, (_, reply) => {
        reply.say(`@channel <!here> ${WORDS.join(" ")} end`);
        reply.finish();
      });
      await scene.desk.patch(`/routes/${scene.to.routeId}`, { agent_id: player.id });
      talk.limit(2);
      await scene.write("Much, please.");
      await scene.hears(/end$/);
      await scene.silence();
      expect(scene.said().length).toBe(type === "slack" ? 2 : 5);
      const whole = scene
        .said()
        .map(({ text }) => text)
        .join(" ");
      expect(whole.match(/word\d+/g)).toEqual(WORDS);
      expect(whole).not.toMatch(type === "slack" ? /@channel|<!here>/ : /@channel/);
      expect(talk.faults).toEqual([]);
    },
  );

  verifies(
    "channels.talk.states",
    `in ${type} a person is told of a limit, a paused route, a deleted agent, and a run that fails`,
    async () => {
      const talk = of();
      const scene = await openTalkScene(service, talk, { route: { messages_per_minute: 2 } });
      const change = (fields: object) => scene.desk.patch(`/routes/${scene.to.routeId}`, fields);
      await scene.write("[[fail:boom]]");
      await scene.hears(/^That did not work\. /);
      await scene.write("[[slow:0]][[say:Second.]]");
      for (const _ of [1, 2, 3]) await scene.write("[[slow:0]][[say:Third.]]");
      await scene.hears("You write faster than");
      await change({ messages_per_minute: 100, is_active: false });
      await scene.write("hello");
      await scene.hears("This agent is switched off here.");
      await change({ is_active: true });
      expect((await scene.api.delete(`/api-agents?id=${scene.agentId}`)).status).toBeLessThan(300);
      await scene.write("hello");
      await scene.hears("The agent of this channel was deleted.");
      await scene.silence();
      expect(scene.said().filter(({ text }) => text.includes("faster"))).toHaveLength(1);
      expect((await scene.desk.get(`/routes/${scene.to.routeId}`)).body).toMatchObject({ agent_id: null });
      expect(talk.faults).toEqual([]);
    },
  );

  verifies(
    ["channels.talk.questions"],
    `a question of a run is asked in the conversation in ${type}, and the answer goes on below it`,
    async () => {
      const talk = of();
      const scene = await openTalkScene(service, talk, { agent: { tools: ["request_approval", "request_input"] } });
      await scene.write(callOf("request_approval", { title: "Ship it?", timeoutMs: 600_000 }));
      const question = await scene.hears("Ship it?");
      expect(question.text).not.toContain("asks:");
      await scene.write("[[slow:0]][[say:Later.]]", { replyTo: question.thread ?? undefined });
      await scene.hears("Please answer the question above first.");
      const code = question.buttons.find(({ label }) => label === "Approve")?.code ?? "";
      expect((await talk.send(scene.to, talk.press(code, ANA))).status).toBe(200);
      await scene.hears("request_approval: ");
      await scene.hears(/answered at \d\d:\d\d UTC: approved/);
      await scene.silence();
      expect(scene.said().map(({ text }) => text.slice(0, 10))).toEqual([
        "I have a q",
        expect.stringMatching(/^Ship it\?/),
        "Please ans",
        "Demo model",
        "Later.",
      ]);
      const thread = question.thread ?? undefined;
      await scene.write(callOf("request_input", { title: "Which city?", timeoutMs: 600_000 }), { replyTo: thread });
      await scene.hears("Which city?");
      await scene.write("Lisbon", { replyTo: thread });
      await scene.hears("Lisbon");
      await scene.silence();
      expect((await conversations(scene))[0]?.replies).toBe(3);
      expect(talk.faults).toEqual([]);
    },
  );

  verifies("approvals.starter", `who writes to an agent in ${type} does not approve what it does`, async () => {
    const talk = of();
    const rule = { when: { tool: "current_time" }, ask: { role: "member" }, keys: true };
    const scene = await openTalkScene(service, talk, { agent: { tools: ["current_time"] } });
    const [ana, ben] = await Promise.all([ANA, BEN].map((person) => joinAs(scene, person, talk)));
    const config = { approvals: [rule] };
    expect((await scene.api.patch(`/api-agents?id=${scene.agentId}`, { config })).status).toBe(200);
    await scene.write(callOf("current_time", { time_zone: "Europe/Oslo" }));
    await scene.hears("May the agent use current_time?");
    const { items } = open.parse((await scene.desk.get("/questions")).body);
    const [{ id: interactionId, subject, may_answer: asked } = { id: "", subject: { id: "" }, may_answer: [] }] = items;
    expect(asked).toEqual([{ id: ben?.id, name: expect.any(String) }]);
    const vote = (desk: Api | undefined) =>
      desk?.post(`/tasks/${subject.id}/answer`, { interactionId, approved: true });
    expect((await vote(ana?.desk))?.text).toContain("You started this run");
    expect((await vote(ben?.desk))?.status).toBe(200);
    await scene.hears("Tool results:");
    expect(talk.faults).toEqual([]);
  });
});

verifies(
  "channels.talk.answer",
  "an agent reads the longest message of Slack, and characters that no text has",
  async () => {
    const scene = await openTalkScene(service, slack);
    const player = await agents.player(scene.api, (_, reply) => {
      reply.say("```python\n@app.route\n```");
      reply.finish();
    });
    await scene.desk.patch(`/routes/${scene.to.routeId}`, { agent_id: player.id });
    await scene.write(`\0${"long ".repeat(7_990)}the end`);
    // The code stays as it is: it mentions nobody.
    await scene.hears("@app.route");
    const asked = JSON.stringify(player.calls()[0]?.body.messages);
    expect(asked.match(/long /g)).toHaveLength(7_990);
    expect(asked).toContain("the end");
  },
);

verifies("channels.talk.answer", "an answer in Telegram has its forms, also where it is split", async () => {
  const scene = await openTalkScene(service, telegram);
  const code = Array.from({ length: 300 }, (_, index) => `    @line(${index})`);
  const player = await agents.player(scene.api, (_, reply) => {
    reply.say(`**All** of it:\n\n\`\`\`python\n${code.join("\n")}\n\`\`\`\n\nThat is all.`);
    reply.finish();
  });
  await scene.desk.patch(`/routes/${scene.to.routeId}`, { agent_id: player.id });
  await scene.write("Code, please.");
  await scene.hears(/That is all\.$/);
  await scene.silence();
  const blocks = scene.said().map(({ text }) => /\[([^[\]]*)\]/.exec(text)?.[1]);
  expect(blocks.join("\n").split("\n")).toEqual(code);
  expect(scene.said()[0]?.text).toMatch(/^All of it:\n\n\[/);
  expect(telegram.faults).toEqual([]);
});

verifies("channels.talk.conversation", "in Telegram /new begins a conversation, with the text after it", async () => {
  const scene = await openTalkScene(service, telegram);
  await scene.write("[[slow:0]][[say:First.]]", { person: { id: ANA.id, name: "A\0na" } });
  await scene.hears("First.");
  await scene.write("/new [[slow:0]][[say:Second.]]");
  await scene.hears("Second.");
  await scene.write("[[slow:0]][[say:Third.]]");
  await scene.hears("Third.");
  await scene.write("/new");
  await scene.hears("A new conversation begins with your next message.");
  expect((await conversations(scene)).map(({ replies }) => replies)).toEqual([2, 1]);
});

verifies("channels.talk.lost", "a post whose answer was lost is found again in Slack, and not repeated", async () => {
  const scene = await openTalkScene(service, slack);
  slack.loseAnswers(1);
  await scene.write("[[slow:0]][[say:Said once.]]");
  await scene.hears("Said once.");
  await scene.silence();
  expect(scene.said()).toHaveLength(1);
});

verifies(
  "channels.talk.route",
  "Slack's check of the URL is answered, and a route of kind agent is validated",
  async () => {
    const scene = await openTalkScene(service, slack);
    const check = {
      type: "url_verification",
      challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
      token: "x",
    };
    expect(await slack.send(scene.to, check)).toEqual({
      status: 200,
      text: JSON.stringify({ challenge: check.challenge }),
    });
    const old = Math.floor(Date.now() / 1_000) - 301;
    expect((await slack.send({ ...scene.to, signedAt: old }, check)).status).toBe(401);
    const setup = await scene.desk.get(`/routes/${scene.to.routeId}/setup`);
    expect(setup.body).toMatchObject({ steps: expect.stringContaining(`/channels/${scene.to.routeId}/slack`) });
    expect((await scene.desk.post(`/routes/${scene.to.routeId}/test`, {})).status).toBe(409);
    const agent_id = scene.agentId;
    const base = { name: "Talk", kind: "agent", type: "slack", config: slack.config, agent_id };
    const wrong = [
      [{ ...base, agent_id: null }, "agent_id"],
      [{ ...base, agent_id: scene.workspaceId }, "agent_id"],
      [{ ...base, events: ["task.completed"] }, "events"],
      [{ ...base, type: "discord", config: {} }, "type"],
      [{ ...base, config: { bot_token: "xoxb-1" } }, "config.signing_secret"],
      [{ ...base, messages_per_minute: 0 }, "messages_per_minute"],
      [{ ...base, type: "telegram", config: telegram.config }, "allowed_user_ids"],
      [{ ...base, kind: "people", config: { ...slack.config, channel_id: "C1" } }, "agent_id"],
      [
        { ...base, kind: "results", agent_id: null, events: [], config: { ...slack.config, channel_id: "C1" } },
        "events",
      ],
    ] as const;
    for (const [body, path] of wrong)
      expect([path, ...pathsOf(await scene.desk.post("/routes", body))]).toEqual([path, path]);
    const used = await scene.desk.get(`/agents/${agent_id}/used-by`);
    expect(used.text).toContain(`{"kind":"route","id":"${scene.to.routeId}","name":"Talk","detail":"slack"`);
    const audit = await scene.desk.get("/audit?limit=5");
    expect(JSON.stringify(audit.body)).toContain(`"agent_id":[null,"${agent_id}"]`);
  },
);

verifies("channels.talk.route", "an app has several agents, each for a channel of its own", async () => {
  const scene = await openTalkScene(service, slack);
  const other = await agents.player(scene.api, (_, reply) => {
    reply.say("The other agent.");
    reply.finish();
  });
  const config = { ...slack.config, channel_id: "C0TALK" };
  const body = { name: "Other", kind: "agent", type: "slack", config, agent_id: other.id };
  expect((await scene.desk.post("/routes", body)).status).toBe(201);
  await scene.write("hello", { isGroup: true, file: { ...slack.addFile("x", "y"), name: "a\0b.txt" } });
  await scene.hears("The other agent.");
  await scene.write("hello", { isGroup: true, isGuest: true, person: BEN });
  await scene.hears("you are not on the list");
  await scene.write("[[slow:0]][[say:The first agent.]]");
  await scene.hears("The first agent.");
});

async function conversations(scene: {
  readonly desk: { get(path: string): Promise<{ body: unknown }> };
  readonly agentId: string;
}) {
  return rows.parse((await scene.desk.get(`/agents/${scene.agentId}/conversations`)).body).items;
}

const refused = z.object({ error: z.object({ details: z.array(z.object({ path: z.string() })) }) });

function pathsOf({ body }: { readonly body: unknown }): readonly string[] {
  return refused.parse(body).error.details.map(({ path }) => path);
}

/** A member whom a route of kind people knows by the id of a person at the vendor. */
async function joinAs({ desk, workspaceId }: TalkScene, { id: user_id, name }: Person, { type, config }: FakeTalk) {
  const { userId: id, key } = await addMember(service.databaseUrl, workspaceId, "member");
  const place = type === "slack" ? { channel_id: "C0PEOPLE" } : { chat_id: "-100123" };
  const members = [{ member: id, user_id }];
  await createRoute(desk, "", {
    name,
    kind: "people",
    type,
    config: { ...config, ...place },
    members,
    is_active: false,
  });
  return { id, desk: consoleOf(service, key) };
}
