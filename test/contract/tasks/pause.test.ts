import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import { addKey, addMember, addWorkspace, sql } from "../../support/workspace.ts";

const ASKING = `${callOf("request_approval", { title: "Continue?" })}\n[[say:all is done now]]`;

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

/** Whether the jobs of these tasks or team runs wait for the workspace; each has one. */
async function heldJobs(ids: readonly string[]): Promise<readonly boolean[]> {
  const rows = await sql<{ held: boolean }>(
    service.databaseUrl,
    "select state = 'queued' and fence = 0 and run_at = 'infinity' as held from jobs where subject_id = any($1)",
    [ids],
  );
  return rows.map(({ held }) => held);
}

verifies(["pause.new-work", "pause.queue"], "a paused workspace starts nothing; what has begun continues", async () => {
  const { key } = await addWorkspace(service.databaseUrl);
  const api = apiOf(service, key);
  const { id: agent } = await createAgent(api, { tools: ["request_approval"] });
  const { id: team } = await createTeam(api, { mode: "pipeline", config: { steps: [{ agent_id: agent }] } });
  const asking = await createTask(api, { title: "Ask", description: ASKING, assigned_agent_id: agent });
  await taskIn(api, asking.id, "waiting_for_input");
  const questions = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });
  const [question] = questions.parse((await consoleOf(service, key).get("/questions?state=open")).body).items;
  expect(fieldsOf(await consoleOf(service, key).patch("/workspace", { paused: true }))).toMatchObject({ paused: true });

  const task = await createTask(api, { title: "Wait", description: QUICK, assigned_agent_id: agent });
  const { id: run } = await startRun(api, team, QUICK);
  expect(await heldJobs([task.id, run])).toEqual([true, true]);
  const answer = { interactionId: question?.id, approved: true };
  expect((await consoleOf(service, key).post(`/tasks/${asking.id}/answer`, answer)).status).toBe(200);
  await taskIn(api, asking.id, "completed");
  expect(await heldJobs([task.id, run])).toEqual([true, true]);
  expect(await readTask(api, task.id)).toMatchObject({ status: "dispatched", started_at: null });

  const head = fieldsOf(await consoleOf(service, key).get(`/runs/${task.id}`));
  expect(head).toMatchObject({ queue: { paused: true, ahead: 0, running: 0, processes: 1 }, started_at: null });

  await consoleOf(service, key).patch("/workspace", { paused: false });
  await taskIn(api, task.id, "completed");
  expect(fieldsOf(await consoleOf(service, key).get(`/runs/${task.id}`))).toMatchObject({ queue: null });
});

verifies(["pause.new-work", "pause.queue"], "held work can be cancelled, and other workspaces continue", async () => {
  const [paused, other] = [await addWorkspace(service.databaseUrl), await addWorkspace(service.databaseUrl)];
  const api = apiOf(service, paused.key);
  await consoleOf(service, paused.key).patch("/workspace", { paused: true });
  const { id: agent } = await createAgent(api);
  const { id } = await createTask(api, { title: "Wait", description: QUICK, assigned_agent_id: agent });
  await api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
  expect(await heldJobs([id])).toEqual([]);
  const head = fieldsOf(await consoleOf(service, paused.key).get(`/runs/${id}`));
  expect(head).toMatchObject({ status: "cancelled", cancelled_by: { id: paused.ownerId } });
  const elsewhere = apiOf(service, other.key);
  const { id: free } = await createAgent(elsewhere);
  const task = await createTask(elsewhere, { title: "Go", description: QUICK, assigned_agent_id: free });
  await taskIn(elsewhere, task.id, "completed");
});

verifies(
  "pause.concurrent",
  "work that is created during a pause or resume is held or starts, and is never lost",
  async () => {
    const { key } = await addWorkspace(service.databaseUrl);
    const api = apiOf(service, key);
    const { id: agent } = await createAgent(api);
    const give = () => createTask(api, { title: "Go", description: QUICK, assigned_agent_id: agent });
    for (const paused of [true, false]) {
      const given = Array.from({ length: 10 }, give);
      const turned = consoleOf(service, key).patch("/workspace", { paused });
      const tasks = await Promise.all([...given, ...Array.from({ length: 10 }, give)]);
      expect((await turned).status).toBe(200);
      const ids = tasks.map(({ id }) => id);
      const stuck = await sql(
        service.databaseUrl,
        "select from jobs where subject_id = any($1) and fence = 0 and (run_at is not null) <> $2",
        [ids, paused],
      );
      expect(stuck).toHaveLength(0);
      if (!paused) for (const id of ids) await taskIn(api, id, "completed");
    }
  },
);

verifies("pause.links", "links of runs are templates with known fields; only an admin sets them", async () => {
  const { workspaceId, key, ownerId } = await addWorkspace(service.databaseUrl);
  const admin = consoleOf(service, key);
  const links = {
    log_url: "https://logs.example/?q={run_id}&from={started_at}",
    trace_url: "https://traces.example/{run_id}/{attempt}",
  };
  expect(fieldsOf(await admin.patch("/workspace", links))).toMatchObject(links);
  const task = await createTask(apiOf(service, key), { title: "Not assigned" });
  expect(fieldsOf(await admin.get(`/runs/${task.id}`))["links"]).toEqual({
    log: `https://logs.example/?q=${task.id}&from=`,
    trace: `https://traces.example/${task.id}/1`,
  });
  expect(fieldsOf(await admin.patch("/workspace", { log_url: null }))).toMatchObject({ ...links, log_url: null });
  for (const wrong of ["javascript:alert(1)", "logs.example", "https://logs.example/{task}"]) {
    const answer = refusal(await admin.patch("/workspace", { trace_url: wrong }));
    expect(answer).toMatchObject({ status: 400, paths: ["trace_url"] });
  }
  expect(refusal(await admin.patch("/workspace", {}))).toMatchObject({ status: 400 });
  const member = await addMember(service.databaseUrl, workspaceId, "member");
  const reader = await addKey(service.databaseUrl, { workspaceId, ownerId, scopes: ["read"] });
  for (const other of [member.key, reader]) {
    const answer = refusal(await consoleOf(service, other).patch("/workspace", { paused: true }));
    expect(answer).toMatchObject({ status: 403 });
  }
});
