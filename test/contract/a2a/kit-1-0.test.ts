import { afterAll, beforeAll, expect } from "vitest";
import { event1, list1, sent1, task1 } from "../../support/a2a/shapes.ts";
import { KIT_1_0_TASKS } from "../../support/a2a/kit.ts";
import { openEvents, rpc, streamed, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf } from "../../support/api.ts";
import { startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent } from "../../support/work.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";

const ASKING = '[[tool:request_approval {"title":"Continue?"}]]\n[[say:done]]';
const UNKNOWN = { id: "no-such-task" };
const V1 = { "a2a-version": "1.0" };

let service: SharedService;
let receiver: Receiver;
let agentId: string;
let ended: ReturnType<typeof task1.parse>;

beforeAll(async () => {
  receiver = await startReceiver();
  ({ service } = await useScriptedService());
  const fields = { is_a2a_published: true, tools: ["request_approval"] };
  agentId = (await createAgent(apiOf(service, service.keys.api), fields)).id;
  ended = await sendMessage(QUICK);
});
afterAll(async () => {
  await receiver.close();
});

const call = (method: string, params: object) => rpc(service, agentId, { method, params, headers: V1 });
const codeOf = async (method: string, params: object) => (await call(method, params)).error?.code;

async function sendMessage(text: string, fields: object = {}, configuration: object = {}) {
  const { result, error } = await call("SendMessage", { ...userMessage1(text, { ...fields }), configuration });
  if (error !== undefined) throw new Error(error.message);
  return sent1.parse(result).task;
}

const asking = () => sendMessage(ASKING);
const subscribe = (id: string) =>
  streamed(service, agentId, { method: "SubscribeToTask", params: { id }, headers: V1 });
const streamMessage = (text: string) =>
  streamed(service, agentId, { method: "SendStreamingMessage", params: userMessage1(text), headers: V1 });
const listTasks = async (params: object) => list1.parse((await call("ListTasks", params)).result);
const historyOf = async (historyLength: number) => {
  const { result } = await call("GetTask", { id: ended.id, historyLength });
  return task1.parse(result).history;
};

/** Answers the question of a task while streams of it are open; what each of them got. */
async function streamsOf(id: string, count: number) {
  const streams = Array.from({ length: count }, () => subscribe(id));
  await sendMessage("yes", { taskId: id });
  return Promise.all(streams);
}

const push = (fields: object) => call("CreateTaskPushNotificationConfig", { taskId: ended.id, ...fields });
const CONFIG = { url: "https://client.example/push" };
const configOf = (id: string) => ({ taskId: ended.id, id });

async function notification(path: string) {
  const authentication = { scheme: "Bearer", credentials: "of the client" };
  const config = { url: receiver.url + path, authentication };
  await sendMessage(QUICK, {}, { taskPushNotificationConfig: config });
  const [first] = await eventually("a notification", () => {
    const requests = receiver.requests(path);
    return requests.length > 0 && requests;
  });
  if (first === undefined) throw new Error("There is no notification.");
  return first;
}

