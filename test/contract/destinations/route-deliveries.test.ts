import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { deleteOldDeliveries } from "#db/queries/destinations/old-deliveries.ts";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import {
  createRoute,
  deliveriesOver,
  listDeliveries,
  readDelivery,
  readRoute,
  startReceiver,
} from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { uploadTo } from "../../support/files.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let service: TestService;
let receiver: Receiver;
let api: Api;
let console_: Api;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", DELIVERY_TIMEOUT: "3" } });
  api = apiOf(service, service.keys.api);
  console_ = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

let paths = 0;
/** A path of the receiver for one test. */
const newPath = () => `/r${(paths += 1)}`;

/** Runs a task of an agent to its end, and waits for the only delivery of a route. */
async function deliveredOf(routeId: string, description = QUICK, agent: Readonly<Record<string, unknown>> = {}) {
  const { id: agentId } = await createAgent(api, { name: "Writer", output_route_ids: [routeId], ...agent });
  const task = await createTask(api, { title: "Report", description, assigned_agent_id: agentId });
  const [delivery] = await deliveriesOver(console_, routeId);
  if (delivery === undefined) throw new Error("Nothing was delivered.");
  return { delivery, task: await taskIn(api, task.id, description === FAILING ? "failed" : "completed") };
}

verifies(
  [
    "routes.event.task-completed",
    "routes.payload.fields",
    "routes.payload.one-subject",
    "routes.payload.status",
    "routes.payload.full",
    "routes.select.listed",
  ],
  "the end of a task is delivered with the payload of the contract",
  async () => {
    const path = newPath();
    const { id } = await createRoute(console_, receiver.url + path);
    const { task, delivery } = await deliveredOf(id);
    expect(delivery).toMatchObject({ status: "success", event: "task.completed", http_code: 200, attempt_count: 1 });
    const [payload, ...others] = receiver.received(path);
    expect(others).toEqual([]);
    expect(payload).toEqual({
      event: "task.completed",
      task_id: task.id,
      team_run_id: null,
      task_title: "Report",
      agent_name: "Writer",
      status: "completed",
      result_preview: task.result,
      result_full: task.result,
      error: null,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      attachments: [],
    });
    expect(receiver.requests(path)[0]?.headers["x-service-delivery"]).toBe(delivery.id);
  },
);

verifies(
  ["routes.event.task-failed", "routes.event.only-subscribed"],
  "a failed task is delivered to the routes that subscribe to it only",
  async () => {
    const [failing, completing] = [newPath(), newPath()];
    const one = await createRoute(console_, receiver.url + failing, { events: ["task.failed"] });
    const other = await createRoute(console_, receiver.url + completing, { events: ["task.completed"] });
    const { task } = await deliveredOf(one.id, FAILING, { output_route_ids: [one.id, other.id] });
    expect(receiver.received(failing)).toMatchObject([
      { event: "task.failed", status: "failed", result_full: "", error: task.error },
    ]);
    expect(task.error).toContain("boom");
    expect(await listDeliveries(console_, `route_id=${other.id}`)).toEqual([]);
  },
);

verifies(
  ["routes.event.team-run-completed", "routes.event.team-run-failed"],
  "the end of a team run is delivered once, also when it began as a task",
  async () => {
    const path = newPath();
    const { id } = await createRoute(console_, receiver.url + path);
    const team = await createTeam(api, { name: "Writers", output_route_ids: [id] });
    const run = await startRun(api, team.id, "Write a report\nin two lines");
    const { output } = await runIn(api, run.id, "completed");
    await deliveriesOver(console_, id);
    expect(receiver.received(path)).toMatchObject([
      {
        event: "team_run.completed",
        task_id: null,
        team_run_id: run.id,
        task_title: "Write a report",
        agent_name: "Writers",
        status: "completed",
        result_full: output,
      },
    ]);
    const task = await createTask(api, { title: "For the team", assigned_team_id: team.id });
    await taskIn(api, task.id, "completed");
    await deliveriesOver(console_, id, 2);
    expect(receiver.received(path).at(-1)).toMatchObject({ event: "team_run.completed", task_title: "For the team" });

    const { id: agentId } = await createAgent(api);
    const config = { steps: [{ agent_id: agentId, instructions: FAILING }] };
    const failing = await createTeam(api, { name: "Losers", output_route_ids: [id], config });
    await runIn(api, (await startRun(api, failing.id)).id, "failed");
    await deliveriesOver(console_, id, 3);
    expect(receiver.received(path).at(-1)).toMatchObject({ event: "team_run.failed", status: "failed" });
  },
);

