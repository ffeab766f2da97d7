import { verify } from "@octokit/webhooks-methods";
import { afterAll, beforeAll, expect } from "vitest";
import { sent1, task0, task1 } from "../../support/a2a/shapes.ts";
import { rpc, userMessage, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { listDeliveries, readDelivery, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, taskInState } from "../../support/work.ts";

const TOKEN = "t0k3n-of-the-client";
const CREDENTIALS = "cr3dentials-of-the-client";
const ASKING = '[[tool:request_approval {"title":"Continue?"}]]\n[[say:done]]';

let service: SharedService;
let receiver: Receiver;
let api: Api;
let console_: Api;
let agentId: string;

beforeAll(async () => {
  receiver = await startReceiver();
  ({ service } = await useScriptedService());
  [api, console_] = [apiOf(service, service.keys.api), consoleOf(service, service.keys.api)];
  agentId = (await createAgent(api, { name: "Gardener", tools: ["request_approval"] })).id;
});
afterAll(async () => {
  await receiver.close();
});

const call = (method: string, params: object) => rpc(service, agentId, { method, params });

let paths = 0;
/** A configuration, and the path that it leads to. */
function newConfig(fields: Readonly<Record<string, unknown>> = {}) {
  const path = `/p${(paths += 1)}`;
  return { path, config: { url: receiver.url + path, ...fields } };
}

/** Sends a message whose task notifies of its changes; returns the task. */
async function send1(text: string, config: object) {
  const params = { ...userMessage1(text), configuration: { taskPushNotificationConfig: config } };
  return sent1.parse((await call("SendMessage", params)).result).task;
}

/** Waits for as many notifications at a path; their bodies, by the time of their states. */
async function notified(path: string, count: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await eventually(`${count} notifications at ${path}`, () => receiver.requests(path).length >= count);
  return receiver.requests(path).map(({ body }) => JSON.parse(body));
}

const read0 = (path: string) => receiver.requests(path).map(({ body }) => task0.parse(JSON.parse(body)));

const deliveriesOf = (taskId: string) => listDeliveries(console_, `task_id=${taskId}`);

verifies(
  "a2a.push.delivered",
  "a client of 1.0 is notified of every state, with its token, credentials and a signature",
  async () => {
    const authentication = { scheme: "Bearer", credentials: CREDENTIALS };
    const { path, config } = newConfig({ token: TOKEN, authentication });
    const { id } = await taskInState(api, { status: "completed", agentId, description: QUICK });
    await call("CreateTaskPushNotificationConfig", { taskId: id, ...config });
    await notified(path, 1);
    const asking = await call("SendMessage", userMessage1(ASKING, { contextId: id }));
    expect(sent1.parse(asking.result).task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await notified(path, 3);
    const done = await call("SendMessage", userMessage1("yes", { taskId: id }));
    await notified(path, 5);
    const sent = receiver.requests(path);
    const tasks = sent
      .map(({ body }) => sent1.parse(JSON.parse(body)).task)
      .toSorted((a, b) => String(a.status.timestamp).localeCompare(String(b.status.timestamp)));
    expect(tasks.map(({ status: { state } }) => state)).toEqual([
      "TASK_STATE_COMPLETED",
      "TASK_STATE_WORKING",
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
    ]);
    expect(tasks[2]?.status.message?.parts[0]).toMatchObject({ text: expect.stringContaining("Continue?") });
    expect({ task: tasks[4] }).toEqual(sent1.parse(done.result));
    for (const { headers, body } of sent) {
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "x-a2a-notification-token": TOKEN,
        authorization: `Bearer ${CREDENTIALS}`,
      });
      expect(await verify(TOKEN, body, String(headers["x-service-signature"]))).toBe(true);
    }
  },
  { tags: "slow" },
);

verifies(
  "a2a.push.delivered",
  "a client of 0.3 is notified by the task itself, also of failures, and with no secret it did not give",
  async () => {
    const { path, config } = newConfig();
    const failing = { ...userMessage(FAILING), configuration: { pushNotificationConfig: config } };
    const failed = task0.parse((await call("message/send", failing)).result);
    const endless = { ...userMessage(ENDLESS), configuration: { pushNotificationConfig: config, blocking: false } };
    const cancelled = task0.parse((await call("message/send", endless)).result);
    await eventually("it works", () => read0(path).some(({ status }) => status.state === "working"));
    await call("tasks/cancel", { id: cancelled.id });
    // Deliveries to one receiver may overtake each other.
    for (const state of ["failed", "canceled"]) {
      await eventually(`it is told of ${state}`, () => read0(path).some(({ status }) => status.state === state));
    }
    const tasks = read0(path);
    expect(tasks.find(({ status }) => status.state === "failed")).toEqual(failed);
    expect(tasks.find(({ status }) => status.state === "canceled")).toMatchObject({ id: cancelled.id });
    for (const { headers } of receiver.requests(path)) {
      for (const name of ["authorization", "x-a2a-notification-token", "x-service-signature"]) {
        expect(headers).not.toHaveProperty(name);
      }
    }
  },
);

verifies(
  ["a2a.push.delivered", "a2a.push.late-config"],
  "a configuration of an ended task is notified of its end immediately, and of each further attempt",
  async () => {
    const { id } = await taskInState(api, { status: "completed", agentId, description: QUICK });
    const { path, config } = newConfig({ taskId: id });
    await call("CreateTaskPushNotificationConfig", config);
    expect(await notified(path, 1)).toMatchObject([{ task: { id, status: { state: "TASK_STATE_COMPLETED" } } }]);
    await call("SendMessage", userMessage1(QUICK, { contextId: id }));
    const states = (await notified(path, 3)).map((body) => sent1.parse(body).task.status.state);
    expect(states.toSorted()).toEqual(["TASK_STATE_COMPLETED", "TASK_STATE_COMPLETED", "TASK_STATE_WORKING"]);
  },
);

