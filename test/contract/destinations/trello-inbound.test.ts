import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, listOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver } from "../../support/destinations/deliveries.ts";
import { SAMPLES } from "../../support/destinations/samples.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace } from "../../support/workspace.ts";
import { QUICK, createAgent, taskIn } from "../../support/work.ts";

const SECRET = "trello-app-secret";
const UNKNOWN = "01940000-0000-7000-8000-000000000000";

/** The credentials of the channel and of the sample route. */
const CREDENTIALS = { api_key: "trello-secret-key", token: "trello-secret-token" };
const AUTHORIZATION = `OAuth oauth_consumer_key="${CREDENTIALS.api_key}", oauth_token="${CREDENTIALS.token}"`;

let trello: FakeServer;
/** The lists of the cards that Trello has. */
const lists = new Map<string, string>();
let service: TestService;
let api: Api;
let console_: Api;

beforeAll(async () => {
  trello = await startFakeServer(({ method, path, headers }, response) => {
    const id = /^\/1\/cards\/(\w+)\?fields=/.exec(path)?.[1];
    if (method !== "GET") return answerJson(response, { id: "new" });
    if (headers.authorization !== AUTHORIZATION) return answerJson(response, "unauthorized", 401);
    const card = { id, name: "Write a report", desc: QUICK, shortLink: "abc123", idList: lists.get(id ?? "") };
    answerJson(response, card, card.idList === undefined ? 404 : 200);
  });
  service = await startService({ env: { TRELLO_API_BASE: trello.url, RATE_LIMIT_FREE: "3" } });
  api = apiOf(service, service.keys.api);
  console_ = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await trello.close();
});