verifies("routes.payload.preview", "the preview is the first 500 characters", async () => {
  const path = newPath();
  const { id } = await createRoute(console_, receiver.url + path);
  await deliveredOf(id, `[[slow:0]][[say:${"😀".repeat(600)}]]`);
  const [payload] = receiver.received(path);
  expect(payload?.result_full).toContain("😀".repeat(600));
  expect(Array.from(payload?.result_preview ?? "").length).toBe(500);
  expect(payload?.result_full.startsWith(payload.result_preview)).toBe(true);
});

verifies("routes.payload.attachments", "attachments have links that open without a key", async () => {
  const path = newPath();
  const { id } = await createRoute(console_, receiver.url + path);
  const file = await uploadTo(service, { name: "brief.txt", type: "text/plain", content: "What to do" });
  const { id: agentId } = await createAgent(api, { output_route_ids: [id] });
  await createTask(api, { description: QUICK, assigned_agent_id: agentId, attachments: [file.id] });
  await deliveriesOver(console_, id);
  const attachments = receiver.received(path)[0]?.attachments;
  expect(attachments).toEqual([
    { name: "brief.txt", type: "text/plain", size: 10, direction: "input", url: expect.stringContaining(service.url) },
  ]);
  const content = await fetch(attachments?.[0]?.url ?? "");
  expect([content.status, await content.text()]).toEqual([200, "What to do"]);
});

verifies(
  ["routes.delivery.retry-once", "routes.delivery.log"],
  "a failed delivery is tried once more five seconds later, under the same id, and logged each time",
  async () => {
    const path = newPath();
    receiver.answerWith(path, 503);
    const { id } = await createRoute(console_, receiver.url + path, { retry_delays: undefined });
    const { delivery } = await deliveredOf(id);
    expect(delivery).toMatchObject({ status: "failed", attempt_count: 2, http_code: 503 });
    const { attempts } = await readDelivery(console_, delivery.id);
    expect(attempts).toMatchObject([
      { attempt: 1, status: "failed", http_code: 503, error: 'HTTP 503: {"status":503}' },
      { attempt: 2, status: "failed", http_code: 503, error: 'HTTP 503: {"status":503}' },
    ]);
    const [first = "", second = ""] = attempts.map(({ created_at: time }) => time);
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(5_000);
    expect(Date.parse(second) - Date.parse(first)).toBeLessThan(20_000);
    const ids = receiver.requests(path).map(({ headers }) => headers["x-service-delivery"]);
    expect(ids).toEqual([delivery.id, delivery.id]);
    expect(new Set(receiver.requests(path).map(({ body }) => body)).size).toBe(1);
    expect(attempts[0]?.request).toContain(receiver.url + path);
  },
  { tags: "slow" },
);

verifies("routes.delivery.timeout", "an attempt that takes too long is aborted", async () => {
  const path = newPath();
  receiver.answerWith(path, 0);
  const { id } = await createRoute(console_, receiver.url + path, { retry_delays: [] });
  const { delivery } = await deliveredOf(id);
  expect(delivery).toMatchObject({ status: "failed", attempt_count: 1, error: "No reply within 3 s." });
});

verifies("routes.delivery.redeliver", "redelivering creates new deliveries, of one or of all failed ones", async () => {
  const path = newPath();
  receiver.answerWith(path, 500);
  const { id } = await createRoute(console_, receiver.url + path, { retry_delays: [] });
  const since = new Date().toISOString();
  const { delivery } = await deliveredOf(id);
  receiver.answerWith(path, 200);
  const again = await console_.post(`/deliveries/${delivery.id}/redeliver`, {});
  expect(again.status).toBe(201);
  expect(fieldsOf(again)).toMatchObject({ redelivery_of: delivery.id, status: "pending", event: "task.completed" });
  expect(await deliveriesOver(console_, id, 2)).toMatchObject([{ status: "success" }, { status: "failed" }]);
  const [first, second] = receiver.requests(path);
  expect(second?.headers["x-service-delivery"]).not.toBe(first?.headers["x-service-delivery"]);
  expect(second?.body).toBe(first?.body);

  receiver.answerWith(path, 500);
  await deliveredOf(id);
  await deliveriesOver(console_, id, 3);
  receiver.answerWith(path, 200);
  const bulk = await console_.post("/deliveries/redeliver", { since, route_id: id });
  // The first one was redelivered already.
  expect([bulk.status, bulk.body]).toEqual([201, { redelivered: 1 }]);
  expect(await deliveriesOver(console_, id, 4)).toMatchObject([{ status: "success" }, {}, {}, {}]);
  expect((await console_.post("/deliveries/redeliver", { since: "yesterday" })).status).toBe(400);
});

