import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import { createRoute, deliveriesOver, readDelivery, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addKey, addMember, openWorkspace, sql } from "../../support/workspace.ts";

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

verifies(["audit.event", "audit.admins"], "an admin's subscription to audit_recorded gets each entry", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const hook = { target_url: `${receiver.url}/audit-hook`, event: "audit.recorded" };
  const member = await addMember(service.databaseUrl, workspaceId, "member");
  const refused = await consoleOf(service, member.key).post("/hooks", hook);
  expect(refusal(refused)).toMatchObject({ status: 403, message: "This needs the role admin; yours here is member." });
  const { id: agentId } = await createAgent(api, { name: "Writer" });
  const narrowed = refusal(await console.post("/hooks", { ...hook, agent_id: agentId }));
  expect(narrowed).toMatchObject({ status: 400, paths: ["agent_id"] });

  const made = await console.post("/hooks", hook);
  expect([made.status, fieldsOf(made)["event"]]).toEqual([201, "audit_recorded"]);
  await createAgent(api, { name: "Reader" });
  const entry = await eventually("the entry is delivered", () =>
    receiver.received("/audit-hook").find(({ task_title: title }) => title === "agent.created: Reader"),
  );
  expect(entry).toMatchObject({ event: "audit.recorded", id: entry.audit_entry?.["id"], task_id: null });
  expect((await console.get("/audit")).body).toMatchObject({ items: expect.arrayContaining([entry.audit_entry]) });
});

verifies("audit.admins", "the table API subscribes only admins to the audit log", async () => {
  const { workspaceId } = await openWorkspace(service);
  const { userId: ownerId } = await addMember(service.databaseUrl, workspaceId, "member");
  const key = await addKey(service.databaseUrl, { workspaceId, ownerId, kind: "table" });
  const row = { target_url: `${receiver.url}/audit-hook`, event: "audit_recorded", workspace_id: workspaceId };
  const refused = await rawTable(service, key)("POST", "/webhook_subscriptions", { body: row });
  expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ code: "42501" })]);
});
