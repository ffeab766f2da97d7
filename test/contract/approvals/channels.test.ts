import { afterAll, beforeAll, describe, expect } from "vitest";
import { fieldsOf, refusal } from "../../support/api.ts";
import { openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene, Person } from "../../support/approvals.ts";
import { createRoute, deliveriesOver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { startDiscord } from "../../support/people/discord.ts";
import { codeOf } from "../../support/people/fake-channel.ts";
import type { FakeChannel, ShownMessage } from "../../support/people/fake-channel.ts";
import { expectNoFaults, startPublicService } from "../../support/people/scene.ts";
import { startSlack } from "../../support/people/slack.ts";
import { startTelegram } from "../../support/people/telegram.ts";
import type { TestService } from "../../support/service.ts";
import { openWorkspaceIn } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";

const STARTS = [
  ["slack", startSlack],
  ["telegram", startTelegram],
  ["discord", startDiscord],
] as const;
const [U_OWNER, U_ANA, U_BEN, U_CLEO] = ["2001", "2002", "2003", "2004"];
const CLEO = { id: U_CLEO, name: "Cleo" };

describe.each(STARTS)("%s", (_, start) => {
  let channel: FakeChannel;
  let service: TestService;
  let scene: ApprovalScene;
  let ana: Person;
  let ben: Person;
  let members: readonly { readonly member: string; readonly user_id: string }[];
  let routeId: string;

  beforeAll(async () => {
    channel = await start();
    service = await startPublicService(channel.env);
    scene = await openApprovals({ ...(await openWorkspaceIn(service)), url: service.url });
    [ana, ben] = [await scene.join("Ana", "member"), await scene.join("Ben", "member")];
    members = [
      { member: scene.owner.id, user_id: U_OWNER },
      { member: ana.id, user_id: U_ANA },
      { member: ben.id, user_id: U_BEN },
    ];
    routeId = await addRoute("Finance", { members });
  });
  afterAll(async () => {
    await service.stop();
    await channel.close();
  });

  async function addRoute(name: string, fields: object = {}): Promise<string> {
    const { type, config } = channel;
    return (await createRoute(scene.desk, "", { name, kind: "people", type, config, ...fields })).id;
  }

  /** Starts a run whose rule asks, and waits for the new message of its question. */
  async function asked(
    rule: object,
    input?: object,
  ): Promise<{ taskId: string; questionId: string; message: ShownMessage }> {
    const before = new Set(channel.messages().map(({ id }) => id));
    const taskId = await scene.start((await scene.agentWith([{ name: "Trips", keys: false, ...rule }])).id, input);
    const message = await eventually("the message is there", () =>
      channel.messages().find(({ id }) => !before.has(id)),
    );
    return { taskId, questionId: (await scene.question(taskId)).id, message };
  }

  const press = (message: ShownMessage, label: string, person: { readonly id: string; readonly name: string }) =>
    channel.press({ url: service.url, routeId }, codeOf(message, label), { person });
  const ANA = { id: U_ANA, name: "ana-at-the-vendor" };
  const BEN = { id: U_BEN, name: "ben-at-the-vendor" };
  const shown = (message: ShownMessage, text: string) =>
    eventually(`the message says “${text}”`, () => {
      const now = channel.messages().find(({ id }) => id === message.id);
      return now?.text.includes(text) === true && now;
    });

  verifies(
    ["approvals.channel", "approvals.channel.votes", "approvals.record"],
    "members vote by buttons, each once, and the message says who did",
    async () => {
      const { taskId, questionId, message } = await asked({ ask: { channel: "Finance" }, need: 2 });
      expect(message.text).toContain("The rule “Trips” asks about every call. The run has cost $0.00 so far.");
      expect(message.text).toContain("0 of 2 approved.");
      const stranger = await press(message, "Approve", CLEO);
      expect(stranger).toMatchObject({ status: 200, notice: expect.stringContaining("Only members may answer this") });
      const starter = await press(message, "Approve", { id: U_OWNER, name: "Owner" });
      expect(starter.notice).toContain("You started this run");
      expect(await press(message, "Approve", ANA)).toMatchObject({ status: 200, notice: undefined });
      const open = await shown(message, "1 of 2 approved: Ana.");
      expect(open.buttons.map(({ label }) => label)).toEqual(["Approve", "Reject", "Open the question"]);
      expect(await press(open, "Approve", ANA)).toMatchObject({ status: 200, notice: undefined });
      expect((await press(open, "Reject", ANA)).notice).toContain("You approved it already");
      expect((await scene.question(taskId)).votes).toHaveLength(1);
      expect(await press(open, "Approve", BEN)).toMatchObject({ status: 200, notice: undefined });
      await taskIn(scene.api, taskId, "completed");
      expect(fieldsOf(await scene.desk.get(`/questions/${questionId}`))).toMatchObject({
        state: "answered",
        answered_by: { id: ben.id, name: "Ben" },
        answered_vendor_id: U_BEN,
        answered_via: channel.type,
        votes: [
          { by: { name: "Ana" }, approved: true, via: channel.type },
          { by: { name: "Ben" }, approved: true, via: channel.type },
        ],
      });
      const closed = await shown(message, "Ana, Ben answered at");
      expect([closed.buttons, closed.text]).toEqual([[], expect.stringContaining(": approved")]);
      const code = codeOf(message, "Reject");
      const late = await channel.press({ url: service.url, routeId }, code, { person: CLEO });
      expect(late.notice).toMatch(/Ana, Ben answered at \d\d:\d\d UTC: approved/);
      expectNoFaults(channel);
    },
  );

  verifies("approvals.channel.votes", "votes elsewhere show in the message, and a denial there closes it", async () => {
    const { taskId, questionId, message } = await asked({ ask: { channel: routeId }, need: 2, denials: 1, keys: true });
    expect((await ana.vote(taskId, true, questionId)).status).toBe(200);
    await shown(message, "1 of 2 approved: Ana.");
    expect(await press(message, "Reject", BEN)).toMatchObject({ status: 200, notice: undefined });
    expect((await taskIn(scene.api, taskId, "completed")).result).toContain("did not approve");
    await shown(message, "Ben answered at");
    expectNoFaults(channel);
  });

  verifies(
    ["approvals.channel", "approvals.escalation"],
    "an escalation asks in its channel, which hears nothing before, and others hear nothing at all",
    async () => {
      const other = await addRoute("Other");
      const rule = { ask: { people: [ben.id] }, after: [{ seconds: 1, ask: { channel: "Finance" } }], keys: true };
      const count = channel.messages().length;
      const { taskId, questionId, message } = await asked(rule);
      expect(channel.messages()).toHaveLength(count + 1);
      expect((await scene.question(taskId)).may_answer?.map(({ name }) => name)).toEqual(["Ana", "Ben"]);
      expect(await press(message, "Approve", ANA)).toMatchObject({ status: 200, notice: undefined });
      await taskIn(scene.api, taskId, "completed");
      const told = await scene.desk.get(`/deliveries?route_id=${other}`);
      expect([told.status, told.body]).toEqual([200, []]);
      expect((await ben.vote(taskId, true, questionId)).text).toContain("Ana approved it first");
      await scene.desk.call("DELETE", `/routes/${other}`);
    },
  );

  verifies("approvals.channel", "other questions for members have buttons for those whom the route knows", async () => {
    const config = { requires_approval: ["current_time"], approvers: "members" };
    const before = channel.messages().length;
    const taskId = await scene.start((await scene.agentWith([], { config })).id);
    const message = await eventually("the message is there", () => channel.messages()[before]);
    expect((await press(message, "Approve", CLEO)).notice).toContain("Only members may answer this");
    expect(await press(message, "Approve", ANA)).toMatchObject({ status: 200, notice: undefined });
    await taskIn(scene.api, taskId, "completed");
    await shown(message, "Ana answered at");
  });

  verifies(
    "approvals.channel.left",
    "who has left, or may no longer answer, is a stranger in the channel",
    async () => {
      const DORA = { id: "2005", name: "Dora" };
      const dora = await scene.join("Dora", "member");
      const more = [{ member: dora.id, user_id: DORA.id }, ...members];
      expect((await scene.desk.patch(`/routes/${routeId}`, { members: more })).status).toBe(200);
      const three = await asked({ ask: { channel: routeId }, need: 3 });
      const before = channel.messages().length;
      const config = { requires_approval: ["current_time"], approvers: "members" };
      const taskId = await scene.start((await scene.agentWith([], { config })).id);
      const message = await eventually("the message is there", () => channel.messages()[before]);
      expect((await scene.desk.patch(`/members/${dora.id}`, { role: "viewer" })).status).toBe(200);
      expect((await press(message, "Approve", DORA)).notice).toContain("Only members may answer this");
      expect((await scene.desk.call("DELETE", `/members/${dora.id}`)).status).toBe(204);
      expect((await press(message, "Approve", DORA)).notice).toContain("Only members may answer this");
      const record = fieldsOf(await scene.desk.get(`/routes/${routeId}`));
      expect(record["members"]).toEqual(members);
      expect((await press(message, "Reject", ANA)).notice).toBeUndefined();
      await taskIn(scene.api, taskId, "completed");
      await shown(message, "Ana answered at");
      for (const person of [ANA, BEN]) {
        expect((await press(three.message, "Approve", person)).notice).toBeUndefined();
      }
      await shown(three.message, "2 of 3 approved: Ana, Ben. Nobody else could, so at");
      expect((await ben.vote(three.taskId, true, three.questionId)).text).toContain("It is decided: it is denied.");
      expectNoFaults(channel);
    },
  );

  verifies(
    "approvals.channel.shown",
    "a message shows arguments as they are, and what is done with it later",
    async () => {
      const note =
        "||hidden|| **bold** [Approve](https://evil.example/a_b) <!channel> # `x` \u202eside \u200b\u{e0041}";
      const input = { time_zone: note };
      const { taskId, message } = await asked({ ask: { channel: routeId }, else: "allow" }, input);
      const text = message.text.replaceAll("@\u200b", "@");
      expect(text).toContain(
        String.raw`"time_zone": "||hidden|| **bold** [Approve](https://evil.example/a_b) <!channel> # ` + "`x`",
      );
      expect(text).toContain(String.raw`\u202eside \u200b\udb40\udc41"`);
      expect(text).not.toContain("```");
      expect(text).toContain("Then the call is allowed without approval.");
      expect((await scene.question(taskId)).request.description).toContain("```json\n{\n");
      channel.remove(message.id);
      expect(await press(message, "Approve", ANA)).toMatchObject({ status: 200, notice: undefined });
      await taskIn(scene.api, taskId, "completed");
      const edits = await deliveriesOver(scene.desk, routeId);
      expect(edits.filter(({ status }) => status !== "success")).toEqual([]);
      const long = await asked({ ask: { channel: routeId } }, { time_zone: "x".repeat(20_000) });
      expect(long.message.text).toContain("The rule “Trips” asks about every call.");
      expect(long.message.text).toMatch(/the beginning of these arguments; 11,0\d\d more characters are in the run:/);
      expect((await scene.api.delete(`/api-tasks?id=${long.taskId}`)).status).toBe(204);
    },
  );

  verifies("approvals.channel.refused", "a rule is refused when its channel does not exist or is off", async () => {
    const save = (ask: object, need = 1) =>
      scene.desk.call("PUT", "/workspace/approvals", { body: { approvals: [{ when: {}, ask, need }] } });
    const off = await addRoute("Off", { is_active: false });
    const results = await createRoute(scene.desk, "https://example.com/results");
    for (const name of ["Nowhere", off, "Off", results.id, crypto.randomUUID()]) {
      expect(refusal(await save({ channel: name }))).toMatchObject({ status: 400, paths: ["approvals.0.ask.channel"] });
    }
    const unmet = refusal(await save({ channel: "Finance" }, 4));
    expect(unmet).toMatchObject({ status: 400, paths: ["approvals.0.need"] });
    const twin = await addRoute("Finance");
    expect(refusal(await save({ channel: "Finance" })).paths).toEqual(["approvals.0.ask.channel"]);
    expect((await save({ channel: routeId }, 2)).status).toBe(200);
    await save({ role: "admin" });
    for (const id of [off, results.id, twin]) await scene.desk.call("DELETE", `/routes/${id}`);
    const empty = await scene.desk.call("PUT", "/workspace/approvals", { body: { approvals: [] } });
    expect(empty.status).toBe(200);
  });

  verifies(
    "approvals.channel.members",
    "the members of a route are members, each once, each with an own id",
    async () => {
      const patch = (members: readonly object[]) => scene.desk.patch(`/routes/${routeId}`, { members });
      const cases = [
        [[{ member: "nobody@example.com" }], "members.0.member"],
        [[{ member: ana.id }, { member: ana.email }], "members.1.member"],
        [
          [
            { member: ana.id, user_id: "1" },
            { member: ben.id, user_id: "1" },
          ],
          "members.1.user_id",
        ],
        [[{ member: ana.id, user_id: "" }], "members.0.user_id"],
      ] as const;
      for (const [members, path] of cases) {
        expect(refusal(await patch(members))).toMatchObject({ status: 400, paths: [path] });
      }
      const record = fieldsOf(await scene.desk.get(`/routes/${routeId}`));
      expect(record["members"]).toContainEqual({ member: ana.id, user_id: U_ANA });
      expect((await scene.desk.patch(`/routes/${routeId}`, record)).status).toBe(200);
      const results = {
        name: "Results",
        type: "http",
        config: { url: "https://example.com/x" },
        members: [{ member: ana.id }],
      };
      expect(refusal(await scene.desk.post("/routes", results))).toMatchObject({ status: 400, paths: ["members"] });
      expect(refusal(await ana.desk.patch(`/routes/${routeId}`, { members: [] })).status).toBe(403);
      const audit = await scene.desk.get("/audit?action=route.created");
      expect(audit.text).toContain(U_ANA);
    },
  );
});
