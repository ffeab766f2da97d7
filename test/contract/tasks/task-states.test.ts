import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
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
import type { TaskFields } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let provider: ScriptedProvider;
let service: TestService;
let api: Api;
let agentId: string;
/** An agent whose model answers only when the test lets the provider answer. */
let heldAgentId: string;
const release = new Map<string, () => void>();

beforeAll(async () => {
  provider = await startScriptedProvider(async (call, reply) => {
    reply.say("late");
    await new Promise<void>((resolve) => release.set(call.task, resolve));
    reply.finish();
  });
  service = await startService({
    env: { OPENAI_API_KEY: "key-of-the-test", OPENAI_BASE_URL: provider.baseUrl, RUNS_PER_WORKSPACE: "20" },
  });
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
  heldAgentId = (await createAgent(api, { model: "gpt-4o" })).id;
});
afterAll(async () => {
  for (const letGo of release.values()) letGo();
  await service.stop();
  await provider.close();
});

/** Brings a task into a state; `dispatched` by resetting it to before the engine began. */
async function taskOf(status: string): Promise<TaskFields> {
  if (status === "pending") return createTask(api);
  if (status === "completed" || status === "failed") {
    return taskInState(api, { agentId, status, description: status === "failed" ? FAILING : QUICK });
  }
  const running = await taskInState(api, { agentId, status: "running", description: ENDLESS });
  await eventually("the tool is waiting", async () => (await readTask(api, running.id)).usage["total_tokens"] !== 0);
  if (status === "cancelled") await stopTask(api, running.id);
  if (status === "dispatched" || status === "waiting_for_input") {
    await sql(service.databaseUrl, "update tasks set status = $2 where id = $1", [running.id, status]);
  }
  return readTask(api, running.id);
}

const STATES = ["pending", "dispatched", "running", "completed", "failed", "cancelled"] as const;
const NEVER_SET = ["pending", "running", "waiting_for_input", "completed", "failed"] as const;

for (const from of STATES) {
  verifies(
    ["tasks.patch.illegal-transition-409", "errors.conflict"],
    `a ${from} task cannot be set to a state that only the service sets`,
    async () => {
      const task = await taskOf(from);
      for (const to of NEVER_SET.filter((each) => each !== from)) {
        const answer = refusal(await api.patch(`/api-tasks?id=${task.id}`, { status: to, title: "Changed" }));
        expect(answer).toMatchObject({ status: 409, code: "conflict" });
        expect(answer.message).toMatch(new RegExp(`\\b${from}\\b.*\\b${to}\\b`));
      }
      expect(await readTask(api, task.id)).toEqual(task);
      await stopTask(api, task.id);
    },
  );
}

const refused = [
  { from: "running", to: "dispatched" },
  { from: "completed", to: "cancelled" },
  { from: "failed", to: "cancelled" },
] as const;
for (const { from, to } of refused) {
  verifies("tasks.patch.illegal-transition-409", `a ${from} task cannot be set to ${to}`, async () => {
    const task = await taskOf(from);
    const answer = refusal(await api.patch(`/api-tasks?id=${task.id}`, { status: to }));
    expect(answer).toMatchObject({ status: 409, code: "conflict" });
    expect(answer.message).toMatch(new RegExp(`\\b${from}\\b.*\\b${to}\\b`));
    expect(await readTask(api, task.id)).toEqual(task);
    await stopTask(api, task.id);
  });
}

for (const state of STATES) {
  verifies("tasks.patch.unchanged", `what a ${state} task has is no change`, async () => {
    const task = await taskOf(state);
    const { status, title, assigned_agent_id, scheduled_for } = task;
    for (const same of [{ status }, { assigned_agent_id }, { title, assigned_agent_id }, { scheduled_for }]) {
      const answer = await api.patch(`/api-tasks?id=${task.id}`, same);
      expect([same, answer.status, answer.body]).toEqual([same, 200, task]);
    }
    await stopTask(api, task.id);
  });
}

for (const from of ["pending", "dispatched", "running"] as const) {
  verifies(
    ["tasks.patch.cancel", "tasks.state.cancel-from-every-open-state"],
    `a ${from} task can be cancelled and stays so`,
    async () => {
      const task = await taskOf(from);
      const answer = await api.patch(`/api-tasks?id=${task.id}`, { status: "cancelled" });
      expect(answer.status).toBe(200);
      expect(fieldsOf(answer)).toMatchObject({ status: "cancelled", result: null, error: null });
      expect(fieldsOf(answer)["completed_at"]).toEqual(expect.any(String));
      expect(await readTask(api, task.id)).toEqual(answer.body);
    },
  );
}

