import { beforeAll, expect } from "vitest";
import { apiOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { rawTable } from "../../support/table-api.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, readTask, taskIn } from "../../support/work.ts";

const FAR = "2100-01-01T00:00:00Z";

let service: SharedService;
let api: Api;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});

const inASecond = () => new Date(Date.now() + 1_000).toISOString();
const patch = (id: string, body: object) => api.patch(`/api-tasks?id=${id}`, body);

verifies("tasks.create.scheduled-for", "a task waits for its time and is then run by its agent", async () => {
  const scheduledFor = inASecond();
  const task = await createTask(api, { assigned_agent_id: agentId, description: QUICK, scheduled_for: scheduledFor });
  expect(task).toMatchObject({ status: "pending", dispatched_at: null });
  expect(Date.parse(String(task["scheduled_for"]))).toBe(Date.parse(scheduledFor));
  const done = await taskIn(api, task.id, "completed");
  expect(Date.parse(String(done["dispatched_at"]))).toBeGreaterThanOrEqual(Date.parse(scheduledFor));
  expect(done["scheduled_for"]).toBe(task["scheduled_for"]);
});

verifies("tasks.create.scheduled-for", "a team's task waits too, and the table API can say when", async () => {
  const team = await createTeam(api);
  const task = await createTask(api, { assigned_team_id: team.id, scheduled_for: inASecond() });
  expect(task).toMatchObject({ status: "pending", team_run_id: null });
  const { workspace_id } = fieldsOf(await api.get("/api-me"));
  const made = await rawTable(service)("POST", "/tasks?select=id,status", {
    body: { title: "T", description: QUICK, agent_id: agentId, workspace_id, scheduled_for: inASecond() },
    headers: { prefer: "return=representation", accept: "application/vnd.pgrst.object+json" },
  });
  expect(made).toMatchObject({ status: 201, body: { status: "pending" } });
  expect(await taskIn(api, task.id, "completed")).toMatchObject({ result: "done" });
  await taskIn(api, String(fieldsOf(made)["id"]), "completed");
});

verifies("tasks.scheduled.late", "a past time means immediately", async () => {
  const late = { assigned_agent_id: agentId, description: QUICK, scheduled_for: "2020-01-01T00:00:00+02:00" };
  const task = await createTask(api, late);
  expect(task).toMatchObject({ status: "dispatched", scheduled_for: "2019-12-31T22:00:00.000000Z" });
  const team = await createTeam(api);
  expect(await createTask(api, { assigned_team_id: team.id, scheduled_for: "2020-01-01T00:00:00Z" })).toMatchObject({
    status: "dispatched",
  });
  await taskIn(api, task.id, "completed");
});

verifies(
  "tasks.scheduled.change",
  "until then the time can be changed or removed, and the task started or cancelled",
  async () => {
    const later = { assigned_agent_id: agentId, description: QUICK, scheduled_for: FAR };
    const [sooner, never, now, off] = [
      await createTask(api, later),
      await createTask(api, later),
      await createTask(api, later),
      await createTask(api, later),
    ];
    const unassigned = await createTask(api, { scheduled_for: FAR, description: QUICK });
    expect((await patch(unassigned.id, { assigned_agent_id: agentId })).body).toMatchObject({ status: "pending" });
    expect((await patch(unassigned.id, { scheduled_for: "2020-01-01T00:00:00Z" })).body).toMatchObject({
      status: "dispatched",
    });
    expect((await patch(sooner.id, { scheduled_for: inASecond() })).body).toMatchObject({ status: "pending" });
    expect((await patch(never.id, { scheduled_for: null })).body).toMatchObject({ status: "dispatched" });
    expect((await patch(now.id, { status: "dispatched" })).body).toMatchObject({ status: "dispatched" });
    expect((await patch(off.id, { status: "cancelled" })).body).toMatchObject({ status: "cancelled" });
    for (const { id } of [sooner, never, now, unassigned]) await taskIn(api, id, "completed");
    expect(refusal(await patch(never.id, { scheduled_for: FAR }))).toMatchObject({ status: 409, code: "conflict" });
    expect(refusal(await patch(now.id, { status: "dispatched", scheduled_for: null }))).toMatchObject({ status: 409 });
    const again = await patch(never.id, { status: "dispatched" });
    expect(again.body).toMatchObject({ status: "dispatched", attempt: 2 });
    expect(await readTask(api, off.id)).toMatchObject({ status: "cancelled", attempt: 1 });
  },
);

verifies("tasks.scheduled.change", "sending a record back unchanged keeps its time", async () => {
  const task = await createTask(api, { assigned_agent_id: agentId, scheduled_for: FAR });
  const record = await readTask(api, task.id);
  const { status: _, assigned_agent_id: __, ...rest } = record;
  expect((await patch(task.id, { ...rest, title: "New" })).body).toMatchObject({ status: "pending", title: "New" });
  await patch(task.id, { status: "cancelled" });
});

verifies("tasks.scheduled.change", "an invalid time is rejected with its path", async () => {
  for (const wrong of [
    "soon",
    "2030-01-01",
    "2030-02-30T00:00:00Z",
    "2030-01-01T00:00:00",
    1,
    "0001-01-01T00:00:00Z",
  ]) {
    const answer = refusal(await api.post("/api-tasks", { title: "T", scheduled_for: wrong }));
    expect([wrong, answer.status, answer.paths]).toEqual([wrong, 400, ["scheduled_for"]]);
  }
});

verifies("tasks.scheduled.late", "without an agent it stays pending; with one it begins", async () => {
  const task = await createTask(api, { description: QUICK, scheduled_for: "2020-01-01T00:00:00Z" });
  expect(task.status).toBe("pending");
  await patch(task.id, { assigned_agent_id: agentId });
  await taskIn(api, task.id, "completed");
});
