import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import type { Answer } from "../../support/api.ts";
import { readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const [ROUTES, DELIVERIES, HOOKS] = ["/console/api/routes", "/console/api/deliveries", "/console/api/hooks"] as const;

let service: TestService;
let checked: Described["checked"];

beforeAll(async () => {
  service = await startService({ env: { GOOGLE_OAUTH_CLIENT_ID: "id", GOOGLE_OAUTH_CLIENT_SECRET: "secret" } });
  ({ checked } = await readDescription(service));
});
afterAll(() => service.stop());

const idOf = (answer: Answer): string => z.looseObject({ id: z.uuid() }).parse(answer.body).id;

verifies("envelope.openapi.describes-answers", "output routes and deliveries are as the document says", async () => {
  const config = { url: "https://localhost:1/", secret: "a secret of mine" };
  const route = await checked("POST", ROUTES, {
    body: { name: "R", type: "http", config: { ...config, url: "https://e.invalid/" } },
  });
  const webhook = { webhook_url: "https://hooks.slack.com/services/T0/B0/x" };
  const people = await checked("POST", ROUTES, { body: { name: "P", kind: "people", type: "slack", config: webhook } });
  const at = `${ROUTES}/${idOf(route)}`;
  const test = await checked("POST", `${ROUTES}/{id}/test`, { at: `${at}/test`, body: {} });
  const atDelivery = `${DELIVERIES}/${idOf(test)}`;
  const readDelivery = () => checked("GET", `${DELIVERIES}/{id}`, { at: atDelivery });
  await eventually(
    "an attempt",
    async () => z.looseObject({ attempt_count: z.literal(1) }).safeParse((await readDelivery()).body).success,
  );
  const statuses = [
    await checked("GET", "/console/api/route-types"),
    route,
    await checked("POST", ROUTES, { body: { name: "R", type: "http", config } }),
    await checked("GET", ROUTES),
    await checked("GET", `${ROUTES}/{id}`, { at }),
    await checked("PATCH", `${ROUTES}/{id}`, { at, body: { name: "S" } }),
    test,
    await readDelivery(),
    await checked("GET", DELIVERIES),
    await checked("GET", DELIVERIES, { at: `${DELIVERIES}?status=odd` }),
    await checked("GET", `${DELIVERIES}/health`),
    await checked("POST", `${DELIVERIES}/{id}/redeliver`, { at: `${atDelivery}/redeliver`, body: {} }),
    await checked("POST", `${DELIVERIES}/redeliver`, { body: { since: "2026-01-01T00:00:00Z" } }),
    await checked("GET", `${DELIVERIES}/{id}`, { at: `${DELIVERIES}/${UNKNOWN}` }),
    await checked("GET", `${ROUTES}/{id}/setup`, { at: `${at}/setup` }),
    await checked("GET", `${ROUTES}/{id}/setup`, { at: `${ROUTES}/${idOf(people)}/setup` }),
    await checked("POST", "/channels/{routeId}/{vendor}", { at: `/channels/${idOf(people)}/slack`, body: {} }),
    await checked("POST", "/channels/{routeId}/{vendor}", { at: `/channels/${UNKNOWN}/slack`, body: {} }),
    await checked("DELETE", `${ROUTES}/{id}`, { at }),
    await checked("POST", `${ROUTES}/{id}/test`, { at: `${at}/test`, body: {} }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([
    200, 201, 400, 200, 200, 200, 201, 200, 200, 400, 200, 201, 201, 404, 409, 200, 401, 404, 204, 404,
  ]);
});

verifies("envelope.openapi.describes-answers", "subscriptions in the console are as the document says", async () => {
  const hook = await checked("POST", HOOKS, { body: { target_url: "https://example.com/", event: "task_failed" } });
  const at = `${HOOKS}/${idOf(hook)}`;
  const statuses = [
    hook,
    await checked("POST", HOOKS, { body: {} }),
    await checked("GET", HOOKS),
    await checked("GET", `${HOOKS}/{id}`, { at }),
    await checked("PATCH", `${HOOKS}/{id}`, { at, body: { is_active: false } }),
    await checked("POST", `${HOOKS}/{id}/rotate`, { at: `${at}/rotate`, body: {} }),
    await checked("DELETE", `${HOOKS}/{id}`, { at }),
    await checked("DELETE", `${HOOKS}/{id}`, { at }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 400, 200, 200, 200, 200, 204, 404]);
});

verifies(
  "envelope.openapi.describes-answers",
  "Google accounts and Trello channels are as the document says",
  async () => {
    const [google, channels] = ["/console/api/google-account", "/console/api/trello-channels"];
    const agent = await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } });
    const body = { name: "Board", secret: "s", assigned_agent_id: idOf(agent) };
    const channel = await checked("POST", channels, { body });
    const at = `${channels}/${idOf(channel)}`;
    const statuses = [
      await checked("GET", google),
      await checked("POST", `${google}/connect`, { body: {} }),
      await checked("POST", `${google}/finish`, { body: { state: "unknown", code: "code" } }),
      await checked("DELETE", google),
      channel,
      await checked("POST", channels, { body: { ...body, assigned_agent_id: UNKNOWN } }),
      await checked("GET", channels),
      await checked("GET", `${channels}/{id}`, { at }),
      await checked("DELETE", `${channels}/{id}`, { at }),
      await checked("DELETE", `${channels}/{id}`, { at }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 200, 400, 404, 201, 400, 200, 200, 204, 404]);
  },
);
