import { afterAll, beforeAll, expect } from "vitest";
import { list1, sent1, task0, task1 } from "../../support/a2a/shapes.ts";
import { post, rpc, streamed, userMessage, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, readTask, taskInState, taskIn } from "../../support/work.ts";

let service: TestService;
let provider: ScriptedProvider;
let api: Api;
let agentId: string;
let echoId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(({ body }, reply) => {
    reply.say(
      body.messages
        .map(({ role, content }) => `${role}: ${content}`)
        .slice(1)
        .join(" | "),
    );
    reply.finish();
  });
  service = await startService({ env: { ...provider.env } });
  api = apiOf(service, service.keys.api);
  const tools = ["wait", "request_approval", "request_choice", "request_form", "request_wizard"];
  agentId = (await createAgent(api, { is_a2a_published: true, tools })).id;
  echoId = (await createAgent(api, { model: "gpt-4o" })).id;
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

/** The text of a task's first artifact. */
function textIn({
  artifacts = [],
}: {
  readonly artifacts?: readonly { readonly parts: readonly object[] }[];
}): unknown {
  return Object(artifacts[0]?.parts[0])["text"];
}

/** Sends a message in the shapes of 0.3 and returns the task. */
async function send0(agent: string, text: string, fields: object = {}, configuration: object = {}) {
  const { result, error } = await rpc(service, agent, {
    method: "message/send",
    params: { ...userMessage(text, { ...fields }), configuration },
  });
  if (error !== undefined) throw new Error(error.message);
  return task0.parse(result);
}

/** The same in 1.0. */
async function send1(agent: string, text: string, fields: object = {}, configuration: object = {}) {
  const { result, error } = await rpc(service, agent, {
    method: "SendMessage",
    params: { ...userMessage1(text, { ...fields }), configuration },
  });
  if (error !== undefined) throw new Error(error.message);
  return sent1.parse(result).task;
}

verifies(
  ["a2a.rpc.message-send", "a2a.rpc.blocking", "a2a.result.artifacts", "a2a.rpc.tasks-get"],
  "a message runs the agent, and the answer is its task with the result as an artifact",
  async () => {
    const task = await send0(agentId, QUICK);
    expect(task).toMatchObject({ status: { state: "completed" }, contextId: task.id });
    const artifact = { artifactId: "result", name: "result", parts: [{ kind: "text", text: "done" }] };
    expect(task.artifacts).toEqual([artifact]);
    expect(await readTask(api, task.id)).toMatchObject({ status: "completed", result: "done" });
    const { result } = await rpc(service, agentId, { method: "tasks/get", params: { id: task.id } });
    expect(task0.parse(result)).toEqual(task);
    const newer = task1.parse((await rpc(service, agentId, { method: "GetTask", params: { id: task.id } })).result);
    expect(newer.artifacts?.[0]?.parts).toEqual([{ text: "done", mediaType: "text/plain" }]);
  },
);

verifies(
  ["a2a.rpc.non-blocking", "a2a.state.working", "a2a.state.canceled", "a2a.rpc.tasks-cancel"],
  "a non-blocking message returns immediately, and the task continues until it is cancelled",
  async () => {
    const task = await send0(agentId, ENDLESS, {}, { blocking: false });
    expect(["submitted", "working"]).toContain(task.status.state);
    await taskIn(api, task.id, "running");
    const { result } = await rpc(service, agentId, { method: "tasks/get", params: { id: task.id } });
    expect(task0.parse(result).status.state).toBe("working");
    const cancelled = await rpc(service, agentId, { method: "tasks/cancel", params: { id: task.id } });
    expect(task0.parse(cancelled.result).status.state).toBe("canceled");
    const newer = await send1(agentId, ENDLESS, {}, { returnImmediately: true });
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(newer.status.state);
    const after = await rpc(service, agentId, { method: "CancelTask", params: { id: newer.id } });
    expect(task1.parse(after.result).status.state).toBe("TASK_STATE_CANCELED");
  },
);

verifies("a2a.state.submitted", "tasks that have not begun are submitted", async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await createTask(api, { assigned_agent_id: agentId, scheduled_for: later });
  const { result } = await rpc(service, agentId, { method: "tasks/get", params: { id } });
  expect(task0.parse(result).status.state).toBe("submitted");
  await api.delete(`/api-tasks?id=${id}`);
});

verifies("a2a.result.artifacts", "a task that failed says why in its status", async () => {
  const task = await send1(agentId, FAILING);
  expect(task).toMatchObject({ status: { state: "TASK_STATE_FAILED", message: { role: "ROLE_AGENT" } } });
  expect(JSON.stringify(task.status.message)).toContain("boom");
  expect(task.artifacts).toEqual([]);
});

