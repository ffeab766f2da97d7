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
import { openWorkspace } from "../../support/workspace.ts";
import { verifies } from "../../support/verifies.ts";

/** How many deliveries a process has in flight to one route, and to one host. */
const [PER_ROUTE, PER_HOST] = [16, 32];

let service: TestService;
let console_: Api;
let receiver: FakeServer;
/** Requests without an answer yet. */
let held: { readonly path: string; readonly response: ServerResponse }[] = [];
let isHolding = true;

beforeAll(async () => {
  receiver = await startFakeServer(({ path }, response) => {
    if (isHolding && path !== "/fast") held.push({ path, response });
    else response.end();
  });
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", DELIVERY_TIMEOUT: "120" } });
  console_ = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

function hold(): void {
  isHolding = true;
}
function release(): void {
  isHolding = false;
  for (const { response } of held) response.end();
  held = [];
}

/** Lets a route send its test message a number of times. */
const sendTests = async (routeId: string, count: number) => {
  for (let sent = 0; sent < count; sent++) await console_.post(`/routes/${routeId}/test`, {});
};

verifies("routes.delivery.limits", "a route that hangs holds 16 slots of a process and no more", async () => {
  hold();
  const slow = await createRoute(console_, `${receiver.url}/slow`);
  const fast = await createRoute(console_, `${receiver.url}/fast`);
  await sendTests(slow.id, PER_ROUTE + 4);
  await eventually("the route's slots are taken", () => held.length === PER_ROUTE);
  // Another route of the same host has its own slots.
  await sendTests(fast.id, 1);
  expect(await deliveriesOver(console_, fast.id)).toMatchObject([{ status: "success" }]);
  expect(held.length).toBe(PER_ROUTE);
  release();
  expect(await deliveriesOver(console_, slow.id, PER_ROUTE + 4)).toHaveLength(PER_ROUTE + 4);
});

verifies(
  "routes.delivery.limits",
  "a host that hangs holds 32 slots of a process for one workspace, and delays no other workspace there",
  async () => {
    hold();
    const paths = ["/a", "/b", "/c"];
    const routes = await Promise.all(paths.map((path) => createRoute(console_, receiver.url + path)));
    for (const { id } of routes) await sendTests(id, PER_ROUTE);
    await eventually("the host's slots are taken", () => held.length === PER_HOST);
    // Another host is another receiver, although it is the same machine.
    const elsewhere = await createRoute(console_, receiver.url.replace("127.0.0.1", "localhost") + "/fast");
    await sendTests(elsewhere.id, 1);
    expect(await deliveriesOver(console_, elsewhere.id)).toMatchObject([{ status: "success" }]);
    // Another workspace has a share of its own of the same host.
    const other = await openWorkspace(service);
    const theirs = await createRoute(other.console, `${receiver.url}/fast`);
    await other.console.post(`/routes/${theirs.id}/test`, {});
    expect(await deliveriesOver(other.console, theirs.id)).toMatchObject([{ status: "success" }]);
    expect(held.length).toBe(PER_HOST);
    release();
    for (const { id } of routes) {
      const over = await deliveriesOver(console_, id, PER_ROUTE);
      expect(over.map(({ status }) => status)).toEqual(over.map(() => "success"));
    }
  },
  { tags: "slow" },
);
