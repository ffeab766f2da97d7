import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { fieldsOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { openAccountScene } from "../../support/mcp/account-scene.ts";
import type { AccountScene } from "../../support/mcp/account-scene.ts";
import { startDiscord } from "../../support/people/discord.ts";
import { codeOf } from "../../support/people/fake-channel.ts";
import type { FakeChannel } from "../../support/people/fake-channel.ts";
import type { FakeTalk } from "../../support/talk/fake-talk.ts";
import { startSlackTalk } from "../../support/talk/slack.ts";
import { orderOf } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";

const runs = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
const ANA = { id: "1001", name: "Ana" };

let slack: FakeTalk;
let discord: FakeChannel;
let scene: AccountScene;
let name: string;

beforeAll(async () => {
  [slack, discord] = await Promise.all([startSlackTalk(), startDiscord()]);
  scene = await openAccountScene({ ...slack.env, ...discord.env });
  const registered = await scene.register({ account: "person" });
  ({ name } = registered);
  scene.server.account = "ada";
  await scene.connect(scene.ada, registered.id);
});
afterAll(async () => {
  await scene.close();
  await Promise.all([slack.close(), discord.close()]);
});

async function addRoute(fields: object): Promise<string> {
  const made = await scene.ada.post("/routes", { name: "Talk", retry_delays: [1], ...fields });
  if (made.status !== 201) throw new Error(made.text);
  return String(fieldsOf(made)["id"]);
}

verifies(
  "mcp.account.channel",
  "who writes to an agent in a channel does not use the account of the person who connected the channel",
  async () => {
    const { type, config, allowed } = slack;
    const agentId = await scene.agentOf(name);
    const route = { kind: "agent", type, config, agent_id: agentId, allowed_user_ids: allowed };
    const to = { url: scene.service.url, routeId: await addRoute(route) };
    await slack.send(to, slack.compose("[[slow:0]][[say:Hello.]]", { person: ANA }));
    const first = await eventually("the answer", () => slack.messages().find(({ text }) => text.includes("Hello.")));
    const order = orderOf(`${name}--whoami`, { text: "of Ana" });
    await slack.send(to, slack.compose(order, { person: ANA, replyTo: first.thread ?? undefined }));
    const [run] = runs.parse((await scene.ada.get("/runs?source=channel")).body).items;
    expect((await scene.questionOf(run?.id ?? "")).text).toContain(`Connect an account at ${name}`);
    expect(scene.server.calls).toEqual([]);
  },
);

verifies("mcp.account.channel", "a press in a channel approves a call, but lends no account", async () => {
  const { type, config } = discord;
  const members = [{ member: scene.ada.session.user.id, user_id: ANA.id }];
  const routeId = await addRoute({ kind: "people", type, config, members });
  const agentId = await scene.agentOf(name, { config: { requires_approval: [`mcp:${name}/whoami`] } });
  const task = await scene.start(scene.api, agentId, { name, text: "pressed" });
  const asked = await eventually("the question", () => discord.messages().at(-1));
  const pressed = await discord.press({ url: scene.service.url, routeId }, codeOf(asked, "Approve"), { person: ANA });
  expect(pressed).toMatchObject({ status: 200, notice: undefined });
  const question = await eventually("it asks for an account", async () => {
    const open = await scene.questionOf(task);
    return open.text.includes("Connect an account") && open;
  });
  expect(scene.server.calls).toEqual([]);
  await scene.ada.post(`/tasks/${task}/answer`, { interactionId: question.id, approved: true });
  expect(await scene.resultOf(agentId, task)).toBe("ada: pressed");
});
