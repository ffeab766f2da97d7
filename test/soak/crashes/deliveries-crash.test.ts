import { afterAll, beforeAll, expect, test } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import {
  createRoute,
  deliveriesOver,
  listDeliveries,
  readDelivery,
  startReceiver,
} from "../../support/destinations/deliveries.ts";
import type { DeliveryFields, Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startPeer, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase, TestKeys } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";

const TASKS = 10;

let receiver: Receiver;
let database: TestDatabase;
let keys: TestKeys;

beforeAll(async () => {
  [receiver, database, keys] = [await startReceiver(), await createDatabase(), createKeys()];
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

const options = () => {
  return { databaseUrl: database.url, keys, env: { ALLOW_PRIVATE_URLS: "true", DELIVERY_TIMEOUT: "2" } };
};

verifies(
  "routes.delivery.outbox",
  "a process killed between tasks' ends and deliveries loses none and sends none under a second id",
  async () => {
    const first = await startProcess(options());
    const [api, console_] = [apiOf(first, keys.api), consoleOf(first, keys.api)];
    receiver.answerWith("/results", 0);
    const { id } = await createRoute(console_, `${receiver.url}/results`);
    const { id: agentId } = await createAgent(api, { output_route_ids: [id] });
    const tasks = await Promise.all(
      Array.from({ length: TASKS }, () => createTask(api, { description: QUICK, assigned_agent_id: agentId })),
    );
    for (const task of tasks) await taskIn(api, task.id, "completed");
    const before = await listDeliveries(console_);
    expect(before).toHaveLength(TASKS);
    await first.kill();

    receiver.answerWith("/results", 200);
    const second = await startService(options());
    const after = await deliveriesOver(consoleOf(second, keys.api), id, TASKS);
    const idsOf = (deliveries: readonly DeliveryFields[]) => new Set(deliveries.map((delivery) => delivery.id));
    expect(idsOf(after)).toEqual(idsOf(before));
    expect(after.every(({ status }) => status === "success")).toBe(true);
    const sent = receiver.requests("/results").map(({ headers }) => String(headers["x-service-delivery"]));
    expect(new Set(sent)).toEqual(idsOf(before));
    const bodies = receiver.received("/results");
    expect(new Set(bodies.map((body) => body.task_id))).toEqual(new Set(tasks.map((task) => task.id)));
    await second.stop();
  },
);

test("the second attempt is made by another process, after a graceful stop of the first", async () => {
  const first = await startService(options());
  receiver.answerWith("/retry", 500);
  const { id } = await createRoute(consoleOf(first, keys.api), `${receiver.url}/retry`, { retry_delays: [3] });
  await consoleOf(first, keys.api).post(`/routes/${id}/test`, {});
  await eventually("the first attempt is logged", async () => {
    const [delivery] = await listDeliveries(consoleOf(first, keys.api), `route_id=${id}`);
    return delivery?.attempt_count === 1;
  });
  await first.stop();
  receiver.answerWith("/retry", 200);
  const second = await startPeer(options());
  const [delivery] = await deliveriesOver(consoleOf(second, keys.api), id);
  expect(delivery).toMatchObject({ status: "success", attempt_count: 2 });
  const { attempts } = await readDelivery(consoleOf(second, keys.api), delivery?.id ?? "");
  expect(attempts.map(({ status }) => status)).toEqual(["failed", "success"]);
  await second.stop();
});

test("two processes share the deliveries and make each once", async () => {
  const processes = [await startService(options()), await startPeer(options())];
  const [first] = processes;
  if (first === undefined) throw new Error("No process.");
  const console_ = consoleOf(first, keys.api);
  const { id } = await createRoute(console_, `${receiver.url}/shared`);
  await Promise.all(Array.from({ length: 60 }, () => console_.post(`/routes/${id}/test`, {})));
  const deliveries = await deliveriesOver(console_, id, 60);
  expect(deliveries.every(({ status, attempt_count: count }) => status === "success" && count === 1)).toBe(true);
  const sent = receiver.requests("/shared").map(({ headers }) => headers["x-service-delivery"]);
  expect([sent.length, new Set(sent).size]).toEqual([60, 60]);
  await Promise.all(processes.map((each) => each.stop()));
});
