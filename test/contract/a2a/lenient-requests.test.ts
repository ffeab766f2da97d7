import { beforeAll, expect } from "vitest";
import { post } from "../../support/a2a/a2a.ts";
import { openTaskScene } from "../../support/a2a/task-scene.ts";
import type { TaskScene } from "../../support/a2a/task-scene.ts";
import { verifies } from "../../support/verifies.ts";

let scene: TaskScene;

beforeAll(async () => {
  scene = await openTaskScene();
});

const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hello" }] };

verifies("a2a.rpc.without-id", "a request without an id gets the id null, and errors keep their codes", async () => {
  const call = async (method: string, params: object = {}) =>
    (await post(scene.service, scene.echoId, { jsonrpc: "2.0", method, params })).body;
  expect(await call("Nothing")).toMatchObject({ id: null, error: { code: -32601 } });
  expect(await call("GetTask")).toMatchObject({ id: null, error: { code: -32602 } });
  expect(await call("GetTask", { id: crypto.randomUUID() })).toMatchObject({ id: null, error: { code: -32001 } });
  const sent = await call("SendMessage", { message });
  expect(sent).toMatchObject({ id: null, result: { task: { status: { state: "TASK_STATE_COMPLETED" } } } });
  const malformed = await post(scene.service, scene.echoId, { jsonrpc: "2.0", id: {}, method: "GetTask" });
  expect(malformed.body).toMatchObject({ id: null, error: { code: -32600 } });
});

verifies("a2a.rpc.proto-names", "the names of the protocol buffers are accepted, but not inside data", async () => {
  const call = async (method: string, params: object) =>
    Object((await post(scene.service, scene.echoId, { jsonrpc: "2.0", id: 1, method, params })).body)["result"];
  const parts = [
    { text: "Read:" },
    { data: { my_key: 1 } },
    { raw: "YQ==", filename: "a.txt", media_type: "text/plain" },
  ];
  const proto = { message_id: "p1", context_id: "proto names", role: "ROLE_USER", parts };
  const { task } = await call("SendMessage", { message: proto, configuration: { history_length: 1 } });
  expect(task).toMatchObject({ contextId: "proto names", history: [{ messageId: "p1" }] });
  expect(JSON.stringify(task.artifacts)).toContain("my_key");
  const config = { task_id: task.id, id: "mine", url: "https://client.example/notify" };
  await call("CreateTaskPushNotificationConfig", config);
  const { configs } = await call("ListTaskPushNotificationConfigs", { task_id: task.id });
  expect(configs).toMatchObject([{ taskId: task.id, id: "mine" }]);
});

verifies("a2a.rpc.stream-errors", "a client of streams gets an error as an event", async () => {
  const unknown = { id: crypto.randomUUID() };
  for (const [method, params, code] of [
    ["tasks/resubscribe", unknown, -32001],
    ["SubscribeToTask", unknown, -32001],
    ["message/stream", {}, -32602],
    ["SendStreamingMessage", { message: { ...message, taskId: unknown.id } }, -32001],
  ] as const) {
    const request = { jsonrpc: "2.0", id: 5, method, params };
    const headers = { accept: "text/event-stream" };
    const streamed = await post(scene.service, scene.echoId, request, { headers });
    expect(streamed.headers.get("content-type")).toContain("text/event-stream");
    const [, data = ""] = /^data: (.*)\n\n$/.exec(streamed.text) ?? [];
    expect(JSON.parse(data)).toMatchObject({ jsonrpc: "2.0", id: 5, error: { code } });
    const plain = await post(scene.service, scene.echoId, request);
    expect(plain.body).toMatchObject({ id: 5, error: { code } });
  }
});
