import { beforeAll, expect } from "vitest";
import { apiOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, readRun, runIn } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import type { TaskFields } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: SharedService;
let api: Api;
let teamId: string;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  teamId = (await createTeam(api)).id;
  agentId = (await createAgent(api)).id;
});

const runOf = (task: TaskFields): string => String(task["team_run_id"]);

/** The types of the events in a task's log, in order. */
async function eventsOf(taskId: string): Promise<{ type: string; code?: string; message?: string; runId?: string }[]> {
  const rows = await sql<{ event: { type: string } }>(
    service.databaseUrl,
    "select event from task_log where log_id = $1 order by seq",
    [taskId],
  );
  return rows.map(({ event }) => event);
}

/** A task of the team whose run, by the database, has stopped in the middle. */
async function runningTask(): Promise<TaskFields> {
  const task = await createTask(api, { assigned_team_id: teamId });
  await taskIn(api, task.id, "completed");
  for (const statement of [
    `update tasks set status = 'running', result = null, completed_at = null where id = $1`,
    `update team_runs set status = 'running', output = null, completed_at = null where task_id = $1`,
    `update task_streams set closed = false where log_id = $1`,
  ]) {
    await sql(service.databaseUrl, statement, [task.id]);
  }
  return readTask(api, task.id);
}

verifies(
  ["tasks.create.assigned-team-runs", "tasks.create.team-result-taken-over"],
  "a task with a team starts a run of it, and ends as the run ends",
  async () => {
    const task = await createTask(api, { title: "Poem", description: "About rain.", assigned_team_id: teamId });
    expect(task).toMatchObject({ status: "dispatched", assigned_team_id: teamId, assigned_agent_id: null });
    const run = await runIn(api, runOf(task), "completed");
    expect(run).toMatchObject({
      team_id: teamId,
      task_id: task.id,
      attempt: 1,
      input_task: "Task Title: Poem\n\nTask Description:\nAbout rain.",
    });
    const ended = await readTask(api, task.id);
    expect(ended).toMatchObject({ status: "completed", error: null, result: "done" });
    expect(ended["started_at"]).not.toBeNull();
    expect(await eventsOf(task.id)).toMatchObject([
      { type: "RUN_STARTED", threadId: task.id, runId: task.id },
      { type: "RUN_FINISHED", threadId: task.id, runId: task.id, result: "done" },
    ]);
  },
);

verifies("tasks.create.team-result-taken-over", "a task fails as its run fails", async () => {
  const steps = [{ agent_id: agentId, step_name: "Write", instructions: FAILING }];
  const team = await createTeam(api, { config: { steps } });
  const task = await createTask(api, { assigned_team_id: team.id });
  const { error } = await runIn(api, runOf(task), "failed");
  expect(error).toContain("Step 1 (Write) failed");
  expect(await readTask(api, task.id)).toMatchObject({ status: "failed", error, result: null });
  expect((await eventsOf(task.id)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "MODEL_ERROR", message: error });
});

verifies(
  ["tasks.create.agent-and-team-400", "envelope.body.nothing-half-written"],
  "a task takes an agent or a team, and a team of its workspace",
  async () => {
    const other = apiOf(service, (await addWorkspace(service.databaseUrl)).key);
    const foreign = await createTeam(other);
    const before = [idsOf(await api.get("/api-tasks?limit=200")), idsOf(await api.get("/api-runs?limit=200"))];
    const pending = await createTask(api);
    const paths = ["assigned_agent_id", "assigned_team_id"];
    const both = { title: "T", assigned_agent_id: agentId, assigned_team_id: teamId };
    expect(refusal(await api.post("/api-tasks", both))).toMatchObject({ status: 400, paths });
    expect(refusal(await api.patch(`/api-tasks?id=${pending.id}`, both))).toMatchObject({ status: 400, paths });
    for (const id of [UNKNOWN, foreign.id]) {
      const refused = { status: 404, message: "Team not found" };
      expect(refusal(await api.post("/api-tasks", { title: "T", assigned_team_id: id }))).toMatchObject(refused);
      const changed = await api.patch(`/api-tasks?id=${pending.id}`, { assigned_team_id: id });
      expect(refusal(changed)).toMatchObject(refused);
    }
    expect(await readTask(api, pending.id)).toEqual(pending);
    await api.delete(`/api-tasks?id=${pending.id}`);
    expect([idsOf(await api.get("/api-tasks?limit=200")), idsOf(await api.get("/api-runs?limit=200"))]).toEqual(before);
  },
);

