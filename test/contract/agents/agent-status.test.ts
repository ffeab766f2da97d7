import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import {
  ENDLESS,
  FAILING,
  QUICK,
  createAgent,
  createTask,
  readAgent,
  readTask,
  taskInState,
} from "../../support/work.ts";
import { openWorkspace } from "../../support/workspace.ts";

let service: SharedService;
let api: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

async function statusOf(id: string): Promise<string> {
  return (await readAgent(api, id)).status;
}

verifies("agents.status.idle-after-success", "an agent is idle once its task has completed", async () => {
  const { id: agentId } = await createAgent(api);
  await taskInState(api, { agentId, status: "completed", description: QUICK });
  expect(await statusOf(agentId)).toBe("idle");
});

verifies("agents.status.failed-after-failure", "an agent is failed once its task has failed", async () => {
  const { id: agentId } = await createAgent(api);
  await taskInState(api, { agentId, status: "failed", description: FAILING });
  expect(await statusOf(agentId)).toBe("failed");
});

verifies(
  "agents.status.failed-after-failure",
  "the last task that finished decides, not the last one created",
  async () => {
    const { id: agentId } = await createAgent(api);
    const long = await taskInState(api, { agentId, status: "running", description: ENDLESS });
    await taskInState(api, { agentId, status: "failed", description: FAILING });
    expect(await statusOf(agentId)).toBe("running");
    await api.patch(`/api-tasks?id=${long.id}`, { status: "cancelled" });
    expect(await statusOf(agentId)).toBe("idle");
  },
);

verifies(
  "agents.status.running-while-tasks-run",
  "an agent runs until the last of its running tasks has ended",
  async () => {
    const { id: agentId } = await createAgent(api);
    const one = await taskInState(api, { agentId, status: "running", description: ENDLESS });
    const two = await taskInState(api, { agentId, status: "running", description: ENDLESS });
    expect(await statusOf(agentId)).toBe("running");
    await api.patch(`/api-tasks?id=${one.id}`, { status: "cancelled" });
    expect(await statusOf(agentId)).toBe("running");
    await api.delete(`/api-tasks?id=${two.id}`);
    expect(await statusOf(agentId)).toBe("idle");
  },
);

verifies("agents.status.running-while-dispatched", "an agent runs from the dispatch of its task", async () => {
  const { api: own, console } = await openWorkspace(service);
  const { id } = await createAgent(own);
  expect((await console.patch("/workspace", { paused: true })).status).toBe(200);
  const task = await createTask(own, { assigned_agent_id: id });
  expect(task.status).toBe("dispatched");
  expect((await readAgent(own, id)).status).toBe("running");
  await own.delete(`/api-tasks?id=${task.id}`);
  expect((await readAgent(own, id)).status).toBe("idle");
});

verifies("agents.status.running-in-a-team", "an agent runs while a run of its team is in progress", async () => {
  const [first, second, other] = [await createAgent(api), await createAgent(api), await createAgent(api)];
  const steps = [
    { agent_id: first.id, instructions: QUICK },
    { agent_id: second.id, instructions: ENDLESS },
  ];
  const team = await createTeam(api, { config: { steps } });
  const run = await startRun(api, team.id);
  await eventually("the agents work", async () => (await statusOf(second.id)) === "running");
  expect([await statusOf(first.id), await statusOf(other.id)]).toEqual(["running", "idle"]);
  const listed = await api.get(`/api-agents?limit=200`);
  expect(listed.body).toContainEqual(expect.objectContaining({ id: second.id, status: "running" }));
  await api.patch(`/api-runs?id=${run.id}`, { status: "cancelled" });
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(["idle", "idle"]);
});

verifies("agents.status.leaves-failed", "a failed agent runs again, and is idle after a success", async () => {
  const { id: agentId } = await createAgent(api);
  await taskInState(api, { agentId, status: "failed", description: FAILING });
  const long = await taskInState(api, { agentId, status: "running", description: ENDLESS });
  expect(await statusOf(agentId)).toBe("running");
  await api.delete(`/api-tasks?id=${long.id}`);
  expect(await statusOf(agentId)).toBe("failed");
  await taskInState(api, { agentId, status: "completed", description: QUICK });
  expect(await statusOf(agentId)).toBe("idle");
});

verifies("agents.status.initial-idle", "a task that is only assigned later leaves its agent idle", async () => {
  const { id } = await createAgent(api);
  await createTask(api);
  expect(await statusOf(id)).toBe("idle");
});

verifies("agents.delete.removes", "deleting an agent cancels and keeps its running task", async () => {
  const { id: agentId } = await createAgent(api);
  const task = await taskInState(api, { agentId, status: "running", description: ENDLESS });
  expect((await api.delete(`/api-agents?id=${agentId}`)).status).toBe(204);
  expect(await readTask(api, task.id)).toMatchObject({ status: "cancelled", assigned_agent_id: null });
});