test("a route is unhealthy after 20 failures in a row and recovers by a success", async () => {
  const path = newPath();
  receiver.answerWith(path, 500);
  const { id } = await createRoute(console_, receiver.url + path, { retry_delays: [] });
  for (let count = 0; count < 20; count++) await console_.post(`/routes/${id}/test`, {});
  await deliveriesOver(console_, id, 20);
  expect(await readRoute(console_, id)).toMatchObject({ health: "unhealthy", failures_in_row: 20 });
  receiver.answerWith(path, 200);
  await console_.post(`/routes/${id}/test`, {});
  await deliveriesOver(console_, id, 21);
  expect(await readRoute(console_, id)).toMatchObject({ health: "healthy", failures_in_row: 0 });
});

test("a deleted or paused route fails the deliveries that wait for it, and keeps the log", async () => {
  const path = newPath();
  receiver.answerWith(path, 500);
  const { id } = await createRoute(console_, receiver.url + path, { retry_delays: [1] });
  const { id: agentId } = await createAgent(api, { output_route_ids: [id] });
  await createTask(api, { description: QUICK, assigned_agent_id: agentId });
  await eventually("the first attempt", () => receiver.requests(path).length === 1);
  await console_.delete(`/routes/${id}`);
  expect(await deliveriesOver(console_, id)).toMatchObject([
    { status: "failed", attempt_count: 2, error: "The route or subscription was deleted or paused." },
  ]);
  expect(receiver.requests(path)).toHaveLength(1);
});

test("the table API shows routes without secrets, and the log of deliveries", async () => {
  const path = newPath();
  const { id } = await createRoute(console_, receiver.url + path, {
    config: { url: receiver.url + path, secret: "hidden-secret-1" },
  });
  await deliveredOf(id);
  const table = async (query: string) => {
    const headers = { apikey: service.keys.anon, authorization: `Bearer ${service.keys.table}` };
    const response = await fetch(`${service.url}/rest/v1/${query}`, { headers });
    return { status: response.status, text: await response.text() };
  };
  const routes = await table(`output_routes?id=eq.${id}`);
  expect(routes.status).toBe(200);
  expect(routes.text).not.toMatch(/hidden-secret|ciphertext/);
  expect(JSON.parse(routes.text)).toMatchObject([{ type: "http", config: { secret: "••••et-1" } }]);
  const logs = await table(`delivery_logs?route_id=eq.${id}&select=event,status,http_code,error_message,attempt`);
  expect(JSON.parse(logs.text)).toEqual([
    { event: "task.completed", status: "success", http_code: 200, error_message: null, attempt: 1 },
  ]);
  expect((await table("output_routes?select=secrets_ciphertext")).status).toBe(400);
  const embedded = "select=output_routes(name),tasks(title),webhook_subscriptions(target_url),team_runs(output)";
  const named = await table(`delivery_logs?route_id=eq.${id}&${embedded}`);
  expect(JSON.parse(named.text)).toEqual([
    { output_routes: { name: "Results" }, tasks: { title: "Report" }, webhook_subscriptions: null, team_runs: null },
  ]);
  // Without an index for it, this would read all deliveries of the workspace for each route.
  expect((await table("output_routes?select=delivery_logs(*)")).text).toContain("PGRST200");
});

verifies("routes.delivery.log-retention", "deliveries older than 30 days are deleted with their attempts", async () => {
  const path = newPath();
  const { id } = await createRoute(console_, receiver.url + path);
  await console_.post(`/routes/${id}/test`, {});
  await console_.post(`/routes/${id}/test`, {});
  const [newer, older] = await deliveriesOver(console_, id, 2);
  const age = async (delivery: string | undefined, days: number) =>
    sql(
      service.databaseUrl,
      `with d as (update deliveries set created_at = now() - $2 * interval '1 day' where id = $1 returning event_id)
       update delivery_events e set created_at = now() - $2 * interval '1 day' from d where e.id = d.event_id`,
      [delivery, days],
    );
  await age(older?.id, 31);
  await age(newer?.id, 29);
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  await deleteOldDeliveries(db, 1_000);
  await db.close();
  expect(await listDeliveries(console_, `route_id=${id}`)).toMatchObject([{ id: newer?.id }]);
  const attempts = await sql(service.databaseUrl, "select from delivery_attempts where delivery_id = $1", [older?.id]);
  expect(attempts).toEqual([]);
});
