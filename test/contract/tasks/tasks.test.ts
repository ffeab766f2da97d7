import { beforeAll, expect } from "vitest";
import { fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { inTurns, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import {
  ENDLESS,
  FAILING,
  QUICK,
  createAgent,
  createTask,
  readTask,
  stopTask,
  taskInState,
  taskIn,
} from "../../support/work.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const NO_USAGE = {
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
  cost_usd: 0,
};

let scripted: ScriptedWorkspace;
let api: Api;
let agentId: string;

beforeAll(async () => {
  scripted = await useScriptedService();
  ({ api } = scripted);
  agentId = (await createAgent(api)).id;
});

verifies(
  [
    "tasks.create.returns-record",
    "tasks.create.defaults",
    "tasks.create.unassigned-pending",
    "tasks.record.fields",
    "tasks.record.result-fields",
    "tasks.record.timestamps",
    "tasks.record.usage-shape",
    "tasks.created-by.key-owner",
    "tasks.get.one",
  ],
  "a task with only a title has every default, and waits for an agent",
  async () => {
    const me = fieldsOf(await api.get("/api-me"));
    const answer = await api.post("/api-tasks", { title: "Look around" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workspace_id: me["workspace_id"],
      created_by: me["id"],
      title: "Look around",
      description: "",
      priority: "medium",
      status: "pending",
      assigned_agent_id: null,
      assigned_team_id: null,
      team_run_id: null,
      metadata: {},
      result: null,
      error: null,
      finish_reason: null,
      result_truncated: false,
      interaction: null,
      usage: NO_USAGE,
      attempt: 1,
      agent_version: null,
      attachments: [],
      scheduled_for: null,
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
      dispatched_at: null,
      started_at: null,
      completed_at: null,
    });
    const read = await api.get(`/api-tasks?id=${String(fieldsOf(answer)["id"])}`);
    expect([read.status, read.body]).toEqual([200, answer.body]);
  },
);

verifies(
  [
    "tasks.create.assigned-dispatches",
    "tasks.state.running-to-completed",
    "tasks.record.timestamps",
    "tasks.record.usage-shape",
    "tasks.record.statuses",
  ],
  "a task created with an agent runs by itself to its result",
  async () => {
    const created = await api.post("/api-tasks", { title: "Go", description: QUICK, assigned_agent_id: agentId });
    const record = fieldsOf(created);
    expect(record).toMatchObject({ status: "dispatched", assigned_agent_id: agentId, result: null });
    expect(record["dispatched_at"]).toMatch(TIME);
    expect(record["started_at"]).toBeNull();
    const done = await taskIn(api, String(record["id"]), "completed");
    expect(done).toMatchObject({ result: "done", error: null, attempt: 1 });
    const times = [done["created_at"], done["dispatched_at"], done["started_at"], done["completed_at"]].map(String);
    expect(times.toSorted()).toEqual(times);
    expect(done.usage).toMatchObject({ completion_tokens: 1, cost_usd: 0 });
    const { prompt_tokens: prompt = 0, completion_tokens: completion = 0, total_tokens: total } = done.usage;
    expect(prompt).toBeGreaterThan(1);
    expect(total).toBe(prompt + completion);
  },
);

verifies(
  ["envelope.body.read-only-ignored", "tasks.patch.record-sent-back"],
  "a task's record can be sent back whole in every state, with one field changed while it is open",
  async () => {
    const open = [await createTask(api), await taskInState(api, { agentId, status: "running", description: ENDLESS })];
    for (const { id } of open) {
      const record = await readTask(api, id);
      expect((await api.patch(`/api-tasks?id=${id}`, record)).status).toBe(200);
      const changed = await api.patch(`/api-tasks?id=${id}`, { ...record, title: "Changed" });
      expect([changed.status, fieldsOf(changed)]).toMatchObject([200, { title: "Changed", status: record.status }]);
      await stopTask(api, id);
    }
    const done = await taskInState(api, { agentId, status: "completed", description: QUICK });
    expect((await api.patch(`/api-tasks?id=${done.id}`, done)).body).toEqual(done);
    const late = await api.patch(`/api-tasks?id=${done.id}`, { ...done, title: "Changed" });
    expect(refusal(late)).toMatchObject({ status: 409, code: "conflict" });
  },
);

verifies("tasks.state.running-to-failed", "a task whose model rejects the call fails with the reason", async () => {
  const failed = await taskInState(api, { agentId, status: "failed", description: FAILING });
  expect(failed).toMatchObject({ result: null, error: expect.stringContaining("boom") });
  expect(failed.completed_at).toMatch(TIME);
});

verifies("tasks.create.metadata-untouched", "metadata is the same in every state of a task", async () => {
  const metadata = { mine: { a: [1, 2] }, attempt: "my own", status: "my own" };
  const { id } = await createTask(api, { description: ENDLESS, assigned_agent_id: agentId, metadata });
  expect((await taskIn(api, id, "running")).metadata).toEqual(metadata);
  await api.patch(`/api-tasks?id=${id}`, { status: "cancelled", title: "Renamed" });
  expect((await readTask(api, id)).metadata).toEqual(metadata);
  await api.patch(`/api-tasks?id=${id}`, { status: "dispatched", description: QUICK });
  expect((await taskIn(api, id, "completed")).metadata).toEqual(metadata);
});

verifies("tasks.create.unassigned-pending", "a task without agent is still pending when others have run", async () => {
  const { id } = await createTask(api, { description: QUICK });
  await taskInState(api, { agentId, status: "completed", description: QUICK });
  expect(await readTask(api, id)).toMatchObject({ status: "pending", dispatched_at: null, result: null });
});

verifies(["tasks.list.all", "tasks.list.by-status"], "tasks are listed, all of them or those of a state", async () => {
  const pending = await createTask(api);
  const failed = await taskInState(api, { agentId, status: "failed", description: FAILING });
  const completed = await taskInState(api, { agentId, status: "completed", description: QUICK });
  const all = idsOf(await api.get("/api-tasks?limit=3"));
  expect(all).toEqual([completed.id, failed.id, pending.id]);
  for (const task of [pending, failed, completed]) {
    const listed = listOf(await api.get(`/api-tasks?status=${task.status}&limit=200`));
    expect(listed[0]).toMatchObject({ id: task.id, status: task.status });
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set([task.status]));
  }
});

