import { afterAll, beforeAll, expect } from "vitest";
import { sent1 } from "../../support/a2a/shapes.ts";
import { rpc, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import { listDeliveries, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase, TestKeys, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent } from "../../support/work.ts";

const TASKS = 5;

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
  return { databaseUrl: database.url, keys, env: { ALLOW_PRIVATE_URLS: "true" } };
};

verifies(
  "a2a.push.durable",
  "a process killed between tasks' ends and notifications loses none and sends none under a second id",
  async () => {
    const first = await startProcess(options());
    const { id: agentId } = await createAgent(apiOf(first, keys.api));
    receiver.answerWith("/push", 0);
    const taskPushNotificationConfig = { url: `${receiver.url}/push`, token: "mine" };
    const send = async () => {
      const params = { ...userMessage1(QUICK), configuration: { taskPushNotificationConfig } };
      return sent1.parse((await rpc(first, agentId, { method: "SendMessage", params })).result).task.id;
    };
    const tasks = await Promise.all(Array.from({ length: TASKS }, send));
    const ends = async (service: TestService) =>
      (await listDeliveries(consoleOf(service, keys.api), "event=task.completed&limit=200")).map(({ id }) => id);
    const before = await ends(first);
    expect(before).toHaveLength(TASKS);
    await first.kill();

    receiver.answerWith("/push", 200);
    const second = await startService(options());
    const told = await eventually(
      "every task's client was notified of its end",
      () => {
        const bodies = receiver.requests("/push").map(({ body }) => sent1.parse(JSON.parse(body)).task);
        const ended = bodies.filter(({ status }) => status.state === "TASK_STATE_COMPLETED").map(({ id }) => id);
        return new Set(ended).size === TASKS && ended;
      },
      30_000,
    );
    expect(new Set(told)).toEqual(new Set(tasks));
    expect(new Set(await ends(second))).toEqual(new Set(before));
    await second.stop();
  },
);
