import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, readRun, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: SharedService;
let api: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

function bulk(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return consoleOf(service, service.keys.api).post("/runs/bulk", body, headers);
}

async function tasksOf(description: string, count: number) {
  const agent = await createAgent(api);
  const made = { assigned_agent_id: agent.id, description };
  const tasks = [];
  for (let index = 0; index < count; index++) tasks.push(await createTask(api, made));
  return { agent, tasks };
}

verifies(
  ["run-page.bulk.cancel", "run-page.bulk.expect"],
  "runs are cancelled by a filter only if their number is the one that was shown",
  async () => {
    const { agent, tasks } = await tasksOf(ENDLESS, 3);
    for (const { id } of tasks) await taskIn(api, id, "running");
    const filter = { agent_id: [agent.id], status: ["running"] };
    expect(refusal(await bulk({ action: "cancel", filter, expect: 2 }))).toMatchObject({
      status: 409,
      message: "There are 3 such runs, not 2. Reload the list.",
    });
    expect((await readTask(api, tasks[0]?.id ?? "")).status).toBe("running");
    const key = { "idempotency-key": newId() };
    const answer = await bulk({ action: "cancel", filter, expect: 3 }, key);
    expect([answer.status, answer.body]).toEqual([200, { changed: tasks.map(({ id }) => id), skipped: [] }]);
    for (const { id } of tasks) expect((await readTask(api, id)).status).toBe("cancelled");
    expect((await bulk({ action: "cancel", filter, expect: 3 }, key)).body).toEqual(answer.body);
  },
);

verifies("run-page.bulk.rerun", "tasks and team runs are run again by their ids; skipped ones are listed", async () => {
  const { tasks } = await tasksOf(QUICK, 1);
  const { tasks: busy } = await tasksOf(ENDLESS, 1);
  const [ended = "", running = ""] = [...tasks, ...busy].map(({ id }) => id);
  await taskIn(api, ended, "completed");
  await taskIn(api, running, "running");
  const run = await startRun(api, (await createTeam(api)).id);
  await runIn(api, run.id, "completed");
  const ids = [ended, running, run.id];
  expect(refusal(await bulk({ action: "rerun", ids: [...ids, UNKNOWN], expect: 4 })).status).toBe(409);
  const answer = await bulk({ action: "rerun", ids, expect: 3 }, { "idempotency-key": newId() });
  expect(answer.body).toEqual({
    changed: [ended, run.id],
    skipped: [{ id: running, message: "It is running." }],
  });
  expect((await readTask(api, ended)).attempt).toBe(2);
  expect((await readRun(api, run.id)).attempt).toBe(2);
  await bulk({ action: "cancel", ids: [running], expect: 1 });
});

verifies("run-page.bulk.refused", "a bulk change with missing or extra fields is 400 with its path", async () => {
  const bad = [
    [{ action: "cancel", expect: 1 }, "ids"],
    [{ action: "cancel", ids: [UNKNOWN], filter: {}, expect: 1 }, "ids"],
    [{ action: "delete", ids: [UNKNOWN], expect: 1 }, "action"],
    [{ action: "cancel", ids: [UNKNOWN] }, "expect"],
    [{ action: "cancel", ids: ["x"], expect: 1 }, "ids.0"],
    [{ action: "cancel", filter: { status: ["odd"] }, expect: 1 }, "filter.status.0"],
    [{ action: "cancel", filter: {}, expect: 501 }, "expect"],
  ] as const;
  for (const [body, path] of bad) expect(refusal(await bulk(body))).toMatchObject({ status: 400, paths: [path] });
});

verifies("run-page.bulk.together", "many runs are changed in one transaction", async () => {
  const { tasks } = await tasksOf(ENDLESS, 20);
  const ids = tasks.map(({ id }) => id);
  expect((await bulk({ action: "cancel", ids, expect: 20 })).body).toMatchObject({ skipped: [] });
  const [logged] = await sql<{ rows: string; transactions: string }>(
    service.databaseUrl,
    `select count(*) as rows, count(distinct xmin::text) as transactions from audit_log
     where action = 'run.cancelled' and subject_id = any($1)`,
    [ids],
  );
  expect(logged).toEqual({ rows: "20", transactions: "1" });
});
