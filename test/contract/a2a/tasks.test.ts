import { beforeAll, expect } from "vitest";
import { list1, task0, task1 } from "../../support/a2a/shapes.ts";
import { post, rpc } from "../../support/a2a/a2a.ts";
import { openTaskScene } from "../../support/a2a/task-scene.ts";
import type { TaskScene } from "../../support/a2a/task-scene.ts";
import { eventually } from "../../support/eventually.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, readTask, taskInState, taskIn } from "../../support/work.ts";

let scene: TaskScene;

beforeAll(async () => {
  scene = await openTaskScene();
});

verifies(
  ["a2a.rpc.message-send", "a2a.rpc.blocking", "a2a.result.artifacts", "a2a.rpc.tasks-get"],
  "a message runs the agent, and the answer is its task with the result as an artifact",
  async () => {
    const task = await scene.send0(scene.agentId, QUICK);
    expect(task).toMatchObject({ status: { state: "completed" }, contextId: task.id });
    const artifact = { artifactId: "result", name: "result", parts: [{ kind: "text", text: "done" }] };
    expect(task.artifacts).toEqual([artifact]);
    expect(await readTask(scene.api, task.id)).toMatchObject({ status: "completed", result: "done" });
    const { result } = await rpc(scene.service, scene.agentId, { method: "tasks/get", params: { id: task.id } });
    expect(task0.parse(result)).toEqual(task);
    const newer = task1.parse(
      (await rpc(scene.service, scene.agentId, { method: "GetTask", params: { id: task.id } })).result,
    );
    expect(newer.artifacts?.[0]?.parts).toEqual([{ text: "done", mediaType: "text/plain" }]);
  },
);

verifies(
  ["a2a.rpc.non-blocking", "a2a.state.working", "a2a.state.canceled", "a2a.rpc.tasks-cancel"],
  "a non-blocking message returns immediately, and the task continues until it is cancelled",
  async () => {
    const task = await scene.send0(scene.agentId, ENDLESS, {}, { blocking: false });
    expect(["submitted", "working"]).toContain(task.status.state);
    await taskIn(scene.api, task.id, "running");
    const { result } = await rpc(scene.service, scene.agentId, { method: "tasks/get", params: { id: task.id } });
    expect(task0.parse(result).status.state).toBe("working");
    const cancelled = await rpc(scene.service, scene.agentId, { method: "tasks/cancel", params: { id: task.id } });
    expect(task0.parse(cancelled.result).status.state).toBe("canceled");
    const newer = await scene.send1(scene.agentId, ENDLESS, {}, { returnImmediately: true });
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(newer.status.state);
    const after = await rpc(scene.service, scene.agentId, { method: "CancelTask", params: { id: newer.id } });
    expect(task1.parse(after.result).status.state).toBe("TASK_STATE_CANCELED");
  },
);

verifies("a2a.state.submitted", "tasks that have not begun are submitted", async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await createTask(scene.api, { assigned_agent_id: scene.agentId, scheduled_for: later });
  const { result } = await rpc(scene.service, scene.agentId, { method: "tasks/get", params: { id } });
  expect(task0.parse(result).status.state).toBe("submitted");
  await scene.api.delete(`/api-tasks?id=${id}`);
});

verifies("a2a.result.artifacts", "a task that failed says why in its status", async () => {
  const task = await scene.send1(scene.agentId, FAILING);
  expect(task).toMatchObject({ status: { state: "TASK_STATE_FAILED", message: { role: "ROLE_AGENT" } } });
  expect(JSON.stringify(task.status.message)).toContain("boom");
  expect(task.artifacts).toEqual([]);
});

verifies(
  ["a2a.rpc.list-tasks"],
  "tasks are listed page by page, the last changed first, by state, context and time",
  async () => {
    const own = (await createAgent(scene.api, { model: "demo", tools: ["wait"] })).id;
    const ids: string[] = [];
    for (const _ of [1, 2, 3, 4, 5]) ids.unshift((await scene.send1(own, QUICK)).id);
    const failed = (await scene.send1(own, FAILING, { contextId: "broken" })).id;
    const page = async (params: object) =>
      list1.parse((await rpc(scene.service, own, { method: "ListTasks", params })).result);
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
      expect((await rpc(scene.service, own, { method: "ListTasks", params })).error?.code).toBe(-32602);
    }
    const older = await rpc(scene.service, own, { method: "tasks/list", params: { pageSize: 1 } });
    expect(task0.parse(Object(older.result)["tasks"][0]).id).toBe(failed);
  },
);

verifies(
  "a2a.rpc.instance",
  "the instance's endpoint runs the only published agent, or the one that is named",
  async () => {
    const only = await scene.send1("", QUICK);
    const { result } = await rpc(scene.service, "", { method: "GetTask", params: { id: only.id } });
    expect(task1.parse(result).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await readTask(scene.api, only.id)).toMatchObject({ assigned_agent_id: scene.agentId });
    const named = await scene.send1("", "Hello", { metadata: { agent_id: scene.echoId } });
    expect(await readTask(scene.api, named.id)).toMatchObject({ assigned_agent_id: scene.echoId });
    const second = (await createAgent(scene.api, { is_a2a_published: true })).id;
    await expect(scene.send1("", QUICK)).rejects.toThrow("metadata.agent_id");
    await scene.api.delete(`/api-agents?id=${second}`);
  },
);

verifies(
  ["a2a.rpc.push-config", "a2a.rpc.v1-push-config"],
  "push configurations are stored without showing their secrets, replaced by name and limited",
  async () => {
    const { id } = await taskInState(scene.api, { status: "completed", agentId: scene.agentId, description: QUICK });
    const call = (method: string, params: object) => rpc(scene.service, scene.agentId, { method, params });
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
    expect((await post(scene.service, scene.agentId, body)).text).not.toMatch(/s3cret|t0k3n/);

    const along = { blocking: false, pushNotificationConfig: { url } };
    const task = await scene.send0(scene.agentId, QUICK, {}, along);
    const kept = await eventually(
      "its configuration",
      async () => (await call("tasks/pushNotificationConfig/list", { id: task.id })).result,
    );
    expect(kept).toMatchObject([{ taskId: task.id, pushNotificationConfig: { url } }]);
  },
);
