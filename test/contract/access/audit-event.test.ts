import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { createRoute, deliveriesOver, readDelivery, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addMember, openWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true" } });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

verifies(["audit.event", "audit.admins"], "a route that lists audit.recorded gets each entry", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const other = await createRoute(console, `${receiver.url}/default`);
  expect(other["events"]).toEqual(["task.completed", "task.failed", "team_run.completed", "team_run.failed"]);
  const { id } = await createRoute(console, `${receiver.url}/audit`, { events: ["audit.recorded"] });
  await deliveriesOver(console, id);
  await createAgent(api, { name: "Writer" });
  const [latest] = await deliveriesOver(console, id, 2);

  const log = await console.get("/audit");
  const payload = receiver.received("/audit").find(({ task_title: title }) => title === "agent.created: Writer");
  expect(payload).toMatchObject({ event: "audit.recorded", status: "completed", task_id: null, team_run_id: null });
  expect(log.body).toMatchObject({ items: expect.arrayContaining([payload?.audit_entry]) });
  expect(JSON.parse(payload?.result_full ?? "")).toEqual(payload?.audit_entry);
  // Deliveries change the state of the route, which is no entry: it would be delivered in turn.
  expect(receiver.received("/audit")).toHaveLength(2);
  expect(receiver.received("/default")).toEqual([]);

  const deliveryId = latest?.id ?? "";
  expect((await readDelivery(console, deliveryId)).attempts[0]?.request).toContain("agent.created");
  const member = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "member")).key);
  expect((await readDelivery(member, deliveryId)).attempts[0]).toMatchObject({ request: "", response: "" });

  expect((await console.delete("/workspace?confirm=Another%20workspace")).status).toBe(204);
  await eventually("its rows are gone", async () => {
    const rows = await sql(service.databaseUrl, "select from workspaces where id = $1", [workspaceId]);
    return rows.length === 0;
  });
});
