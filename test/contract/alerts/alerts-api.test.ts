import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import { checkAgain, checked, createAlert, readAlert } from "../../support/alerts.ts";
import { createRoute, deliveriesOver, listDeliveries, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, createAgent, createTask, taskIn } from "../../support/work.ts";
import { addMember, openWorkspace } from "../../support/workspace.ts";

const COST = { name: "Cost", kind: "cost_per_hour", threshold: 5 };

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", ALERTS_FREE: "3" } });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

verifies(["alerts.manage", "alerts.limit"], "alerts are created, changed, listed and deleted", async () => {
  const { console } = await openWorkspace(service);
  const { id: routeId } = await createRoute(console, receiver.url);
  const made = await console.post("/alerts", { ...COST, route_id: routeId });
  expect(made.status, made.text).toBe(201);
  const id = String(fieldsOf(made)["id"]);
  expect(made.body).toMatchObject({
    ...COST,
    window_minutes: null,
    min_runs: null,
    agent_id: null,
    target_name: null,
    route_id: routeId,
    route_name: "Results",
    is_enabled: true,
    state: "ok",
  });
  expect((await console.patch(`/alerts/${id}`, { threshold: 7, name: "Spent" })).body).toMatchObject({ threshold: 7 });
  expect((await console.patch(`/alerts/${id}`, { route_id: null })).body).toMatchObject({ route_name: null });
  await createAlert(console, { kind: "failure_rate", threshold: 10, window_minutes: 15, min_runs: 5 });
  await createAlert(console, { kind: "route_failing", threshold: 3, watched_route_id: routeId });
  expect(listOf(await console.get("/alerts")).map(({ kind }) => kind)).toEqual([
    "route_failing",
    "failure_rate",
    "cost_per_hour",
  ]);
  expect(listOf(await console.get("/alerts?q=spent")).map(({ name }) => name)).toEqual(["Spent"]);
  const rejected = refusal(await console.post("/alerts", COST));
  expect(rejected).toMatchObject({ status: 403, code: "quota_exceeded" });
  expect(rejected.message).toContain("the plan free allows 3 alerts");
  expect(fieldsOf(await console.get("/workspace"))["quotas"]).toMatchObject({ alerts: { used: 3, limit: 3 } });
  expect((await console.delete(`/alerts/${id}`)).status).toBe(204);
  expect((await console.get(`/alerts/${id}`)).status).toBe(404);
});

verifies("alerts.manage", "what a kind does not allow is named, and viewers only read", async () => {
  const { console, workspaceId, api } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api);
  const { id: routeId } = await createRoute(console, receiver.url);
  const unknown = "01900000-0000-7000-8000-0000000000ff";
  const wrong = [
    [{ ...COST, threshold: 0 }, "threshold"],
    [{ ...COST, kind: "failure_rate", threshold: 101 }, "threshold"],
    [{ ...COST, kind: "route_failing", threshold: 1.5 }, "threshold"],
    [{ ...COST, kind: "queue_age", agent_id: agentId }, "agent_id"],
    [{ ...COST, window_minutes: 60 }, "window_minutes"],
    [{ ...COST, watched_route_id: routeId }, "watched_route_id"],
    [{ ...COST, agent_id: agentId, team_id: agentId }, "team_id"],
    [{ ...COST, agent_id: unknown }, "agent_id"],
    [{ ...COST, team_id: unknown }, "team_id"],
    [{ ...COST, route_id: unknown }, "route_id"],
    [{ ...COST, kind: "route_failing", watched_route_id: unknown }, "watched_route_id"],
    [{ ...COST, kind: "route_failing", watched_route_id: routeId, route_id: routeId }, "route_id"],
    [{ ...COST, kind: "weather" }, "kind"],
  ] as const;
  for (const [body, path] of wrong) {
    expect(refusal(await console.post("/alerts", body)), JSON.stringify(body)).toMatchObject({
      status: 400,
      paths: [path],
    });
  }
  const id = await createAlert(console, COST);
  const patched = refusal(await console.patch(`/alerts/${id}`, { min_runs: 3 }));
  expect(patched).toMatchObject({ status: 400, message: "Invalid body: min_runs is not a field of cost_per_hour" });
  const viewer = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "viewer")).key);
  expect((await viewer.get(`/alerts/${id}`)).status).toBe(200);
  expect((await viewer.post("/alerts", COST)).status).toBe(403);
  expect((await viewer.patch(`/alerts/${id}`, { threshold: 6 })).status).toBe(403);
  expect((await viewer.delete(`/alerts/${id}`)).status).toBe(403);
});