verifies("tasks.patch.dispatch-pending", "a pending task is started by its status, once it has an agent", async () => {
  const { id } = await createTask(api, { description: QUICK });
  const without = refusal(await api.patch(`/api-tasks?id=${id}`, { status: "dispatched" }));
  expect(without).toMatchObject({ status: 409, code: "conflict" });
  expect(without.message).toMatch(/pending.*dispatched/);
  await sql(service.databaseUrl, "update tasks set assigned_agent_id = $2 where id = $1", [id, agentId]);
  const started = await api.patch(`/api-tasks?id=${id}`, { status: "dispatched" });
  expect(started.status).toBe(200);
  expect(fieldsOf(started)).toMatchObject({ status: "dispatched", attempt: 1 });
  expect(await taskIn(api, id, "completed")).toMatchObject({ result: "done", attempt: 1 });
});

verifies("tasks.patch.assign-dispatches", "a pending task runs when it is given an agent", async () => {
  const { id } = await createTask(api);
  const fields = { assigned_agent_id: agentId, title: "Assigned", description: QUICK };
  const answer = await api.patch(`/api-tasks?id=${id}`, fields);
  expect(answer.status).toBe(200);
  expect(fieldsOf(answer)).toMatchObject({ ...fields, status: "dispatched", attempt: 1 });
  expect(await taskIn(api, id, "completed")).toMatchObject({ result: "done" });
});

verifies("tasks.patch.assign-dispatches", "an unknown agent leaves a pending task as it was", async () => {
  const task = await createTask(api);
  const answer = await api.patch(`/api-tasks?id=${task.id}`, { assigned_agent_id: task.id, title: "Changed" });
  expect(refusal(answer)).toMatchObject({ status: 404, code: "not_found" });
  expect(await readTask(api, task.id)).toEqual(task);
});

verifies("tasks.patch.cancel", "a task that is assigned and cancelled in one change is cancelled", async () => {
  const { id } = await createTask(api, { description: QUICK });
  const answer = await api.patch(`/api-tasks?id=${id}`, { assigned_agent_id: agentId, status: "cancelled" });
  expect(answer.status).toBe(200);
  expect(fieldsOf(answer)).toMatchObject({ status: "cancelled", attempt: 1 });
});

for (const from of ["dispatched", "running", "completed", "failed", "cancelled"] as const) {
  verifies("tasks.patch.assign-not-pending-409", `a ${from} task cannot be given an agent`, async () => {
    const task = await taskOf(from);
    const answer = refusal(await api.patch(`/api-tasks?id=${task.id}`, { assigned_agent_id: heldAgentId }));
    expect(answer).toMatchObject({ status: 409, code: "conflict" });
    expect(answer.message).toContain(from);
    expect(await readTask(api, task.id)).toEqual(task);
    await stopTask(api, task.id);
  });
}

for (const from of ["completed", "failed", "cancelled"] as const) {
  verifies(
    ["tasks.patch.rerun-terminal", "tasks.patch.rerun-clears-outcome"],
    `a ${from} task runs again as its next attempt, without its old outcome`,
    async () => {
      const task = await taskOf(from);
      const again = await api.patch(`/api-tasks?id=${task.id}`, { status: "dispatched", description: ENDLESS });
      expect(again.status).toBe(200);
      const cleared = { attempt: 2, result: null, error: null, completed_at: null };
      expect(fieldsOf(again)).toMatchObject({ ...cleared, status: "dispatched", started_at: null });
      expect(await taskIn(api, task.id, "running")).toMatchObject(cleared);
      await stopTask(api, task.id);
      await api.patch(`/api-tasks?id=${task.id}`, { status: "dispatched", description: QUICK });
      expect(await taskIn(api, task.id, "completed")).toMatchObject({ attempt: 3, result: "done", error: null });
    },
  );

  verifies("tasks.patch.terminal-fields-409", `the fields of a ${from} task cannot be changed`, async () => {
    const task = await taskOf(from);
    const changes = [{ title: "x" }, { description: "x" }, { priority: "low" }];
    for (const change of changes) {
      const answer = refusal(await api.patch(`/api-tasks?id=${task.id}`, change));
      expect(answer).toMatchObject({ status: 409, code: "conflict" });
      expect(answer.message).toContain(from);
    }
    expect(await readTask(api, task.id)).toEqual(task);
  });

  verifies("tasks.patch.metadata-any-time", `the metadata of a ${from} task can be changed`, async () => {
    const task = await taskOf(from);
    const answer = await api.patch(`/api-tasks?id=${task.id}`, { metadata: { read: true } });
    expect([answer.status, fieldsOf(answer)["metadata"], fieldsOf(answer)["status"]]).toEqual([
      200,
      { read: true },
      from,
    ]);
  });
}