const CHECKS = {
  "CORE-SEND-001": async () => expect(ended.id).toEqual(expect.any(String)),
  "CORE-SEND-002": async () =>
    expect(await codeOf("SendMessage", userMessage1("x", { taskId: ended.id }))).toBe(-32004),
  "CORE-SEND-003": async () => {
    const parts = [{ raw: "dGNr", mediaType: "application/x-unsupported-type" }];
    expect(await codeOf("SendMessage", userMessage1("", { parts }))).toBe(-32005);
  },
  "CORE-STREAM-001": async () => expect((await streamMessage(QUICK)).length).toBeGreaterThan(1),
  "CORE-STREAM-003": async () => {
    const events = (await streamMessage(QUICK)).map(({ result }) => event1.parse(result));
    expect(events[0]).toHaveProperty("task");
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  },
  "CORE-GET-001": async () => expect(task1.parse((await call("GetTask", { id: ended.id })).result)).toEqual(ended),
  "CORE-GET-002": async () => expect(await codeOf("GetTask", UNKNOWN)).toBe(-32001),
  "CORE-LIST-001": async () => {
    const other = await addWorkspace(service.databaseUrl);
    const foreign = (await createAgent(apiOf(service, other.key))).id;
    const key = await addKey(service.databaseUrl, { ...other, kind: "a2a" });
    for (const agent of [foreign, agentId]) {
      const { result } = await rpc(service, agent, { method: "ListTasks", params: {}, key });
      expect(list1.parse(result).totalSize).toBe(0);
    }
  },
  "CORE-LIST-002": async () => {
    await sendMessage(QUICK);
    const first = await listTasks({ pageSize: 1 });
    const second = await listTasks({ pageSize: 1, pageToken: first.nextPageToken });
    expect(second.tasks[0]?.id).not.toBe(first.tasks[0]?.id);
  },
  "CORE-LIST-003": async () => {
    await sendMessage(QUICK);
    const times = (await listTasks({})).tasks.map(({ status }) => String(status.timestamp));
    expect(times).toEqual(times.toSorted().toReversed());
  },
  "CORE-LIST-004": async () => expect((await listTasks({ pageSize: 100 })).nextPageToken).toBe(""),
  "CORE-LIST-005": async () => {
    for (const task of (await listTasks({})).tasks) expect(task).not.toHaveProperty("artifacts");
  },
  "CORE-CANCEL-001": async () => {
    const { id } = await asking();
    const { result } = await call("CancelTask", { id });
    expect(task1.parse(result)).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
  },
  "CORE-CANCEL-002": async () => expect(await codeOf("CancelTask", { id: ended.id })).toBe(-32002),
  "CORE-CANCEL-003": async () => expect(await codeOf("CancelTask", UNKNOWN)).toBe(-32001),
  "CORE-EXECUTION-MODE-001": async () => {
    expect((await sendMessage(QUICK, {}, { returnImmediately: false })).status.state).toBe("TASK_STATE_COMPLETED");
    expect((await asking()).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  },
  "CORE-EXECUTION-MODE-002": async () => {
    const { id, status } = await sendMessage(ENDLESS, {}, { returnImmediately: true });
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(status.state);
    await call("CancelTask", { id });
  },
  "CORE-ERR-001": async () =>
    expect((await call("NoSuchMethod", {})).error).toMatchObject({ code: -32601, message: expect.any(String) }),
  "CORE-ERR-002": async () => expect(await codeOf("SendMessage", {})).toBe(-32602),
  "CORE-MULTI-001": async () => expect((await sendMessage(QUICK)).contextId).toMatch(/./),
  "CORE-MULTI-001a": async () => expect(ended.contextId).toMatch(/./),
  "CORE-MULTI-002": async () => expect((await sendMessage(QUICK, { contextId: "mine" })).contextId).toBe("mine"),
  "CORE-MULTI-002a": async () => {
    expect(await codeOf("SendMessage", userMessage1("x", { contextId: "c".repeat(201) }))).toBe(-32602);
  },
  "CORE-MULTI-003": async () => expect((await sendMessage(QUICK)).id).not.toBe((await sendMessage(QUICK)).id),
  "CORE-MULTI-004": async () =>
    expect(await codeOf("SendMessage", userMessage1("x", { taskId: "no-such-task" }))).toBe(-32001),
  "CORE-MULTI-005": async () => {
    const { id, contextId } = await asking();
    expect((await sendMessage("yes", { taskId: id })).contextId).toBe(contextId);
  },
  "CORE-MULTI-006": async () => {
    const message = userMessage1("x", { taskId: ended.id, contextId: "another" });
    expect(await codeOf("SendMessage", message)).toBe(-32602);
  },
  "CORE-HIST-001": async () => expect(await historyOf(0)).toBeUndefined(),
  "CORE-HIST-002": async () => expect(await historyOf(1)).toHaveLength(1),
  "CORE-HIST-003": async () => expect(await sendMessage(QUICK, {}, { historyLength: 0 })).not.toHaveProperty("history"),
  "CORE-HIST-004": async () => expect(await historyOf(10)).not.toHaveLength(0),
  "CORE-HIST-005": async () => {
    await sendMessage("[[say:first]]", { contextId: "order" });
    const { history = [] } = await sendMessage("[[say:second]]", { contextId: "order" }, { historyLength: 10 });
    expect(history.map(({ role }) => role)).toEqual(["ROLE_USER", "ROLE_AGENT", "ROLE_USER"]);
  },
  "CORE-HIST-006": async () => expect((await historyOf(10))?.[0]?.parts).toMatchObject([{ text: QUICK }]),
  "STREAM-ORDER-001": async () => {
    const numbers = (await streamMessage(QUICK)).map(({ eventId }) => Number(eventId));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  },
  "STREAM-ORDER-002": async () => {
    for (const events of await streamsOf((await asking()).id, 2)) {
      expect(events.at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
    }
  },
  "STREAM-ORDER-003": async () => {
    const [first = [], second = []] = await streamsOf((await asking()).id, 2);
    expect(first.slice(1)).toEqual(second.slice(1));
  },
  "STREAM-ORDER-004": async () => {
    const { id } = await asking();
    const params = { id };
    const closed = await openEvents(service, agentId, { method: "SubscribeToTask", params });
    const rest = subscribe(id);
    await closed.until(() => true);
    closed.close();
    await sendMessage("yes", { taskId: id });
    expect((await rest).at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  },
  "STREAM-SUB-001": async () => {
    const [events = []] = await streamsOf((await asking()).id, 1);
    expect(events[0]?.result).toHaveProperty("task");
  },
  "STREAM-SUB-002": async () => {
    const [events = []] = await streamsOf((await asking()).id, 1);
    expect(events.at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  },
  "STREAM-SUB-003": async () => expect(await codeOf("SubscribeToTask", { id: ended.id })).toBe(-32004),
  "STREAM-SUB-004": async () => expect(await codeOf("SubscribeToTask", UNKNOWN)).toBe(-32001),
  "PUSH-CREATE-001": async () => expect((await push({ ...CONFIG, id: "a" })).result).toMatchObject({ id: "a" }),
  "PUSH-CREATE-002": async () => {
    await push({ ...CONFIG, id: "kept" });
    expect((await call("GetTaskPushNotificationConfig", configOf("kept"))).result).toMatchObject(CONFIG);
  },
  "PUSH-GET-001": async () => {
    await push({ ...CONFIG, id: "b" });
    expect((await call("GetTaskPushNotificationConfig", configOf("b"))).result).toEqual({
      ...configOf("b"),
      ...CONFIG,
    });
  },
  "PUSH-GET-002": async () => expect(await codeOf("GetTaskPushNotificationConfig", configOf("unknown"))).toBe(-32001),
  "PUSH-LIST-001": async () => {
    await push({ ...CONFIG, id: "c" });
    const { result } = await call("ListTaskPushNotificationConfigs", { taskId: ended.id });
    expect(JSON.stringify(result)).toContain('"id":"c"');
  },
  "PUSH-DEL-001": async () => {
    await push({ ...CONFIG, id: "d" });
    await call("DeleteTaskPushNotificationConfig", configOf("d"));
    expect(await codeOf("GetTaskPushNotificationConfig", configOf("d"))).toBe(-32001);
  },
  "PUSH-DEL-002": async () =>
    expect((await call("DeleteTaskPushNotificationConfig", configOf("d"))).error).toBeUndefined(),
  "PUSH-DELIVER-001": async () =>
    expect((await notification("/auth")).headers["authorization"]).toBe("Bearer of the client"),
  "PUSH-DELIVER-002": async () => void (await notification("/once")),
  "PUSH-DELIVER-003": async () => void event1.parse(JSON.parse((await notification("/shape")).body)),
} satisfies Readonly<Record<keyof typeof KIT_1_0_TASKS, () => Promise<void>>>;

for (const [id, check] of Object.entries(CHECKS)) {
  verifies("a2a.tck.1-0", `${id}: ${new Map(Object.entries<string>(KIT_1_0_TASKS)).get(id)}`, check);
}
