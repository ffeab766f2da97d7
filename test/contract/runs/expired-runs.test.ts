import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { runJanitor } from "../../support/run-janitor.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, ENDLESS, QUICK, stopTask, taskIn } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;
let api: Api;
let agentId: string;

beforeAll(async () => {
  service = await startService({ env: { RETENTION_TASKS_DAYS: "90" } });
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api, { model: "demo", tools: ["wait"] })).id;
});
afterAll(() => service.stop());

async function run(text: string, status: string, by: Api = api, agent = agentId): Promise<string> {
  const { id } = await createTask(by, { assigned_agent_id: agent, title: text });
  await taskIn(by, id, status);
  return id;
}

/** Makes runs as old as if they had been created and had ended this many days ago. */
async function age(days: number, ...ids: readonly string[]): Promise<void> {
  const past = "created_at - make_interval(days => $1), completed_at = completed_at - make_interval(days => $1)";
  await sql(service.databaseUrl, `update runs set created_at = ${past} where id = any($2)`, [days, ids]);
}

async function left(...ids: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ id: string }>(service.databaseUrl, "select id from runs where id = any($1)", [ids]);
  return ids.filter((id) => rows.some((row) => row.id === id));
}

verifies(
  "engine.retention.runs",
  "ended runs expire with all that they have; running ones, forked ones and usage stay",
  async () => {
    const [old, forked, fresh] = [
      await run(QUICK, "completed"),
      await run(QUICK, "completed"),
      await run(QUICK, "completed"),
    ];
    const [running, fork] = [await run(ENDLESS, "running"), await run(ENDLESS, "running")];
    await sql(service.databaseUrl, "update runs set fork = jsonb_build_object('task_id', $1::text) where id = $2", [
      forked,
      fork,
    ]);
    await age(91, old, forked, running);
    await age(89, fresh);
    const used = "select from usage_records where task_id = $1";
    expect((await sql(service.databaseUrl, used, [old])).length).toBeGreaterThan(0);
    await runJanitor(service, 90);
    expect(await left(old, forked, fresh, running, fork)).toEqual([forked, fresh, running, fork]);
    expect((await api.get(`/api-tasks?id=${old}`)).status).toBe(404);
    expect((await sql(service.databaseUrl, used, [old])).length).toBeGreaterThan(0);
    for (const table of ["task_events", "task_event_pages", "task_streams"]) {
      expect(await sql(service.databaseUrl, `select from ${table} where log_id = $1`, [old])).toEqual([]);
    }
    expect(await sql(service.databaseUrl, "select from run_steps where run_id = $1", [old])).toEqual([]);
    const log = consoleOf(service, service.keys.api);
    expect(fieldsOf(await log.get("/audit?action=run.expired"))["items"]).toMatchObject([
      { actor: null, changes: { runs: [1, 0] } },
    ]);
    expect(fieldsOf(await log.get("/audit?action=run.deleted"))["items"]).toEqual([]);
    await Promise.all([running, fork].map((id) => stopTask(api, id)));
    await runJanitor(service, 90);
    expect(await left(forked)).toEqual([]);
    expect(await left(running, fork)).toEqual([running, fork]);
  },
);

verifies("engine.retention.workspace", "a workspace keeps runs for fewer days, others are not touched", async () => {
  const { key } = await addWorkspace(service.databaseUrl);
  const other = apiOf(service, key);
  const agent = (await createAgent(other, { model: "demo" })).id;
  const [theirs, ours] = [await run(QUICK, "completed", other, agent), await run(QUICK, "completed")];
  await age(20, theirs, ours);
  const admin = consoleOf(service, key);
  expect(fieldsOf(await admin.get("/workspace"))["retention_tasks_days"]).toBeNull();
  for (const days of [0, 1.5, "7", 91]) {
    const rejected = refusal(await admin.patch("/workspace", { retention_tasks_days: days }));
    expect([days, rejected.status]).toEqual([days, 400]);
    if (days === 91) expect(rejected.message).toContain("must be at most 90");
  }
  const set = await admin.patch("/workspace", { retention_tasks_days: 14 });
  expect([set.status, fieldsOf(set)["retention_tasks_days"]]).toEqual([200, 14]);
  // Without a limit of the instance as well.
  await runJanitor(service);
  expect(await left(theirs, ours)).toEqual([ours]);
  const changes = fieldsOf(await admin.get("/audit?action=workspace.changed"))["items"];
  expect(changes).toMatchObject([{ changes: { retention_tasks_days: [null, 14] } }]);
  expect(fieldsOf(await admin.patch("/workspace", { retention_tasks_days: null }))["retention_tasks_days"]).toBeNull();
});

verifies("engine.retention.runs", "while another process deletes expired runs, this one leaves them", async () => {
  const ids = await Promise.all(Array.from({ length: 3 }, () => run(QUICK, "completed")));
  await age(91, ...ids);
  await Promise.all([runJanitor(service, 90), runJanitor(service, 90)]);
  await runJanitor(service, 90);
  expect(await left(...ids)).toEqual([]);
});