for (const from of ["pending", "dispatched", "running"] as const) {
  verifies("tasks.patch.editable-while-open", `the fields of a ${from} task can be changed`, async () => {
    const task = await taskOf(from);
    const change = { title: "Renamed", description: "Other words", priority: "urgent", metadata: { k: [1] } };
    const answer = await api.patch(`/api-tasks?id=${task.id}`, change);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...task, ...change, updated_at: fieldsOf(answer)["updated_at"] });
    await stopTask(api, task.id);
  });
}

verifies(
  ["tasks.state.pending-to-dispatched", "tasks.state.dispatched-to-running"],
  "the record has the times at which a task was dispatched and started",
  async () => {
    const { id } = await createTask(api, { description: ENDLESS });
    const dispatched = fieldsOf(await api.patch(`/api-tasks?id=${id}`, { assigned_agent_id: agentId }));
    expect(dispatched).toMatchObject({ status: "dispatched", dispatched_at: expect.any(String), started_at: null });
    const running = await taskIn(api, id, "running");
    expect(running).toMatchObject({ dispatched_at: dispatched["dispatched_at"], started_at: expect.any(String) });
    await stopTask(api, id);
  },
);

verifies("tasks.delete.cancels-first", "deleting a running task stops its model call", async () => {
  const { id } = await createTask(api, { title: "Held and deleted", assigned_agent_id: heldAgentId });
  const call = await provider.called("Held and deleted", 0);
  await taskIn(api, id, "running");
  expect((await api.delete(`/api-tasks?id=${id}`)).status).toBe(204);
  await call.gone;
  expect((await api.get(`/api-tasks?id=${id}`)).status).toBe(404);
});

verifies("tasks.state.cancelled-is-final", "an answer that comes after the cancel changes nothing", async () => {
  const { id } = await createTask(api, { title: "Held and cancelled", assigned_agent_id: heldAgentId });
  const call = await provider.called("Held and cancelled", 0);
  await taskIn(api, id, "running");
  // As if another process had cancelled it and the notice were lost: the run continues to its end.
  await sql(service.databaseUrl, "update tasks set status = 'cancelled', completed_at = now() where id = $1", [id]);
  const before = await readTask(api, id);
  const finish = await eventually("the model has begun to answer", () => release.get(call.task));
  finish();
  await eventually("the answer was received", async () => (await readTask(api, id)).usage["total_tokens"] === 18);
  await taskInState(api, { agentId, status: "completed", description: QUICK });
  expect(await readTask(api, id)).toMatchObject({
    status: "cancelled",
    result: null,
    completed_at: before.completed_at,
  });
});

verifies(
  "tasks.state.guarded-in-sql",
  "of ten concurrent cancels one changes the task, and the others find it cancelled",
  async () => {
    const task = await taskOf("running");
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.patch(`/api-tasks?id=${task.id}`, { status: "cancelled" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  },
);

verifies("tasks.state.guarded-in-sql", "of ten concurrent re-runs only one starts the task", async () => {
  const task = await taskOf("completed");
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => api.patch(`/api-tasks?id=${task.id}`, { status: "dispatched" })),
  );
  // Others find the task dispatched already, in the attempt that one of them began.
  const attempts = new Set(answers.flatMap((answer) => (answer.status === 200 ? fieldsOf(answer)["attempt"] : [])));
  expect(attempts.size).toBeGreaterThanOrEqual(1);
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  // A re-run that began after an earlier one had ended is a separate re-run.
  expect(await taskIn(api, task.id, "completed")).toMatchObject({ attempt: 1 + attempts.size, result: "done" });
});

verifies(
  ["tasks.state.guarded-in-sql", "tasks.state.one-table"],
  "a cancel concurrent with the end of a run leaves exactly one of the two outcomes",
  async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await createTask(api, { description: QUICK, assigned_agent_id: agentId });
      const cancel = await api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
      const settled = await readTask(api, id);
      if (cancel.status === 200) expect(settled).toMatchObject({ status: "cancelled", result: null });
      else expect([cancel.status, settled.status, settled.result]).toEqual([409, "completed", "done"]);
    }
  },
);
