import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitOf } from "#destinations/delivery/rate-limit.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver, readDelivery, readRoute } from "../../support/destinations/deliveries.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask } from "../../support/work.ts";

type Respond = (request: SeenRequest, response: ServerResponse) => void;

let service: TestService;
let vendor: FakeServer;
let respond: Respond;
let api: Api;
let console_: Api;

beforeAll(async () => {
  vendor = await startFakeServer((request, response) => respond(request, response));
  const env = { ALLOW_PRIVATE_URLS: "true", DELIVERY_LIMIT_WAIT: "90", DISCORD_API_BASE: vendor.url };
  service = await startService({ env });
  api = apiOf(service, service.keys.api);
  console_ = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await vendor.close();
});

/** Rejects as a vendor with a rate limit does. */
const limited = (response: ServerResponse, seconds: number) =>
  response.writeHead(429, { "retry-after": String(seconds) }).end("{}");

/** Discord's webhooks: so many requests per window. */
function discordLimit({ requests, windowMs }: { readonly requests: number; readonly windowMs: number }) {
  const accepted: string[] = [];
  let [from, used, rejected] = [0, 0, 0];
  const answer: Respond = ({ body }, response) => {
    const now = Date.now();
    if (now - from >= windowMs) [from, used] = [now, 0];
    if (used < requests) {
      used += 1;
      accepted.push(body);
      response.writeHead(204).end();
      return;
    }
    rejected += 1;
    const left = (windowMs - (now - from)) / 1_000;
    response.writeHead(429, { "retry-after": String(Math.ceil(left)) });
    response.end(JSON.stringify({ message: "You are being rate limited.", retry_after: left, global: false }));
  };
  return { answer, accepted, rejected: () => rejected };
}

verifies(
  "routes.delivery.rate-limit",
  "30 tasks that end together all reach a Discord channel that takes 5 messages in 2 seconds",
  async () => {
    const discord = discordLimit({ requests: 5, windowMs: 2_000 });
    respond = discord.answer;
    const config = { webhook_url: "https://discord.com/api/webhooks/1/a-token" };
    const { id } = await createRoute(console_, "", { type: "discord", config, retry_delays: undefined });
    const { id: agentId } = await createAgent(api, { output_route_ids: [id] });
    const titles = Array.from({ length: 30 }, (_, index) => `Report ${index}.`);
    await Promise.all(
      titles.map((title) => createTask(api, { title, description: QUICK, assigned_agent_id: agentId })),
    );
    const over = await deliveriesOver(console_, id, titles.length);
    expect(over.map(({ status }) => status)).toEqual(titles.map(() => "success"));
    expect(over.map(({ attempt_count: count }) => count)).toEqual(titles.map(() => 1));
    for (const title of titles)
      expect(
        discord.accepted.filter((body) => body.includes(title)),
        title,
      ).toHaveLength(1);
    // At most 16 are in flight at the first 429; afterwards they go out one by one, so each window rejects one or two. If
    // all that wait went out again, the windows would reject 75.
    expect(discord.rejected()).toBeLessThan(titles.length);
    expect(await readRoute(console_, id)).toMatchObject({ health: "healthy", failures_in_row: 0 });
  },
  { tags: "slow", timeout: 120_000 },
);

verifies("routes.delivery.rate-limit", "a 429 is logged, and counts as no attempt", async () => {
  let rejections = 2;
  respond = (_, response) => (rejections-- > 0 ? limited(response, 1) : answerJson(response, {}));
  const { id } = await createRoute(console_, `${vendor.url}/a`, { retry_delays: [] });
  await console_.post(`/routes/${id}/test`, {});
  const [delivery] = await deliveriesOver(console_, id);
  expect(delivery).toMatchObject({ status: "success", attempt_count: 1, http_code: 200 });
  const { attempts } = await readDelivery(console_, delivery?.id ?? "");
  expect(attempts).toMatchObject([
    { attempt: 1, status: "failed", http_code: 429 },
    { attempt: 1, status: "failed", http_code: 429 },
    { attempt: 1, status: "success", http_code: 200 },
  ]);
});

verifies("routes.delivery.rate-limit", "a delivery that has waited long enough fails by its attempts", async () => {
  const impatient = await startService({ env: { ALLOW_PRIVATE_URLS: "true", DELIVERY_LIMIT_WAIT: "1" } });
  try {
    respond = (_, response) => limited(response, 3_600);
    const console_ = consoleOf(impatient, impatient.keys.api);
    const { id } = await createRoute(console_, `${vendor.url}/b`, { retry_delays: [1] });
    await console_.post(`/routes/${id}/test`, {});
    const [delivery] = await deliveriesOver(console_, id);
    expect(delivery).toMatchObject({ status: "failed", attempt_count: 2, http_code: 429 });
    const { attempts } = await readDelivery(console_, delivery?.id ?? "");
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  } finally {
    await impatient.stop();
  }
});

test.each([
  ["Slack: header", 429, { "retry-after": "30" }, "rate_limited", 30_000],
  ["Discord: the body is more precise", 429, { "retry-after": "1" }, '{"retry_after":1.337,"global":false}', 1_337],
  ["Telegram: body", 429, {}, '{"ok":false,"error_code":429,"parameters":{"retry_after":35}}', 35_000],
  ["no hint", 429, {}, "", 1_000],
  ["a negative or strange hint", 429, { "retry-after": "-5" }, '{"retry_after":"soon"}', 1_000],
  ["GitHub's secondary limit", 403, { "retry-after": "60" }, "", 60_000],
  ["maintenance", 503, { "retry-after": "120" }, "", 120_000],
  ["forbidden", 403, {}, '{"retry_after":3}', undefined],
  ["a server error", 500, { "retry-after": "60" }, "", undefined],
] as const)("%s", (_, status, headers, text, wait) => {
  expect(waitOf({ status, headers, text }, Date.now())).toBe(wait);
});