verifies("alerts.disabled", "a disabled alert is ok without an event, and fires again when it is enabled", async () => {
  const { api, console } = await openWorkspace(service);
  const { id: routeId } = await createRoute(console, `${receiver.url}/switched`);
  const { id: agentId } = await createAgent(api, { output_route_ids: [] });
  const { id: task } = await createTask(api, { description: FAILING, assigned_agent_id: agentId });
  await taskIn(api, task, "failed");
  const id = await createAlert(console, { kind: "failure_rate", threshold: 50, min_runs: 1, route_id: routeId });
  const firing = await checked(console, id);
  expect(firing).toMatchObject({ state: "firing" });
  await console.patch(`/alerts/${id}`, { is_enabled: false });
  const disabled = await readAlert(console, id);
  expect(disabled).toMatchObject({ state: "ok", is_enabled: false, last_checked_at: firing.last_checked_at });
  expect(disabled.since > firing.since).toBe(true);
  expect(await checkAgain(console, id)).toMatchObject({ state: "firing" });
  await deliveriesOver(console, routeId, 2);
  expect(receiver.received("/switched").map(({ event }) => event)).toEqual(["alert.firing", "alert.firing"]);
});

verifies("alerts.test", "a test of an alert is marked, and needs a destination", async () => {
  const { console } = await openWorkspace(service);
  const { id: routeId } = await createRoute(console, `${receiver.url}/tried`, { is_active: false });
  const id = await createAlert(console, { ...COST, route_id: routeId });
  const answer = await console.post(`/alerts/${id}/test`, undefined);
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body).toMatchObject({ is_test: true, event: "alert.firing", route_id: routeId });
  await deliveriesOver(console, routeId);
  const [sent] = receiver.received("/tried");
  expect(sent).toMatchObject({ task_title: "Cost", status: "firing", alert: { id, is_test: true, value: null } });
  expect(sent?.result_full).toContain(
    'This is a test of the alert "Cost". Nothing is wrong. The alert fires from $5.00.',
  );
  const without = await createAlert(console, COST);
  expect(refusal(await console.post(`/alerts/${without}/test`, undefined))).toMatchObject({
    status: 409,
    message: "This alert has no destination, or it was deleted: set route_id first.",
  });
});

verifies("alerts.deleted", "deleted destinations, agents and routes are said clearly", async () => {
  const { api, console } = await openWorkspace(service);
  const { id: routeId } = await createRoute(console, receiver.url);
  const { id: watched } = await createRoute(console, receiver.url);
  const { id: agentId } = await createAgent(api, { output_route_ids: [] });
  const ofAgent = await createAlert(console, {
    kind: "failure_rate",
    threshold: 1,
    min_runs: 1,
    agent_id: agentId,
    route_id: routeId,
  });
  const ofRoute = await createAlert(console, { kind: "route_failing", threshold: 1, watched_route_id: watched });
  const usedBy = z.looseObject({ items: z.array(z.looseObject({ kind: z.string(), id: z.string() })) });
  const used = usedBy.parse((await console.get(`/agents/${agentId}/used-by`)).body);
  expect(used.items).toContainEqual(expect.objectContaining({ kind: "alert", id: ofAgent, detail: "failure_rate" }));

  await console.delete(`/routes/${routeId}`);
  expect(await readAlert(console, ofAgent)).toMatchObject({ route_id: routeId, route_name: null });
  const { id: task } = await createTask(api, { description: FAILING, assigned_agent_id: agentId });
  await taskIn(api, task, "failed");
  expect(await checkAgain(console, ofAgent)).toMatchObject({ state: "firing" });
  expect(await listDeliveries(console)).toEqual([]);
  expect((await console.patch(`/alerts/${ofAgent}`, { name: "Still there" })).status).toBe(200);

  await api.delete(`/api-agents?id=${agentId}`);
  expect((await console.get(`/alerts/${ofAgent}`)).status).toBe(404);
  await console.delete(`/routes/${watched}`);
  expect((await console.get(`/alerts/${ofRoute}`)).status).toBe(404);
});

verifies("alerts.audit", "the audit log has what people change of an alert, and not its checks", async () => {
  const { console } = await openWorkspace(service);
  const id = await createAlert(console, COST);
  await checked(console, id);
  await console.patch(`/alerts/${id}`, { threshold: 9 });
  await checked(console, id);
  await console.delete(`/alerts/${id}`);
  const page = z.looseObject({ items: z.array(z.looseObject({ action: z.string(), changes: z.unknown() })) });
  const { items } = page.parse((await console.get("/audit?kind=alert")).body);
  expect(items.map(({ action }) => action)).toEqual(["alert.deleted", "alert.changed", "alert.created"]);
  expect(items[1]?.changes).toEqual({ threshold: [5, 9] });
});
