import { beforeAll, expect } from "vitest";
import { consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { uploadTo } from "../../support/files.ts";
import { readLive } from "../../support/clients/live-reader.ts";
import { saying, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { askRun } from "../../support/run-steps.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let scene: ScriptedWorkspace;
beforeAll(async () => {
  scene = await useScriptedService();
});

function remove(id: string): Promise<Answer> {
  return consoleOf(scene.service, scene.service.keys.api).delete(`/runs/${id}`);
}

/** How many rows each table has of a run. */
async function rowsOf(id: string): Promise<object | undefined> {
  const [counts] = await sql<Record<string, unknown>>(
    scene.service.databaseUrl,
    `select (select count(*)::int from team_runs where id = $1) as runs,
      (select count(*)::int from task_log where log_id = $1) as events,
      (select count(*)::int from run_steps where run_id = $1) as steps,
      (select count(*)::int from team_messages where run_id = $1) as messages,
      (select count(*)::int from files where run_id = $1) as files,
      (select count(*)::int from budgets where target_id = $1) as budgets,
      (select count(*)::int from jobs where subject_id = $1) as jobs`,
    [id],
  );
  return counts;
}

const NONE = { runs: 0, events: 0, steps: 0, messages: 0, files: 0, budgets: 0, jobs: 0 };

verifies("run-page.delete", "a team run is deleted with all its records; its fork and its usage stay", async () => {
  const writer = await scene.player(saying("Done."));
  const team = await createTeam(scene.api, { config: { steps: [{ agent_id: writer.id }] } });
  const file = await uploadTo(scene.service, { name: "a.md", type: "text/markdown", content: "Remember the milk." });
  const { id } = fieldsOf(
    await scene.api.post("/api-runs", {
      team_id: team.id,
      input_task: "Write",
      attachments: [file.id],
      budget: { max_usd: 5 },
    }),
  );
  const run = await runIn(scene.api, String(id), "completed");
  expect(await rowsOf(run.id)).toMatchObject({ runs: 1, files: 1, budgets: 1 });
  const fork = fieldsOf(
    await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${run.id}/fork`, { from_step: 0 }),
  );
  await runIn(scene.api, String(fork["id"]), "completed");
  const live = await readLive(scene.service.url, { "x-api-key": scene.service.keys.api });
  const answer = await remove(run.id);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(await rowsOf(run.id)).toEqual(NONE);
  await eventually("the deletion is announced", () =>
    Promise.resolve(live.frames.some(({ data }) => JSON.stringify(data).includes(`"${run.id}","status":"deleted"`))),
  );
  live.close();
  expect((await askRun(scene.service, run.id)).status).toBe(404);
  expect((await scene.api.get(`/api-runs?id=${run.id}`)).status).toBe(404);
  expect((await remove(run.id)).status).toBe(404);
  expect(fieldsOf(await askRun(scene.service, String(fork["id"])))).toMatchObject({ status: "completed" });
  expect((await consoleOf(scene.service, scene.service.keys.api).get("/runs?limit=200")).text).not.toContain(
    `"id":"${run.id}","kind"`,
  );
  const usage = "select count(*)::int as calls from usage_records where team_run_id = $1";
  expect(await sql(scene.service.databaseUrl, usage, [run.id])).toEqual([{ calls: 1 }]);
});

verifies("run-page.delete", "a running team run, and a task, are cancelled and deleted", async () => {
  const slow = await scene.player(() => new Promise<void>(() => {}));
  const team = await createTeam(scene.api, { config: { steps: [{ agent_id: slow.id }] } });
  const run = await startRun(scene.api, team.id);
  const call = await eventually("the model is called", () => Promise.resolve(slow.calls()[0]));
  expect((await remove(run.id)).status).toBe(204);
  await call.gone;
  expect(await rowsOf(run.id)).toEqual(NONE);
  const { id: taskId } = await createTask(scene.api, { title: "Held", assigned_agent_id: slow.id });
  await taskIn(scene.api, taskId, "running");
  expect((await remove(taskId)).status).toBe(204);
  expect((await scene.api.get(`/api-tasks?id=${taskId}`)).status).toBe(404);
});

verifies("run-page.delete.of-task", "the team run of a task goes with the task only", async () => {
  const writer = await scene.player(saying("Done."));
  const team = await createTeam(scene.api, { config: { steps: [{ agent_id: writer.id }] } });
  const { id } = await createTask(scene.api, { title: "Write", assigned_team_id: team.id });
  await taskIn(scene.api, id, "completed");
  const runId = String(fieldsOf(await askRun(scene.service, id))["log_id"]);
  expect(refusal(await remove(runId))).toMatchObject({
    status: 409,
    message: `This run is part of a task; delete the task ${id}.`,
  });
  expect((await remove(id)).status).toBe(204);
  expect(await rowsOf(runId)).toEqual(NONE);
});
