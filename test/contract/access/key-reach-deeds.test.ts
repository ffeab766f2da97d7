import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { rpc, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { WEATHER } from "../../support/client-tools.ts";
import { formWith, postFile } from "../../support/files.ts";
import { createKey } from "../../support/keys.ts";
import { HIDDEN, openReachScene } from "../../support/reach-scene.ts";
import type { ReachScene } from "../../support/reach-scene.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, QUICK, createTask, taskIn } from "../../support/work.ts";

let scene: ReachScene;
beforeAll(async () => void (scene = await openReachScene()));

verifies("keys.reach.deeds", "an A2A key has push configurations of its agents' tasks only", async () => {
  for (const kind of ["a2a", "ag-ui"]) {
    const { key } = await scene.limitedKey({ kind });
    const call = (method: string, params: object) => rpc(scene.service, "", { method, params, key });
    const own = await call("ListTaskPushNotificationConfigs", { taskId: scene.taskId });
    expect(own.error).toBeUndefined();
    for (const [method, fields] of [
      ["CreateTaskPushNotificationConfig", { id: "mine", url: "https://example.com/push" }],
      ["GetTaskPushNotificationConfig", { id: "mine" }],
      ["ListTaskPushNotificationConfigs", {}],
      ["DeleteTaskPushNotificationConfig", { id: "mine" }],
      ["CancelTask", {}],
      ["SubscribeToTask", {}],
    ] as const) {
      const idOf = (id: string) => (/Config/.test(method) ? { taskId: id, ...fields } : { id });
      const foreign = await call(method, idOf(scene.hidden.taskId));
      expect([method, foreign.error]).toEqual([method, expect.objectContaining({ code: expect.any(Number) })]);
      expect(foreign.error).toEqual((await call(method, idOf(newId()))).error);
    }
    const continued = await call("SendMessage", userMessage1(QUICK, { taskId: scene.hidden.taskId }));
    expect(continued.error).toBeDefined();
  }
});

verifies("keys.reach.deeds", "a limited key forks, retries and restarts runs of its agents only", async () => {
  const { key } = await scene.limitedKey();
  const [api, desk] = [apiOf(scene.service, key), consoleOf(scene.service, key)];
  const forked = await desk.post(`/runs/${scene.taskId}/fork`, { from_step: 0 });
  expect([forked.status, fieldsOf(forked)]).toEqual([
    201,
    expect.objectContaining({ assigned_agent_id: scene.agentId }),
  ]);
  const failing = await createTask(api, { assigned_agent_id: scene.agentId, description: FAILING });
  await taskIn(api, failing.id, "failed");
  expect((await desk.post(`/runs/${failing.id}/retry`, {})).status).toBe(201);
  const { taskId } = scene.hidden;
  const unknown = newId();
  for (const [path, body] of [
    ["fork", { from_step: 0 }],
    ["retry", {}],
  ] as const) {
    const refused = refusal(await desk.post(`/runs/${taskId}/${path}`, body));
    expect(refused).toEqual(refusal(await desk.post(`/runs/${unknown}/${path}`, body)));
    expect(refused.status).toBe(404);
  }
  for (const action of ["rerun", "cancel"]) {
    const many = async (id: string) => {
      const answer = await desk.post("/runs/bulk", { action, ids: [id], expect: 1 });
      return JSON.stringify(answer.status === 200 ? fieldsOf(answer) : refusal(answer)).replaceAll(id, "");
    };
    expect([action, await many(taskId)]).toEqual([action, await many(unknown)]);
  }
  const hidden = fieldsOf(await scene.api.get(`/api-tasks?id=${taskId}`));
  expect(hidden).toMatchObject({ status: "completed", attempt: 1 });
});

verifies("keys.reach.deeds", "a file that a limited key uploads is its own, and goes into its own runs", async () => {
  const { key } = await scene.limitedKey();
  const other = await createKey(scene.desk, { agents: [scene.hidden.agentId] });
  const form = formWith({ name: "own.txt", type: "text/plain", content: "Reached text" });
  const uploaded = await postFile(scene.service, form, { "x-api-key": key });
  expect([uploaded.status, uploaded.text]).toEqual([201, expect.any(String)]);
  const { id } = fieldsOf(uploaded);
  const seenBy = (by: string) => send("GET", `${scene.service.url}/files`, { headers: { "x-api-key": by } });
  expect([(await seenBy(key)).text.includes(String(id)), (await seenBy(other.key)).text.includes(String(id))]).toEqual([
    true,
    false,
  ]);
  const api = apiOf(scene.service, key);
  const task = await createTask(api, { assigned_agent_id: scene.agentId, description: QUICK, attachments: [id] });
  await taskIn(api, task.id, "completed");
  expect((await seenBy(other.key)).text).not.toContain(id);
});

verifies("keys.reach.deeds", "results of client tools reach no conversation of another agent", async () => {
  const { key } = await scene.limitedKey({ kind: "ag-ui" });
  const results = (agentId: string, threadId: string, messages: readonly object[]) =>
    send("POST", `${scene.service.url}/ag-ui/${agentId}/sse`, {
      headers: { authorization: `Bearer ${key}` },
      body: { threadId, runId: newId(), state: {}, messages, tools: [WEATHER], context: [], forwardedProps: {} },
    });
  const user = { id: newId(), role: "user", content: QUICK };
  const own = await results(scene.agentId, newId(), [user]);
  expect([own.status, own.text]).toEqual([200, expect.stringContaining("RUN_STARTED")]);
  const result = { id: newId(), role: "tool", toolCallId: "call", content: "sunny" };
  for (const [agentId, threadId] of [
    [scene.hidden.agentId, scene.hidden.taskId],
    [scene.agentId, scene.hidden.taskId],
    [scene.hidden.agentId, newId()],
  ] as const) {
    const refused = await results(agentId, threadId, [result]);
    expect([403, 404, 409]).toContain(refused.status);
    expect(refused.text).not.toContain("RUN_STARTED");
    expect(refused.text).not.toContain(HIDDEN);
  }
});