async function createChannel(fields: Readonly<Record<string, unknown>> = {}) {
  const { id: agentId } = await createAgent(api);
  const body = { name: "Board", secret: SECRET, list_id: "todo1", assigned_agent_id: agentId, ...fields };
  const answer = await console_.post("/trello-channels", body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const { url } = fieldsOf(answer);
  return { agentId, url: String(url) };
}

function call(url: string, body: unknown, secret = SECRET) {
  const text = JSON.stringify(body);
  const signature = createHmac("sha1", secret)
    .update(text + url)
    .digest("base64");
  return send("POST", url, { body: text, headers: { "x-trello-webhook": signature } });
}

/** A card in a call: without its description, as Trello sends it. */
const card = (id: string) => ({ id, name: "Write a report", shortLink: "abc123" });
/** A new card, by any of the ways to get one. */
const arrival = (type: string, id: string, list?: string) => {
  lists.set(id, list ?? "todo1");
  return { action: { type, data: { card: card(id), ...(list !== undefined && { list: { id: list } }) } } };
};
const created = (id: string, list = "todo1") => ({
  action: { type: "createCard", data: { card: card(id), list: { id: list } } },
});
const moved = (id: string, list = "todo1") => ({
  action: { type: "updateCard", data: { card: card(id), listAfter: { id: list } } },
});

const tasksOf = async (agentId: string) =>
  listOf(await api.get("/api-tasks?limit=200")).filter((task) => task["assigned_agent_id"] === agentId);

verifies(
  "destinations.trello.inbound-verification",
  "HEAD answers Trello's check for channels that exist",
  async () => {
    const { url } = await createChannel();
    expect((await send("HEAD", url)).status).toBe(200);
    expect((await send("HEAD", url.replace(/[^/]+$/, UNKNOWN))).status).toBe(404);
    expect((await send("HEAD", url.replace(/[^/]+$/, "x"))).status).toBe(400);
    const inactive = await createChannel({ is_active: false });
    expect((await send("HEAD", inactive.url)).status).toBe(404);
  },
);

verifies(
  ["destinations.trello.inbound-creates-task", "destinations.trello.mapped-card"],
  "a card in the list becomes one task, and the result is posted to the card",
  async () => {
    lists.set("card1", "todo1");
    const { agentId, url } = await createChannel();
    const route = await createRoute(console_, "", { type: "trello", config: SAMPLES["trello"]?.config("") });
    await api.patch(`/api-agents?id=${agentId}`, { output_route_ids: [route.id] });
    for (const body of [
      created("card1"),
      created("card1"),
      moved("card1"),
      created("card2", "elsewhere"),
      moved("card2", "elsewhere"),
      { action: { type: "commentCard", data: { card: card("card3"), list: { id: "todo1" } } } },
      { something: "else" },
    ]) {
      expect((await call(url, body)).status).toBe(200);
    }
    const [task, ...others] = await tasksOf(agentId);
    expect(others).toEqual([]);
    const reads = trello.seen.filter(({ method }) => method === "GET").length;
    expect(reads).toBe(1);
    expect(task).toMatchObject({
      title: "Write a report",
      description: `${QUICK}\n\nTrello card: https://trello.com/c/abc123`,
      metadata: { trello_card_id: "card1" },
    });
    await taskIn(api, String(task?.["id"]), "completed");
    expect(await deliveriesOver(console_, route.id)).toMatchObject([{ status: "success" }]);
    expect(trello.seen.slice(reads).map(({ method, path }) => [method, path.split("?")[0]])).toEqual([
      ["PUT", "/1/cards/card1"],
      ["POST", "/1/cards/card1/actions/comments"],
    ]);
    expect(JSON.parse(trello.seen[reads]?.body ?? "")).toEqual({ idList: "list2" });

    const bare = { id: "card4", name: "Moved", shortLink: "def456" };
    await call(url, { action: { type: "updateCard", data: { card: bare, listAfter: { id: "todo1" } } } });
    expect(await tasksOf(agentId)).toMatchObject([{ description: "Trello card: https://trello.com/c/def456" }, {}]);
  },
);

verifies(
  "destinations.trello.inbound-ways",
  "each way by which a card comes into the list starts a task that has the card's description",
  async () => {
    const { agentId, url } = await createChannel(CREDENTIALS);
    const calls = [
      arrival("createCard", "way1", "todo1"),
      arrival("copyCard", "way2", "todo1"),
      arrival("emailCard", "way3", "todo1"),
      arrival("convertToCardFromCheckItem", "way4", "todo1"),
      arrival("moveCardToBoard", "way5", "todo1"),
      // Trello does not always name the list.
      arrival("moveCardToBoard", "way6"),
      arrival("copyCard", "elsewhere1", "done1"),
    ];
    lists.set("way7", "todo1");
    const unlisted = arrival("moveCardToBoard", "elsewhere2");
    lists.set("elsewhere2", "done1");
    for (const body of [...calls, moved("way7"), unlisted]) expect((await call(url, body)).status).toBe(200);
    const tasks = await tasksOf(agentId);
    const cards = tasks.map(({ metadata }) => z.object({ trello_card_id: z.string() }).parse(metadata).trello_card_id);
    expect(cards.toSorted()).toEqual(["way1", "way2", "way3", "way4", "way5", "way6", "way7"]);
    for (const { description } of tasks) expect(description).toContain(QUICK);
    const { text } = await console_.get("/trello-channels");
    for (const secret of [SECRET, ...Object.values(CREDENTIALS)]) expect(text).not.toContain(secret);
  },
);

verifies("destinations.trello.inbound-ways", "a card that cannot be read starts a task with its title", async () => {
  const { agentId, url } = await createChannel({ api_key: "revoked", token: "revoked" });
  expect((await call(url, arrival("createCard", "closed1", "todo1"))).status).toBe(200);
  expect(await tasksOf(agentId)).toMatchObject([
    { title: "Write a report", description: "Trello card: https://trello.com/c/abc123" },
  ]);
  const half = await console_.post("/trello-channels", {
    name: "B",
    secret: SECRET,
    api_key: "a",
    assigned_agent_id: agentId,
  });
  expect([half.status, half.text]).toEqual([400, expect.stringContaining("api_key and token are given together")]);
});

verifies(
  "destinations.trello.inbound-signature",
  "a call with a wrong signature is rejected and creates no task",
  async () => {
    const { agentId, url } = await createChannel();
    expect((await call(url, created("card9"), "another secret")).status).toBe(401);
    expect((await send("POST", url, { body: created("card9") })).status).toBe(401);
    const text = JSON.stringify(created("card9"));
    const elsewhere = createHmac("sha1", SECRET).update(`${text}https://elsewhere.example/`).digest("base64");
    expect((await send("POST", url, { body: text, headers: { "x-trello-webhook": elsewhere } })).status).toBe(401);
    expect(await tasksOf(agentId)).toEqual([]);
    expect(JSON.stringify(listOf(await console_.get("/trello-channels")))).not.toContain(SECRET);
  },
);

verifies(
  "destinations.trello.inbound-limit",
  "more cards a minute than the plan allows are 429, of all channels; forged calls do not count",
  async () => {
    const workspace = await addWorkspace(service.databaseUrl);
    const own = consoleOf(service, workspace.key);
    const agent = await createAgent(apiOf(service, workspace.key));
    const channel = async () => {
      const body = { name: "Board", secret: SECRET, assigned_agent_id: agent.id };
      return String(fieldsOf(await own.post("/trello-channels", body))["url"]);
    };
    const [first, second] = [await channel(), await channel()];
    for (let count = 0; count < 10; count++) {
      expect((await call(first, created("forged"), "another secret")).status).toBe(401);
      expect((await call(first, { action: { type: "commentCard", data: {} } })).status).toBe(200);
    }
    const answers = [];
    // Two minutes may be touched, not three.
    for (let count = 0; count < 7; count++)
      answers.push(await call(count % 2 === 0 ? first : second, created(`card${count}`)));
    expect(answers[0]?.status).toBe(200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused[0]?.text).toContain(
      "The workspace has used all 3 requests outside the envelope API for this minute.",
    );
    expect(refused[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
  },
);
