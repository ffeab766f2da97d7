import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const PER_SLOW_ROUTE = 2;

let service: TestService;
let console_: Api;
let receiver: FakeServer;
const open = new Set<ServerResponse>();
/** The highest number of open requests since it was last reset. */
let mostOpen = 0;
let isHanging = true;

beforeAll(async () => {
  receiver = await startFakeServer(({ gone }, response) => {
    if (!isHanging) return void response.end();
    open.add(response);
    mostOpen = Math.max(mostOpen, open.size);
    void gone.then(() => open.delete(response));
  });
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", DELIVERY_TIMEOUT: "1" } });
  console_ = consoleOf(service, service.keys.api);
});

afterAll(async () => {
  await service.stop();
  await receiver.close();
});

verifies("routes.delivery.slow", "a receiver that timed out gets two slots, until it replies in time", async () => {
  const { id } = await createRoute(console_, `${receiver.url}/slow`);
  await send(id, 1);
  expect(await deliveriesOver(console_, id, 1)).toMatchObject([{ status: "failed" }]);

  mostOpen = 0;
  await send(id, PER_SLOW_ROUTE + 1);
  await deliveriesOver(console_, id, PER_SLOW_ROUTE + 2);
  expect(mostOpen).toBe(PER_SLOW_ROUTE);

  isHanging = false;
  await send(id, 1);
  await deliveriesOver(console_, id, PER_SLOW_ROUTE + 3);
  isHanging = true;
  await send(id, PER_SLOW_ROUTE + 1);
  await eventually("it has all slots again", () => open.size === PER_SLOW_ROUTE + 1);
});

async function send(routeId: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await console_.post(`/routes/${routeId}/test`, {});
}