verifies(
  ["a2a.state.input-required", "a2a.rpc.answers", "interactions.answer.from-a2a"],
  "a message to a task that needs input answers its question, as text or as data",
  async () => {
    const choices = [
      { id: "tea", label: "Green tea" },
      { id: "coffee", label: "Coffee" },
    ];
    const asked = await send0(agentId, callOf("request_choice", { title: "What to drink?", choices }));
    expect(asked.status.state).toBe("input-required");
    const [text, data] = asked.status.message?.parts ?? [];
    expect(text).toMatchObject({ kind: "text", text: expect.stringContaining("What to drink?") });
    expect(data).toMatchObject({ kind: "data", data: { interactionType: "choice", choices } });
    await expect(send0(agentId, "water", { taskId: asked.id })).rejects.toThrow("one of tea, coffee");
    const answered = await send0(agentId, "green tea", { taskId: asked.id });
    expect(answered).toMatchObject({ id: asked.id, status: { state: "completed" } });
    expect(JSON.stringify(answered.artifacts)).toContain("tea");

    const form = { title: "Who?", fields: [{ key: "age", label: "Age", type: "number", required: true }] };
    const again = await send1(agentId, callOf("request_form", form));
    expect(again.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const wrong = { taskId: again.id, parts: [{ data: { values: { age: "old" } } }] };
    await expect(send1(agentId, "", wrong)).rejects.toThrow("values.age");
    const right = { contextId: again.contextId, parts: [{ data: { values: { age: 7 } } }] };
    expect(await send1(agentId, "", right)).toMatchObject({ id: again.id, status: { state: "TASK_STATE_COMPLETED" } });
  },
);

verifies("a2a.rpc.answers", "a wizard is answered step by step", async () => {
  const steps = [
    { stepId: "sure", type: "approval", title: "Sure?" },
    { stepId: "name", type: "text_input", title: "Name?" },
  ];
  const first = await send1(agentId, callOf("request_wizard", { title: "Setup", steps }));
  const second = await send1(agentId, "yes", { taskId: first.id });
  expect(second.status).toMatchObject({ state: "TASK_STATE_INPUT_REQUIRED" });
  expect(JSON.stringify(second.status.message)).toContain("Name?");
  expect(await send1(agentId, "Ada", { taskId: first.id })).toMatchObject({
    status: { state: "TASK_STATE_COMPLETED" },
  });
});

verifies(
  ["a2a.context.continues", "a2a.result.history"],
  "a message in the context of a finished task is its next attempt, with the conversation",
  async () => {
    const contextId = "my own conversation";
    const first = await send1(echoId, "One", { contextId, messageId: "m1" });
    expect(first.contextId).toBe(contextId);
    expect(first.artifacts?.[0]?.parts[0]).toMatchObject({ text: "user: One" });
    const second = await send1(echoId, "Two", { contextId, messageId: "m2" }, { historyLength: 10 });
    expect(second).toMatchObject({ id: first.id, contextId, status: { state: "TASK_STATE_COMPLETED" } });
    expect(second.artifacts?.[0]?.parts[0]).toMatchObject({ text: "user: One | assistant: user: One | user: Two" });
    expect(second.history?.map(({ role, parts }) => [role, parts[0]])).toEqual([
      ["ROLE_USER", { text: "One", mediaType: "text/plain" }],
      ["ROLE_AGENT", { text: "user: One", mediaType: "text/plain" }],
      ["ROLE_USER", { text: "Two", mediaType: "text/plain" }],
    ]);
    expect(second.history?.map(({ messageId }) => messageId)).toEqual(["m1", expect.any(String), "m2"]);
    expect(await readTask(api, first.id)).toMatchObject({ attempt: 2 });
    // The same message once more, as after a lost answer, runs nothing again.
    expect(await send1(echoId, "Two", { contextId, messageId: "m2" })).toMatchObject({ id: first.id });
    expect(await readTask(api, first.id)).toMatchObject({ attempt: 2 });
    // A context of the service's own making, and one task named by its id in 0.3.
    const own = await send0(echoId, "Three");
    expect(await send0(echoId, "Four", { contextId: own.contextId })).toMatchObject({ id: own.id });
    expect(await send0(echoId, "Five", { taskId: own.id })).toMatchObject({ id: own.id });
    expect(await readTask(api, own.id)).toMatchObject({ attempt: 3 });
  },
);

verifies("a2a.result.history", "the history has at most the requested length, with the newest messages", async () => {
  const { id } = await send1(echoId, "One", { contextId: "lengths" });
  await send1(echoId, "Two", { contextId: "lengths" });
  const lengthOf = async (historyLength?: number) => {
    const { result } = await rpc(service, echoId, { method: "GetTask", params: { id, historyLength } });
    return task1.parse(result).history?.map(({ parts }) => Object(parts[0])["text"]);
  };
  expect(await lengthOf()).toBeUndefined();
  expect(await lengthOf(0)).toBeUndefined();
  expect(await lengthOf(1)).toEqual(["Two"]);
  expect(await lengthOf(10)).toEqual(["One", "user: One", "Two"]);
});

verifies(
  ["a2a.rpc.lenient-parts", "a2a.parts.files"],
  "parts with or without kind, data and files reach the agent, and its files are returned as parts",
  async () => {
    const message = { parts: [{ text: "Read this:" }, { kind: "data", data: { n: 1 } }] };
    const { result } = await rpc(service, echoId, { method: "message/send", params: { message } });
    expect(textIn(task0.parse(result))).toBe('user: Read this:\n\n{\n  "n": 1\n}');
    const bytes = Buffer.from("the secret word is tulip").toString("base64");
    for (const file of [
      { kind: "file", file: { bytes, name: "word.txt", mimeType: "text/plain" } },
      { raw: bytes, filename: "word.txt", mediaType: "text/plain" },
    ]) {
      const parts = [{ text: "What is the word?" }, file];
      const task = await send1(echoId, "", { parts }, { historyLength: 1 });
      expect(JSON.stringify(task.artifacts)).toContain("tulip");
      const shown = task.history?.[0]?.parts[1];
      expect(shown).toMatchObject({ filename: "word.txt", mediaType: "text/plain" });
      const content = await fetch(String(Object(shown)["url"]));
      expect(await content.text()).toBe("the secret word is tulip");
    }
  },
);

verifies("a2a.parts.files", "a file that the agent creates is an artifact, also in the stream", async () => {
  const block = "Here:\n```csv report.csv\na,1\n```";
  const task = await send0(echoId, block);
  const made = task.artifacts?.[1];
  const file = { name: "report.csv", mimeType: "text/csv", uri: expect.stringContaining(service.url) };
  expect(made).toMatchObject({ name: "report.csv", parts: [{ kind: "file", file }] });
  const content = await fetch(String(Object(made?.parts[0])["file"]["uri"]));
  expect(await content.text()).toBe("a,1\n");
  const events = await streamed(service, echoId, { method: "SendStreamingMessage", params: userMessage1(block) });
  const artifacts = events.flatMap(({ result }) => Object(result)["artifactUpdate"] ?? []);
  expect(artifacts.at(-1)).toMatchObject({
    artifact: { name: "report.csv", parts: [{ filename: "report.csv", mediaType: "text/csv" }] },
    lastChunk: true,
  });
});

verifies(
  ["a2a.rpc.list-tasks"],
  "tasks are listed page by page, the last changed first, by state, context and time",
  async () => {
    const own = (await createAgent(api, { model: "demo", tools: ["wait"] })).id;
    const ids: string[] = [];
    for (const _ of [1, 2, 3, 4, 5]) ids.unshift((await send1(own, QUICK)).id);
    const failed = (await send1(own, FAILING, { contextId: "broken" })).id;
    const page = async (params: object) =>
      list1.parse((await rpc(service, own, { method: "ListTasks", params })).result);
    const all = await page({});
    expect(all).toMatchObject({ totalSize: 6, pageSize: 6, nextPageToken: "" });
    expect(all.tasks.map(({ id }) => id)).toEqual([failed, ...ids]);
    expect(all.tasks.every((task) => !("artifacts" in task) && !("history" in task))).toBe(true);

    const walked: string[] = [];
    let pageToken = "";
    do {
      const next = await page({ pageSize: 2, pageToken });
      expect(next.tasks.length).toBeLessThanOrEqual(2);
      expect(next.totalSize).toBe(6);
      walked.push(...next.tasks.map(({ id }) => id));
      pageToken = next.nextPageToken;
    } while (pageToken !== "");
    expect(walked).toEqual([failed, ...ids]);

    expect((await page({ status: "TASK_STATE_FAILED" })).tasks.map(({ id }) => id)).toEqual([failed]);
    expect(await page({ status: "TASK_STATE_WORKING" })).toMatchObject({ tasks: [], pageSize: 0, totalSize: 0 });
    expect((await page({ status: "TASK_STATE_REJECTED" })).tasks).toEqual([]);
    expect((await page({ status: "TASK_STATE_UNSPECIFIED" })).totalSize).toBe(6);
    expect((await page({ contextId: "broken" })).tasks).toMatchObject([{ id: failed, contextId: "broken" }]);
    expect((await page({ contextId: ids[0] })).tasks.map(({ id }) => id)).toEqual([ids[0]]);
    const since = all.tasks[2]?.status.timestamp;
    expect((await page({ statusTimestampAfter: since })).totalSize).toBe(3);
    expect((await page({ lastUpdatedAfter: Date.parse(since ?? "") })).totalSize).toBe(3);
    const shown = await page({ contextId: ids[0], includeArtifacts: true, historyLength: 1 });
    expect(shown.tasks[0]).toMatchObject({ artifacts: [{ parts: [{ text: "done" }] }], history: [{}] });

    const wrong = [
      { pageSize: 0 },
      { pageSize: 101 },
      { pageToken: "x" },
      { status: "nothing" },
      { historyLength: -1 },
    ];
    for (const params of [
      ...wrong,
      { statusTimestampAfter: "yesterday" },
      { lastUpdatedAfter: -1 },
      { lastUpdatedAfter: 9e15 },
    ]) {
      expect((await rpc(service, own, { method: "ListTasks", params })).error?.code).toBe(-32602);
    }
    const older = await rpc(service, own, { method: "tasks/list", params: { pageSize: 1 } });
    expect(task0.parse(Object(older.result)["tasks"][0]).id).toBe(failed);
  },
);

verifies(
  "a2a.rpc.instance",
  "the instance's endpoint runs the only published agent, or the one that is named",
  async () => {
    const only = await send1("", QUICK);
    const { result } = await rpc(service, "", { method: "GetTask", params: { id: only.id } });
    expect(task1.parse(result).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await readTask(api, only.id)).toMatchObject({ assigned_agent_id: agentId });
    const named = await send1("", "Hello", { metadata: { agent_id: echoId } });
    expect(await readTask(api, named.id)).toMatchObject({ assigned_agent_id: echoId });
    const second = (await createAgent(api, { is_a2a_published: true })).id;
    await expect(send1("", QUICK)).rejects.toThrow("metadata.agent_id");
    await api.delete(`/api-agents?id=${second}`);
  },
);

verifies(
  ["a2a.rpc.push-config", "a2a.rpc.v1-push-config"],
  "push configurations are stored without showing their secrets, replaced by name and limited",
  async () => {
    const { id } = await taskInState(api, { status: "completed", agentId, description: QUICK });
    const call = (method: string, params: object) => rpc(service, agentId, { method, params });
    const authentication = { scheme: "Bearer", credentials: "s3cret" };
    const url = "https://client.example/notify";
    const config = { taskId: id, id: "mine", url, token: "t0k3n", authentication };
    const shown = { taskId: id, id: "mine", url, authentication: { scheme: "Bearer" } };
    expect((await call("CreateTaskPushNotificationConfig", config)).result).toEqual(shown);
    expect((await call("GetTaskPushNotificationConfig", { taskId: id, id: "mine" })).result).toEqual(shown);
    const list = await call("ListTaskPushNotificationConfigs", { taskId: id });
    expect(list.result).toEqual({ configs: [shown], nextPageToken: "" });
    const old = { taskId: id, pushNotificationConfig: { id: "mine", url, authentication: { schemes: ["Bearer"] } } };
    expect((await call("tasks/pushNotificationConfig/set", old)).result).toEqual(old);
    expect((await call("tasks/pushNotificationConfig/get", { id })).result).toEqual(old);
    expect((await call("tasks/pushNotificationConfig/list", { id })).result).toEqual([old]);
    expect((await call("DeleteTaskPushNotificationConfig", { taskId: id, id: "mine" })).result).toEqual({});
    const gone = { id, pushNotificationConfigId: "mine" };
    expect((await call("tasks/pushNotificationConfig/delete", gone)).result).toBeNull();
    expect((await call("tasks/pushNotificationConfig/get", gone)).error?.code).toBe(-32001);

    const inner = { ...config, url: "http://169.254.169.254/" };
    expect((await call("CreateTaskPushNotificationConfig", inner)).error?.code).toBe(-32602);
    for (const name of Array.from({ length: 20 }, (_, n) => `c${n}`)) {
      await call("CreateTaskPushNotificationConfig", { ...config, id: name });
    }
    expect((await call("CreateTaskPushNotificationConfig", config)).error?.message).toContain("at most 20");
    const body = { jsonrpc: "2.0", id: 1, method: "ListTaskPushNotificationConfigs", params: { taskId: id } };
    expect((await post(service, agentId, body)).text).not.toMatch(/s3cret|t0k3n/);

    const along = { blocking: false, pushNotificationConfig: { url } };
    const task = await send0(agentId, QUICK, {}, along);
    const kept = await eventually(
      "its configuration",
      async () => (await call("tasks/pushNotificationConfig/list", { id: task.id })).result,
    );
    expect(kept).toMatchObject([{ taskId: task.id, pushNotificationConfig: { url } }]);
  },
);