verifies("tasks.patch.assign-team-dispatches", "giving a pending task a team dispatches it", async () => {
  const { id } = await createTask(api, { title: "Later" });
  const answer = await api.patch(`/api-tasks?id=${id}`, { assigned_team_id: teamId, title: "Now" });
  expect(fieldsOf(answer)).toMatchObject({ status: "dispatched", assigned_team_id: teamId });
  const run = await runIn(api, String(fieldsOf(answer)["team_run_id"]), "completed");
  expect(run).toMatchObject({ input_task: "Task Title: Now", task_id: id });
});

verifies(
  ["tasks.create.assigned-team-runs", "runs.patch.rerun"],
  "a task that is dispatched again starts a new run, and only the task can do that",
  async () => {
    const task = await createTask(api, { assigned_team_id: teamId });
    await taskIn(api, task.id, "completed");
    const refused = refusal(await api.patch(`/api-runs?id=${runOf(task)}`, { status: "pending" }));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining(task.id) });
    const again = await api.patch(`/api-tasks?id=${task.id}`, { status: "dispatched" });
    const runId = String(fieldsOf(again)["team_run_id"]);
    expect(runId).not.toBe(runOf(task));
    expect(await runIn(api, runId, "completed")).toMatchObject({ attempt: 2, task_id: task.id });
    expect(await readTask(api, task.id)).toMatchObject({ status: "completed", attempt: 2 });
    expect((await eventsOf(task.id)).map(({ type, runId: of }) => [type, of])).toEqual([
      ["RUN_STARTED", task.id],
      ["RUN_FINISHED", task.id],
      ["RUN_STARTED", `${task.id}.2`],
      ["RUN_FINISHED", `${task.id}.2`],
    ]);
    const toAgent = { status: "dispatched", assigned_agent_id: agentId };
    const given = fieldsOf(await api.patch(`/api-tasks?id=${task.id}`, toAgent));
    expect(given).toMatchObject({ assigned_agent_id: agentId, assigned_team_id: null, team_run_id: null });
    expect(await taskIn(api, task.id, "completed")).toMatchObject({ attempt: 3 });
  },
);

verifies("runs.patch.cancel", "a task and its run are cancelled together, whichever of them is", async () => {
  const first = await runningTask();
  await api.patch(`/api-tasks?id=${first.id}`, { status: "cancelled" });
  const second = await runningTask();
  const answer = await api.patch(`/api-runs?id=${runOf(second)}`, { status: "cancelled" });
  expect(fieldsOf(answer)).toMatchObject({ status: "cancelled" });
  for (const task of [first, second]) {
    expect(await readTask(api, task.id)).toMatchObject({ status: "cancelled" });
    expect(await readRun(api, runOf(task))).toMatchObject({ status: "cancelled" });
    expect((await eventsOf(task.id)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
  }
});

verifies("teams.delete.removes", "a team's tasks that have not ended are cancelled with it", async () => {
  const kept = teamId;
  teamId = (await createTeam(api)).id;
  const [done, active] = [await createTask(api, { assigned_team_id: teamId }), await runningTask()];
  await taskIn(api, done.id, "completed");
  expect((await api.delete(`/api-teams?id=${teamId}`)).status).toBe(204);
  teamId = kept;
  expect(await readTask(api, active.id)).toMatchObject({ status: "cancelled", assigned_team_id: null });
  expect(await readRun(api, runOf(active))).toMatchObject({ status: "cancelled", team_id: null });
  expect(await readTask(api, done.id)).toMatchObject({ status: "completed", assigned_team_id: null });
});

verifies("tasks.create.assigned-team-runs", "a deleted task's runs are deleted with it", async () => {
  const task = await runningTask();
  expect((await api.delete(`/api-tasks?id=${task.id}`)).status).toBe(204);
  expect((await api.get(`/api-runs?id=${runOf(task)}`)).status).toBe(404);
});
