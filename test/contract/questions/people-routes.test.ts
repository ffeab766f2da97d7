import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { postAuth } from "../../support/accounts.ts";
import { refusal } from "../../support/api.ts";
import { createRoute, deliveriesOver, readDelivery, startReceiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { startDiscord } from "../../support/people/discord.ts";
import type { FakeDiscord } from "../../support/people/discord.ts";
import { codeOf } from "../../support/people/fake-channel.ts";
import { startMailbox } from "../../support/people/mailbox.ts";
import { ANA, expectNoFaults, openPeopleScene, startPublicService } from "../../support/people/scene.ts";
import { startSlack } from "../../support/people/slack.ts";
import type { FakeSlack } from "../../support/people/slack.ts";
import { startTeams } from "../../support/people/teams.ts";
import { callOf } from "../../support/interactions.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

const LONG = "ß".repeat(20_000);
const linked = z.looseObject({ state: z.string() });

let slack: FakeSlack;
let discord: FakeDiscord;
let teams: Awaited<ReturnType<typeof startTeams>>;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let service: TestService;

beforeAll(async () => {
  [slack, discord, teams, mailbox] = await Promise.all([startSlack(), startDiscord(), startTeams(), startMailbox()]);
  const env = { ...slack.env, ...discord.env, ...teams.env, ...mailbox.env, ALLOW_PRIVATE_URLS: "true" };
  service = await startPublicService(env);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([slack.close(), discord.close(), teams.close(), mailbox.close()]);
});

const tokenIn = (url: string | undefined) => new URL(url ?? "").hash.replace("#token=", "");

verifies(
  ["questions.people.link", "questions.people.ask"],
  "a link answers although the workspace allows none, once, and ends with the route's pause",
  async () => {
    const scene = await openPeopleScene(service, slack);
    const asked = await scene.ask("request_approval");
    const token = tokenIn(asked.message.buttons.at(-1)?.url);
    expect(linked.parse((await postAuth(service, "answer-link", { token })).body)).toMatchObject({ state: "open" });
    const { routeId } = scene.route;
    await scene.desk.patch(`/routes/${routeId}`, { is_active: false });
    expect(refusal(await postAuth(service, "answer-link", { token })).status).toBe(404);
    await scene.desk.patch(`/routes/${routeId}`, { is_active: true });
    const body = { token, name: "Grace", approved: true };
    expect(linked.parse((await postAuth(service, "answer-link/answer", body)).body)).toMatchObject({
      state: "answered",
      answered_by: "Grace",
    });
    expect(refusal(await postAuth(service, "answer-link/answer", body)).status).toBe(409);
    await taskIn(scene.api, asked.taskId, "completed");
    expect((await scene.edited(asked)).text).toMatch(/Grace answered by a link at \d\d:\d\d UTC: approved/);
    expect(await scene.questionNow(asked)).toMatchObject({ answered_via: "link", answered_vendor_id: null });
    const links = await scene.desk.get(`/answer-links?question_id=${asked.questionId}`);
    expect(links.body).toMatchObject({ items: [{ state: "answered", route: { id: routeId, name: "People" } }] });
    expectNoFaults(slack);
  },
);

verifies(
  ["questions.people.ask", "questions.people.limits"],
  "Teams and mails get the question and its link, and nothing more",
  async () => {
    for (const [type, config, read] of [
      ["teams", teams.config, () => teams.cards()],
      ["email", mailbox.config, () => mailbox.mails()],
    ] as const) {
      const scene = await openPeopleScene(service, slack);
      const route = await createRoute(scene.desk, "", { name: "Others", kind: "people", type, config });
      const before = read().length;
      const asked = await scene.ask("request_confirmation", {
        description: LONG.slice(0, 9_000),
        data: { text: LONG },
      });
      const shown = await eventually("it is there", () => read()[before]);
      expect(shown.text).toContain("Ship it?");
      const token = tokenIn(shown.link);
      expect((await postAuth(service, "answer-link/answer", { token, name: "Grace", approved: true })).status).toBe(
        200,
      );
      await scene.edited(asked);
      const all = await deliveriesOver(scene.desk, route.id);
      expect(all).toMatchObject([{ event: "question.asked", status: "success" }]);
      expect(read()).toHaveLength(before + 1);
    }
    expect([...teams.faults, ...mailbox.faults]).toEqual([]);
  },
);

verifies(
  "questions.people.route",
  "a route of kind people is validated, and says how to set its vendor up",
  async () => {
    const scene = await openPeopleScene(service, slack, {
      allowed_user_ids: ["U1", "U2", "U1"],
      retry_delays: undefined,
    });
    const { routeId } = scene.route;
    const record = await scene.desk.get(`/routes/${routeId}`);
    expect(record.body).toMatchObject({
      kind: "people",
      events: ["task.waiting_for_input"],
      allowed_user_ids: ["U1", "U2"],
      retry_delays: [5, 60, 300, 1_800, 7_200],
    });
    expect(record.text).not.toContain("xoxb-1-2-secret");
    const setup = await scene.desk.get(`/routes/${routeId}/setup`);
    const url = `https://muster.example.com/channels/${routeId}/slack`;
    expect(setup.body).toMatchObject({ request_url: url, steps: expect.stringContaining(url) });

    const base = { name: "People", kind: "people", type: "slack", config: slack.config };
    const wrong = [
      [{ ...base, type: "trello" }, "type"],
      [{ ...base, events: ["task.completed"] }, "events"],
      [{ ...base, kind: "persons" }, "kind"],
      [{ ...base, config: { bot_token: "xoxb-1" } }, "config.webhook_url"],
      [{ ...base, config: { ...slack.config, channel_id: "#general" } }, "config.channel_id"],
      [{ ...base, kind: "results", allowed_user_ids: ["U1"] }, "allowed_user_ids"],
      [{ ...base, allowed_user_ids: [""] }, "allowed_user_ids.0"],
    ] as const;
    for (const [body, path] of wrong) {
      expect(refusal(await scene.desk.post("/routes", body))).toMatchObject({ status: 400, paths: [path] });
    }
    expect(refusal(await scene.desk.patch(`/routes/${routeId}`, { events: ["task.failed"] })).status).toBe(400);
    const results = await createRoute(scene.desk, "https://example.com/results");
    expect(refusal(await scene.desk.get(`/routes/${results.id}/setup`)).status).toBe(409);
    expect(refusal(await scene.desk.get(`/routes/${service.keys.anon}/setup`)).status).toBe(400);
  },
);

verifies("questions.people.route", "Discord's check of the URL is answered when it is signed", async () => {
  const scene = await openPeopleScene(service, discord);
  expect(await discord.ping(scene.route)).toEqual({ status: 200, type: 1 });
  expect((await discord.ping(scene.route, true)).status).toBe(401);
});

verifies(
  ["questions.people.answer", "questions.people.tenants"],
  "one app serves two channels of a workspace by either URL",
  async () => {
    const scene = await openPeopleScene(service, slack);
    const asked = await scene.ask("request_approval");
    const again = await scene.ask("request_approval");
    const { config, type } = slack;
    const second = await createRoute(scene.desk, "", { name: "Second", kind: "people", type, config });
    const through = { ...scene.route, routeId: second.id };
    const pressed = await slack.press(through, codeOf(asked.message, "Approve"), { person: ANA });
    expect(pressed).toMatchObject({ status: 200, notice: undefined });
    await taskIn(scene.api, asked.taskId, "completed");

    // Another app's secret does not open the first route's question.
    const other = { config: { ...config, signing_secret: "another-app-secret" } };
    expect((await scene.desk.patch(`/routes/${scene.route.routeId}`, other)).status).toBe(200);
    const refused = await slack.press(through, codeOf(again.message, "Approve"), { person: ANA });
    expect(refused).toMatchObject({ status: 200, notice: "This question no longer exists." });
  },
);

verifies("questions.people.told", "a route of kind results gets the question's text and its page", async () => {
  const receiver = await startReceiver();
  const scene = await openPeopleScene(service, slack);
  const events = ["task.waiting_for_input"];
  const route = await createRoute(scene.desk, `${receiver.url}/told`, { events });
  const agent = await createAgent(scene.api, { tools: ["request_approval"] });
  const description = callOf("request_approval", { title: "Ship it?", description: "It is ready." });
  const task = await createTask(scene.api, { title: "Release 3", description, assigned_agent_id: agent.id });
  const [delivery] = await deliveriesOver(scene.desk, route.id);
  expect(delivery).toMatchObject({ event: "task.waiting_for_input", status: "success" });
  expect(receiver.received("/told")).toMatchObject([
    {
      event: "task.waiting_for_input",
      status: "waiting_for_input",
      task_id: task.id,
      task_title: "Release 3",
      result_full: `Ship it?\n\nIt is ready.\n\nhttps://muster.example.com/r/${task.id}/answer`,
    },
  ]);
  await receiver.close();
});

verifies("questions.people.thread", "a reply in Slack's thread answers a question for a text, once", async () => {
  const scene = await openPeopleScene(service, slack);
  const person = { id: "U0ANA", name: "Ana" };
  slack.names.set(person.id, person.name);
  const asked = await scene.ask("request_input", { title: "<!channel> Which?", description: "In a few words." });
  const ignored = [{ bot_id: "B1" }, { subtype: "message_changed" }, { thread_ts: undefined }, { thread_ts: "17.1" }];
  for (const more of ignored) {
    expect(await slack.reply(scene.route, asked.message, { text: "No", person, more })).toMatchObject({ status: 200 });
  }
  const forged = await slack.reply(scene.route, asked.message, { text: "No", person, isForged: true });
  expect(forged.status).toBe(401);
  expect(await scene.questionNow(asked)).toMatchObject({ state: "open" });
  // Slack sends an event again whose response it missed.
  for (const _ of [1, 2]) {
    const text = "a &lt; b &amp; c, see <https://x.example/a_b> or <https://x.example|this>";
    const replied = await slack.reply(scene.route, asked.message, {
      text,
      person,
      more: { subtype: "thread_broadcast" },
    });
    expect(replied).toEqual({ status: 200, notice: undefined });
  }
  await taskIn(scene.api, asked.taskId, "completed");
  expect(await scene.questionNow(asked)).toMatchObject({
    answer: { text: "a < b & c, see https://x.example/a_b or this (https://x.example)" },
    answered_name: "Ana",
    answered_vendor_id: "U0ANA",
  });
  await scene.edited(asked);
  const late = await slack.reply(scene.route, asked.message, { text: "No", person: { id: "U0BEN", name: "Ben" } });
  expect(late.notice).toMatch(/Ana answered at \d\d:\d\d UTC: a &lt; b &amp; c/);
  const approval = await scene.ask("request_approval");
  expect(await slack.reply(scene.route, approval.message, { text: "yes", person })).toMatchObject({
    notice: undefined,
  });
  expect(await scene.questionNow(approval)).toMatchObject({ state: "open" });
  // Without the scope for names.
  slack.names.clear();
  const next = await scene.ask("request_input");
  await slack.reply(scene.route, next.message, { text: "Both", person });
  expect(await scene.questionNow(next)).toMatchObject({ state: "answered", answered_name: "U0ANA" });
  expectNoFaults(slack);
});

verifies("questions.people.route", "Slack's check of the URL for events is answered when it is signed", async () => {
  const scene = await openPeopleScene(service, slack);
  const checked = await slack.verifyUrl(scene.route);
  expect([checked.status, JSON.parse(checked.text)]).toEqual([200, { challenge: "a-challenge" }]);
  expect((await slack.verifyUrl(scene.route, true)).status).toBe(401);
});

verifies("questions.people.steps", "from a tool's call to its buttons there is one request to Slack", async () => {
  const scene = await openPeopleScene(service, slack);
  const asked = await scene.ask("request_approval");
  const [delivery] = await deliveriesOver(scene.desk, scene.route.routeId);
  const { attempts, attempt_count: count } = await readDelivery(scene.desk, delivery?.id ?? "");
  expect([count, attempts.length]).toEqual([1, 1]);
  expect(attempts[0]?.request.match(/POST http/g)).toHaveLength(1);
  expect(asked.message.edits).toBe(0);
});