verifies(
  ["a2a.push.delivered", "a2a.push.in-the-log"],
  "notifications are retried, are listed as deliveries without secrets, and can be redelivered",
  async () => {
    const authentication = { scheme: "Bearer", credentials: CREDENTIALS };
    const { path, config } = newConfig({ token: TOKEN, authentication });
    const { id } = await taskInState(api, { status: "completed", agentId, description: QUICK });
    receiver.answerWith(path, 500);
    await call("CreateTaskPushNotificationConfig", { taskId: id, ...config });
    await notified(path, 1);
    receiver.answerWith(path, 200);
    const [delivery] = await eventually(
      "its delivery",
      async () => {
        const all = await deliveriesOf(id);
        return all.every(({ status }) => status === "success") && all;
      },
      15_000,
    );
    expect(delivery).toMatchObject({
      event: "task.completed",
      type: "a2a_push",
      target_name: config.url,
      route_id: null,
      attempt_count: 2,
    });
    const details = await readDelivery(console_, delivery?.id ?? "");
    expect(details.attempts).toMatchObject([{ http_code: 500 }, { http_code: 200 }]);
    expect(JSON.stringify(details)).not.toMatch(/t0k3n|cr3dentials/);
    const ids = receiver.requests(path).map(({ headers }) => headers["x-service-delivery"]);
    expect(ids).toEqual([delivery?.id, delivery?.id]);
    expect((await console_.post(`/deliveries/${delivery?.id}/redeliver`, {})).status).toBe(201);
    await notified(path, 3);
  },
);

verifies(
  ["a2a.push.delivered", "a2a.push.deleted-stops"],
  "a configuration that is deleted, or whose receiver responds 410, is no longer notified",
  async () => {
    const failing = newConfig({ id: "mine" });
    receiver.answerWith(failing.path, 500);
    const { id } = await send1(QUICK, failing.config);
    await notified(failing.path, 1);
    await call("DeleteTaskPushNotificationConfig", { taskId: id, id: "mine" });
    const deliveries = await eventually(
      "the end of its deliveries",
      async () => {
        const all = await deliveriesOf(id);
        return all.length > 0 && all.every(({ status }) => status === "failed") && all;
      },
      15_000,
    );
    expect(deliveries[0]?.error).toContain("configuration was deleted");
    const before = receiver.requests(failing.path).length;
    await call("SendMessage", userMessage1(QUICK, { contextId: id }));
    expect(await deliveriesOf(id)).toHaveLength(deliveries.length);
    expect(receiver.requests(failing.path)).toHaveLength(before);

    const gone = newConfig({ taskId: id, id: "gone" });
    receiver.answerWith(gone.path, 410);
    await call("CreateTaskPushNotificationConfig", gone.config);
    await eventually("the configuration is gone", async () => {
      const { error } = await call("GetTaskPushNotificationConfig", { taskId: id, id: "gone" });
      return error?.code === -32001;
    });
    expect(receiver.requests(gone.path)).toHaveLength(1);
  },
);

verifies(
  "a2a.push.replaced",
  "a replaced configuration is notified in the shapes and with the secrets of its newest version",
  async () => {
    const { id } = await taskInState(api, { status: "completed", agentId, description: QUICK });
    const [first, second] = [newConfig(), newConfig({ id: "mine", token: "newer" })];
    await call("CreateTaskPushNotificationConfig", { taskId: id, id: "mine", token: "older", ...first.config });
    await call("tasks/pushNotificationConfig/set", { taskId: id, pushNotificationConfig: second.config });
    const [body] = await notified(second.path, 1);
    expect(task0.parse(body)).toMatchObject({ id });
    expect(receiver.requests(second.path)[0]?.headers["x-a2a-notification-token"]).toBe("newer");
  },
);

verifies(
  "a2a.push.guarded",
  "a private URL or an impossible header is rejected when stored, a name that leads there when used",
  async () => {
    const guarded = await useSharedService();
    const guardedApi = apiOf(guarded, guarded.keys.api);
    const { id: agent } = await createAgent(guardedApi);
    const { id } = await taskInState(guardedApi, { status: "completed", agentId: agent, description: QUICK });
    const store = (fields: object) =>
      rpc(guarded, agent, { method: "CreateTaskPushNotificationConfig", params: { taskId: id, ...fields } });
    const bad = [
      { url: receiver.url },
      { url: "http://client.example/" },
      { url: "https://10.0.0.1/" },
      { url: "https://name:password@client.example/" },
      { url: "https://client.example/", token: "line\nbreak" },
      { url: "https://client.example/", authentication: { scheme: "Bearer", credentials: "ä" } },
      { url: "https://client.example/", authentication: { scheme: "Two words", credentials: "a" } },
    ];
    for (const fields of bad) expect((await store(fields)).error?.code).toBe(-32602);
    for (const fields of [{ url: "client" }, { pushNotificationConfig: { url: "client" } }]) {
      expect((await store(fields)).error?.message).toMatch(
        /^Invalid params: (?:pushNotificationConfig\.)?url: must be/,
      );
    }
    const { error } = await store({ url: "https://localtest.me.invalid/" });
    expect(error).toBeUndefined();
    const [delivery] = await eventually("the attempt", async () => {
      const all = await listDeliveries(consoleOf(guarded, guarded.keys.api), `task_id=${id}`);
      return all.some(({ attempt_count: attempts }) => attempts > 0) && all;
    });
    expect(delivery?.error).toEqual(expect.any(String));
    expect(task1.parse((await rpc(guarded, agent, { method: "GetTask", params: { id } })).result).id).toBe(id);
  },
);
