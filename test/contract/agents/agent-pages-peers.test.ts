import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createPage, openPage, visitorWith } from "../../support/page-scene.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let one: TestService;
let two: TestService;
let desk: Api;

beforeAll(async () => {
  one = await startService();
  two = await startPeer({ databaseUrl: one.databaseUrl, keys: one.keys });
  desk = consoleOf(one, one.keys.api);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

async function pageOf(fields: Readonly<Record<string, unknown>> = {}) {
  const { id: agentId } = await createAgent(apiOf(one, one.keys.api), { name: "Helper" });
  const { id, slug } = await createPage(desk, agentId, fields);
  const { token } = await openPage(one.url, slug);
  return { agentId, id, visitors: [one, two].map(({ url }) => visitorWith(url, slug, token)) };
}

verifies("agent-pages.limits", "two processes together take as many messages as the limit says", async () => {
  const { visitors, agentId } = await pageOf({ limits: { visitor_minute: 5 } });
  const sent = Array.from({ length: 20 }, async (_, nth) => visitors[nth % 2]?.say("[[slow:0]][[say:ok]]"));
  const statuses = (await Promise.all(sent)).map((seen) => seen?.status);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const runs = await sql(one.databaseUrl, "select from runs where agent_id = $1", [agentId]);
  expect(runs).toHaveLength(statuses.filter((status) => status === 200).length);
});

verifies("agent-pages.visit", "a message that is sent twice, at two processes at once, is answered once", async () => {
  const { visitors, agentId } = await pageOf();
  const body = { threadId: newId(), messages: [{ id: newId(), role: "user", content: "[[slow:0]][[say:once]]" }] };
  const seen = await Promise.all(visitors.map((visitor) => visitor.ask(body)));
  expect(seen.map(({ text }) => text)).toEqual(["once", "once"]);
  expect(await sql(one.databaseUrl, "select from runs where agent_id = $1", [agentId])).toHaveLength(1);
});

verifies("agent-pages.revoke", "a page that is switched off at one process ends the streams of the other", async () => {
  const { visitors, id } = await pageOf();
  const following = visitors[1]?.say("[[slow:1000]][[words:500]] Go", newId());
  await expect
    .poll(() => sql(one.databaseUrl, "select from runs where source_id = $1 and status = 'running'", [id]))
    .toHaveLength(1);
  await desk.patch(`/pages/${id}`, { is_on: false });
  const seen = await following;
  expect(seen?.events.at(-1)?.event.type).not.toMatch(/^RUN_(?:FINISHED|ERROR)$/);
});
