import { afterAll, beforeAll, describe, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { z } from "zod";
import { CHOICES, FORM_FIELDS } from "../../support/interactions.ts";
import { startDiscord } from "../../support/people/discord.ts";
import { codeOf, unixSeconds } from "../../support/people/fake-channel.ts";
import type { FakeChannel } from "../../support/people/fake-channel.ts";
import { ANA, BEN, expectNoFaults, openPeopleScene, startPublicService } from "../../support/people/scene.ts";
import { startSlack } from "../../support/people/slack.ts";
import { startTelegram } from "../../support/people/telegram.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { stopTask, taskIn } from "../../support/work.ts";

const STARTS = [
  ["slack", startSlack],
  ["telegram", startTelegram],
  ["discord", startDiscord],
] as const;
/** What no vendor takes in full. */
const LONG = "<@U1> @everyone *_[`😀".repeat(400);
const OUTCOME = /Ana answered at \d\d:\d\d UTC: /;

describe.each(STARTS)("%s", (_, start) => {
  let channel: FakeChannel;
  let service: TestService;

  beforeAll(async () => {
    channel = await start();
    service = await startPublicService(channel.env);
  });
  afterAll(async () => {
    await service.stop();
    await channel.close();
  });

  const KINDS = [
    ["request_approval", {}, "Approve", { approved: true }, "approved"],
    ["request_approval", {}, "Reject", { approved: false }, "rejected"],
    ["request_confirmation", { data: { amount: 12 } }, "Approve", { approved: true, data: { amount: 12 } }, "approved"],
    ["request_choice", { choices: CHOICES }, "Blue", { selectedOptionId: "blue" }, "Blue"],
  ] as const;

  verifies(
    ["questions.people.ask", "questions.people.answer", "questions.people.edited"],
    "a press answers each kind of question with buttons",
    async () => {
      const scene = await openPeopleScene(service, channel);
      for (const [tool, fields, label, answer, word] of KINDS) {
        const asked = await scene.ask(tool, fields);
        expect(asked.message.text).toContain("Ship it?");
        expect(asked.message.text).toContain("Asker asks: Release 2");
        expect(asked.message.buttons.at(-1)?.url).toMatch(/^https:\/\/muster\.example\.com\/a#token=/);
        const pressed = await channel.press(scene.route, codeOf(asked.message, label), { person: ANA });
        expect(pressed).toMatchObject({ status: 200, notice: undefined });
        await taskIn(scene.api, asked.taskId, "completed");
        expect(await scene.questionNow(asked)).toMatchObject({
          state: "answered",
          answered_by: null,
          answered_name: "Ana",
          answered_vendor_id: ANA.id,
          answered_via: channel.type,
          answer,
        });
        const { text, buttons } = await scene.edited(asked);
        expect(text).toMatch(OUTCOME);
        expect(text).toContain(`: ${word}`);
        expect(buttons).toEqual([]);
      }
      const audit = await scene.desk.get("/audit?action=question.answered");
      const entries = z.object({ items: z.array(z.unknown()) }).parse(audit.body).items;
      expect(entries).toHaveLength(KINDS.length);
      expect(entries[0]).toMatchObject({
        actor: null,
        changes: { answered_by: [null, `Ana (${channel.type} ${ANA.id})`] },
      });
      expectNoFaults(channel);
    },
  );

  verifies(
    ["questions.people.answer", "questions.people.edited"],
    "a text is written in a modal or a reply",
    async () => {
      const scene = await openPeopleScene(service, channel);
      const asked = await scene.ask("request_input", { description: "In a few words." });
      const written = await channel.write(scene.route, asked.message, "Because it is *ready*", { person: ANA });
      expect(written).toMatchObject({ status: 200, notice: undefined });
      await taskIn(scene.api, asked.taskId, "completed");
      expect(await scene.questionNow(asked)).toMatchObject({
        answer: { text: "Because it is *ready*" },
        answered_name: "Ana",
      });
      expect((await scene.edited(asked)).text).toContain("Because it is *ready*");
      const late = await channel.write(scene.route, asked.message, "No", { person: BEN });
      expect(late.status).toBe(200);
      expect(late.notice).toMatch(OUTCOME);
      expectNoFaults(channel);
    },
  );

  verifies("questions.people.ask", "forms, wizards and long choices are answered by the link", async () => {
    const scene = await openPeopleScene(service, channel);
    const many = Array.from({ length: 30 }, (_, index) => ({ id: `o${index}`, label: `Option ${index}` }));
    const steps = [{ stepId: "one", type: "approval", title: "Page one" }];
    for (const [tool, fields] of [
      ["request_form", { fields: FORM_FIELDS }],
      ["request_wizard", { steps }],
      ["request_choice", { choices: many }],
    ] as const) {
      const { message } = await scene.ask(tool, fields);
      expect(message.buttons).toMatchObject([
        { label: "Open the question", url: expect.stringContaining("/a#token=") },
      ]);
    }
    expectNoFaults(channel);
  });

  verifies("questions.people.limits", "whatever a question holds, the vendor accepts its message", async () => {
    const scene = await openPeopleScene(service, channel);
    const choices = Array.from({ length: 20 }, (_, index) => ({
      id: `option-${"x".repeat(80)}-${index}`,
      label: `${index} ${LONG}`.slice(0, 500),
    }));
    const title = LONG.slice(0, 200);
    for (const [tool, fields] of [
      ["request_choice", { choices }],
      ["request_confirmation", { data: { text: LONG } }],
      ["request_input", {}],
      ["request_approval", {}],
    ] as const) {
      const asked = await scene.ask(tool, { title, description: LONG, ...fields });
      expect(asked.message.text).toContain("…");
      const answer = { interactionId: asked.questionId, approved: false, text: LONG, selectedOptionId: choices[0]?.id };
      const given = await scene.desk.post(`/tasks/${asked.taskId}/answer`, answer);
      expect(given.status, given.text).toBe(200);
      await scene.edited(asked);
    }
    expectNoFaults(channel);
  });

  verifies(
    ["questions.people.second", "questions.people.edited"],
    "a press on a question that was answered elsewhere or cancelled has no effect",
    async () => {
      const scene = await openPeopleScene(service, channel);
      const asked = await scene.ask("request_approval");
      const code = codeOf(asked.message, "Approve");
      const answer = { interactionId: asked.questionId, approved: false };
      expect((await scene.desk.post(`/tasks/${asked.taskId}/answer`, answer)).status).toBe(200);
      const { text } = await scene.edited(asked);
      expect(text).toMatch(/answered at \d\d:\d\d UTC: rejected/);
      const late = await channel.press(scene.route, code, { person: BEN });
      expect(late.status).toBe(200);
      expect(late.notice).toMatch(/answered at \d\d:\d\d UTC: rejected/);

      const cancelled = await scene.ask("request_approval");
      await stopTask(scene.api, cancelled.taskId);
      expect((await scene.edited(cancelled)).text).toContain("The question was cancelled.");
      const after = await channel.press(scene.route, codeOf(cancelled.message, "Approve"), { person: BEN });
      expect(after).toMatchObject({ status: 200, notice: "The question was cancelled." });

      const brief = await scene.ask("request_approval", { timeoutMs: 2_000 });
      expect((await scene.edited(brief)).text).toContain("No answer came in time.");
      const past = await channel.press(scene.route, codeOf(brief.message, "Approve"), { person: BEN });
      expect(past).toMatchObject({ status: 200, notice: "No answer came in time." });
      expectNoFaults(channel);
    },
  );

  verifies("questions.people.signed", "forged and old calls are rejected, repeated ones take effect once", async () => {
    const scene = await openPeopleScene(service, channel);
    const asked = await scene.ask("request_approval");
    const code = codeOf(asked.message, "Approve");
    expect((await channel.press(scene.route, code, { person: ANA, isForged: true })).status).toBe(401);
    if (channel.type !== "telegram") {
      for (const seconds of [-310, 310]) {
        const signedAt = unixSeconds() + seconds;
        expect((await channel.press(scene.route, code, { person: ANA, signedAt })).status).toBe(401);
      }
    }
    expect(await scene.questionNow(asked)).toMatchObject({ state: "open" });
    for (const _ of [1, 2]) {
      expect(await channel.press(scene.route, code, { person: ANA })).toMatchObject({ status: 200, notice: undefined });
    }
    await taskIn(scene.api, asked.taskId, "completed");
    const unknown = { ...scene.route, routeId: asked.questionId };
    expect((await channel.press(unknown, code, { person: ANA })).status).toBe(404);
    const odd = await channel.press(scene.route, "another app's button", { person: ANA });
    expect(odd.status).toBe(200);
    const body = await fetch(`${service.url}/channels/${scene.route.routeId}/${channel.type}`, {
      method: "POST",
      body: "{",
    });
    expect(body.status).toBe(401);
  });

  verifies("questions.people.tenants", "a call reaches no question of another workspace", async () => {
    const [mine, theirs] = [await openPeopleScene(service, channel), await openPeopleScene(service, channel)];
    const asked = await theirs.ask("request_approval");
    // The same app, and even the same secret: the path decides the workspace.
    const pressed = await channel.press(mine.route, codeOf(asked.message, "Approve"), { person: ANA });
    expect(pressed).toMatchObject({ status: 200, notice: "This question no longer exists." });
    expect(await theirs.questionNow(asked)).toMatchObject({ state: "open" });
    await mine.desk.patch(`/routes/${mine.route.routeId}`, { is_active: false });
    expect((await channel.press(mine.route, "x", { person: ANA })).status).toBe(404);
  });

  verifies("questions.people.allowed", "only people on the list answer", async () => {
    const scene = await openPeopleScene(service, channel, { allowed_user_ids: [ANA.id] });
    const asked = await scene.ask("request_approval");
    const code = codeOf(asked.message, "Approve");
    const refused = await channel.press(scene.route, code, { person: BEN });
    expect(refused).toMatchObject({ status: 200, notice: "You are not on the list of people who may answer here." });
    expect(await scene.questionNow(asked)).toMatchObject({ state: "open" });
    await channel.press(scene.route, code, { person: ANA });
    expect(await scene.questionNow(asked)).toMatchObject({ answered_name: "Ana" });
  });

  verifies("questions.people.members", "a question for members only has no buttons", async () => {
    const scene = await openPeopleScene(service, channel);
    const config = { requires_approval: ["current_time"], approvers: "members" };
    const asked = await scene.ask("current_time", { title: undefined, timeoutMs: undefined }, config);
    expect(asked.message.buttons).toEqual([
      { label: "Open the question", url: `https://muster.example.com/r/${asked.taskId}/answer` },
    ]);
  });

  verifies("questions.people.ask", "a test of the route asks a question that nobody can answer", async () => {
    const scene = await openPeopleScene(service, channel);
    const count = channel.messages().length;
    const sent = await scene.desk.post(`/routes/${scene.route.routeId}/test`, {});
    expect(sent.body).toMatchObject({ event: "question.asked", is_test: true });
    const message = await eventually("the test is shown", () => channel.messages()[count]);
    expect(message.text).toContain("Test delivery");
    const pressed = await channel.press(scene.route, codeOf(message, "Approve"), { person: ANA });
    expect(pressed).toMatchObject({ status: 200, notice: expect.stringContaining("This is a test") });
  });
});
