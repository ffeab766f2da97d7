import { beforeAll, expect } from "vitest";
import { send } from "../../support/api.ts";
import { openTaskScene } from "../../support/a2a/task-scene.ts";
import type { TaskScene } from "../../support/a2a/task-scene.ts";
import { sent1, task1 } from "../../support/a2a/shapes.ts";
import { verifies } from "../../support/verifies.ts";

let scene: TaskScene;

beforeAll(async () => {
  scene = await openTaskScene();
});

const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hello" }] };

interface CallOptions {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function call(method: string, path: string, { body, key = scene.service.keys.a2a, headers }: CallOptions = {}) {
  const url = `${scene.service.url}/a2a/${path}`;
  return send(method, url, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(body !== undefined && { body }),
  });
}

verifies("a2a.rest.methods", "each method has its path, for an agent and for the instance", async () => {
  const { echoId } = scene;
  const sent = await call("POST", `${echoId}/message:send`, { body: { message } });
  expect(sent.status, sent.text).toBe(200);
  const { task } = sent1.parse(sent.body);
  expect(task.status.state).toBe("TASK_STATE_COMPLETED");
  expect(sent.headers.get("a2a-version")).toBe("1.0");
  const read = await call("GET", `${echoId}/tasks/${task.id}?historyLength=1`, {
    headers: { accept: "application/a2a+json" },
  });
  expect(read.headers.get("content-type")).toContain("application/a2a+json");
  expect(task1.parse(JSON.parse(read.text)).history).toHaveLength(1);
  expect((await call("GET", `${echoId}/tasks?page_size=1&includeArtifacts=true`)).body).toMatchObject({
    tasks: [{ id: task.id, artifacts: [{ name: "result" }] }],
  });
  const config = { id: "mine", url: "https://client.example/notify" };
  const configs = `${echoId}/tasks/${task.id}/pushNotificationConfigs`;
  expect((await call("POST", configs, { body: config })).body).toMatchObject({ taskId: task.id, ...config });
  expect((await call("GET", `${configs}/mine`)).body).toMatchObject(config);
  expect((await call("GET", configs)).body).toMatchObject({ configs: [config] });
  expect((await call("DELETE", `${configs}/mine`)).status).toBe(200);
  expect((await call("GET", `${echoId}/extendedAgentCard`)).body).toMatchObject({
    supportedInterfaces: expect.any(Array),
  });
  const streamed = await call("POST", `${echoId}/message:stream`, {
    body: { message: { ...message, messageId: "s" } },
  });
  const events = streamed.text.split("\n\n").flatMap((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? []);
  expect(JSON.parse(events[0] ?? "")).toMatchObject({ task: {} });
  expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({
    statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } },
  });
  const atInstance = await call("POST", "rest/message:send", { body: { message, metadata: { agent_id: echoId } } });
  expect(sent1.parse(atInstance.body).task.status.state).toBe("TASK_STATE_COMPLETED");
});

verifies("a2a.rest.errors", "errors have their status and the reasons of A2A", async () => {
  const { echoId } = scene;
  const unknown = crypto.randomUUID();
  const refusals = [
    ["GET", `${echoId}/tasks/${unknown}`, {}, 404, "NOT_FOUND", "TASK_NOT_FOUND"],
    ["POST", `${echoId}/tasks/${unknown}:cancel`, {}, 404, "NOT_FOUND", "TASK_NOT_FOUND"],
    [
      "POST",
      `${echoId}/tasks/${unknown}:subscribe`,
      { headers: { accept: "text/event-stream" } },
      404,
      "NOT_FOUND",
      "TASK_NOT_FOUND",
    ],
    ["GET", `${echoId}/tasks?pageSize=0`, {}, 400, "INVALID_ARGUMENT", undefined],
    ["POST", `${echoId}/message:send`, { body: {} }, 400, "INVALID_ARGUMENT", undefined],
    ["POST", `${echoId}/message:send`, { body: "{" }, 400, "INVALID_ARGUMENT", undefined],
    ["POST", `${echoId}/message:other`, { body: {} }, 404, "NOT_FOUND", undefined],
    [
      "GET",
      `${echoId}/tasks`,
      { headers: { "a2a-version": "0.3" } },
      400,
      "FAILED_PRECONDITION",
      "VERSION_NOT_SUPPORTED",
    ],
    ["GET", `${echoId}/tasks`, { key: "nothing" }, 401, "UNAUTHENTICATED", undefined],
  ] as const;
  for (const [method, path, options, code, status, reason] of refusals) {
    const answer = await call(method, path, options);
    const details = reason === undefined ? [] : [expect.objectContaining({ reason })];
    expect([path, answer.status, answer.body]).toMatchObject([path, code, { error: { code, status, details } }]);
  }
});