verifies(
  ["tasks.record.statuses", "tasks.list.unknown-status-400"],
  "lists know the seven states and no other",
  async () => {
    for (const status of [
      "pending",
      "dispatched",
      "running",
      "waiting_for_input",
      "completed",
      "failed",
      "cancelled",
    ]) {
      expect((await api.get(`/api-tasks?status=${status}`)).status).toBe(200);
    }
    for (const status of ["done", "", "PENDING", "waiting"]) {
      expect(refusal(await api.get(`/api-tasks?status=${status}`))).toMatchObject({ status: 400, paths: ["status"] });
    }
  },
);

verifies("tasks.delete.removes", "a deleted task is in no read and no list", async () => {
  for (const status of ["completed", "failed"] as const) {
    const description = status === "failed" ? FAILING : QUICK;
    const { id } = await taskInState(api, { agentId, status, description });
    expect((await api.delete(`/api-tasks?id=${id}`)).status).toBe(204);
    expect(refusal(await api.get(`/api-tasks?id=${id}`))).toMatchObject({ status: 404, code: "not_found" });
    expect(idsOf(await api.get("/api-tasks?limit=200"))).not.toContain(id);
  }
});

verifies(
  "tasks.prompt.title-and-description",
  "the prompt has the title, an empty line, and the description",
  async () => {
    const script = inTurns((reply) => reply.say("hello"));
    const writer = await scripted.player(script, { system_prompt: "Write well." });
    const task = await createTask(api, { title: "A poem", description: "Two lines.", assigned_agent_id: writer.id });
    const [call] = await eventually("the call", () => writer.calls().length > 0 && writer.calls());
    expect(call?.body.messages).toMatchObject([
      { role: "system", content: expect.stringMatching(/\nWrite well\.$/) },
      { role: "user", content: "Task Title: A poem\n\nTask Description:\nTwo lines." },
    ]);
    expect((await taskIn(api, task.id, "completed")).result).toBe("hello");
  },
);

verifies("envelope.body.read-only-ignored", "read-only fields of a task are ignored", async () => {
  const task = await createTask(api);
  const sent = { ...task, status: undefined, title: "New", attempt: 9, result: "forged", created_at: "2001-01-01" };
  const answer = await api.patch(`/api-tasks?id=${task.id}`, sent);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ...task, title: "New", updated_at: fieldsOf(answer)["updated_at"] });
  const made = await api.post("/api-tasks", { ...task, status: undefined, usage: { cost_usd: 99 } });
  expect(made.status).toBe(201);
  expect(fieldsOf(made)).toMatchObject({ usage: NO_USAGE, status: "pending" });
  expect(fieldsOf(made)["id"]).not.toBe(task.id);
  await stopTask(api, task.id);
});
