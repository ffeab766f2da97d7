import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, listOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver, listDeliveries, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { createSchedule } from "../../support/schedules.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

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

/** A workspace with an agent, whose results go to a path of the receiver of the same name. */
async function tenant(path: string) {
  const workspace = await openWorkspace(service);
  const { id: routeId } = await createRoute(workspace.console, `${receiver.url}${path}`, { retry_delays: [3_600] });
  const { id: agentId } = await createAgent(workspace.api, { output_route_ids: [routeId] });
  return { ...workspace, routeId, agentId };
}

async function hold(workspaceId: string, held: boolean): Promise<void> {
  const operator = consoleOf(service, service.keys.api);
  expect((await operator.patch(`/instance/workspaces/${workspaceId}`, { held })).status).toBe(200);
}

/** Lets the time of this year of a yearly schedule be due, as if no process had been there. */
async function makeDue(scheduleId: string): Promise<void> {
  const thisYear = "date_trunc('year', now() at time zone 'UTC') at time zone 'UTC'";
  await sql(service.databaseUrl, `update schedules set next_times = array[${thisYear}] where id = $1`, [scheduleId]);
}

async function firesOf(console_: Api, scheduleId: string) {
  return listOf(await console_.get(`/schedules/${scheduleId}/fires`));
}

verifies("ops.hold.due", "a schedule that is due during a hold fires once, after the release", async () => {
  const [held, other] = await Promise.all([tenant("/schedule"), tenant("/other")]);
  const ofHeld = await createSchedule(held.console, { assigned_agent_id: held.agentId });
  await hold(held.workspaceId, true);
  await makeDue(ofHeld);
  // The second time, what was due before was looked at.
  for (const _ of [1, 2]) {
    const id = await createSchedule(other.console, { assigned_agent_id: other.agentId });
    await makeDue(id);
    await eventually("the other fires", async () => (await firesOf(other.console, id)).length === 1);
  }
  expect(await firesOf(held.console, ofHeld)).toEqual([]);
  // A hold is no fault: nothing tries to fire it and fails.
  expect(service.output().stdout + service.output().stderr).not.toContain("could not process");

  await hold(held.workspaceId, false);
  await deliveriesOver(held.console, held.routeId);
  expect(await firesOf(held.console, ofHeld)).toMatchObject([{ outcome: "fired" }]);
  expect(receiver.requests("/schedule")).toHaveLength(1);
});

verifies(
  "ops.hold.due",
  "a trigger rejects what comes during a hold, and takes it once after the release",
  async () => {
    const held = await tenant("/trigger");
    const body = { name: "T", title: "Event", description: QUICK, assigned_agent_id: held.agentId };
    const { url } = fieldsOf(await held.console.post("/triggers", body));
    const call = () => send("POST", String(url), { body: {}, headers: { "idempotency-key": "one" } });
    await hold(held.workspaceId, true);
    const rejected = refusal(await call());
    expect(rejected).toMatchObject({ status: 409, message: expect.stringContaining("holds this workspace") });
    await hold(held.workspaceId, false);
    const taken = [await call(), await call()];
    expect(taken.map(({ status }) => status)).toEqual([202, 202]);
    expect(new Set(taken.map((each) => fieldsOf(each)["task_id"])).size).toBe(1);
    await deliveriesOver(held.console, held.routeId);
    expect(receiver.requests("/trigger")).toHaveLength(1);
  },
);

verifies("ops.hold.due", "a delivery that waits during a hold is sent once, after the release", async () => {
  const [held, other] = await Promise.all([tenant("/delivery"), tenant("/another")]);
  receiver.answerWith("/delivery", 500);
  const give = ({ api, agentId }: typeof held) => createTask(api, { description: QUICK, assigned_agent_id: agentId });
  await give(held);
  await eventually("an attempt failed", async () => {
    const [delivery] = await listDeliveries(held.console, `route_id=${held.routeId}`);
    return delivery?.status === "pending" && delivery.attempt_count === 1;
  });
  receiver.answerWith("/delivery", 200);
  await hold(held.workspaceId, true);
  await give(other);
  await deliveriesOver(other.console, other.routeId);
  expect(receiver.requests("/delivery")).toHaveLength(1);

  await hold(held.workspaceId, false);
  const [delivery] = await deliveriesOver(held.console, held.routeId);
  expect([delivery?.status, delivery?.attempt_count]).toEqual(["success", 2]);
  expect(receiver.requests("/delivery")).toHaveLength(2);
});

verifies("ops.hold.due", "a run whose question is answered during a hold continues after the release", async () => {
  const held = await tenant("/question");
  await held.api.patch(`/api-agents?id=${held.agentId}`, { tools: ["request_approval"] });
  const description = callOf("request_approval", { title: "Go?" });
  const task = await createTask(held.api, { description, assigned_agent_id: held.agentId });
  const asking = await taskIn(held.api, task.id, "waiting_for_input");
  await hold(held.workspaceId, true);
  const { interactionId } = z.looseObject({ interactionId: z.string() }).parse(asking["interaction"]);
  const answer = await held.console.post(`/tasks/${task.id}/answer`, { interactionId, approved: true });
  const jobs = await sql(service.databaseUrl, "select state from jobs where subject_id = $1", [task.id]);
  expect([answer.status, jobs]).toEqual([200, [{ state: "queued" }]]);
  expect((await readTask(held.api, task.id)).status).not.toBe("completed");
  await hold(held.workspaceId, false);
  await taskIn(held.api, task.id, "completed");
  await deliveriesOver(held.console, held.routeId);
  expect(receiver.requests("/question")).toHaveLength(1);
});
