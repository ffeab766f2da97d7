/**
 * Many things at once: schedules that are due in one second, a change of many runs, a deletion of many rows, and a page
 * of a long run. Run it by itself: `node bench/bursts.ts`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { z } from "zod";
import { openStage } from "./lib/stage.ts";

const SCHEDULES = 5_000;
const BULK = 500;
const STEPS = 5_000;
const PAGES = 20;
/** The directive that makes a run of the demo model end immediately. */
const QUICK = "[[slow:0]][[say:done]]";

const counted = z.tuple([z.object({ n: z.coerce.number() })]);

const stage = await openStage({ SCHEDULES_ENTERPRISE: "10000" });
const client = new Client({ connectionString: stage.databaseUrl });
try {
  await client.connect();
  const agent = await stage.call("POST", "/functions/v1/api-agents", { name: "A", model: "demo" });
  console.log(`page of 100 of ${STEPS} steps: ${(await timePage(agent.id)).toFixed(1)} ms`);
  const ids = await createTasks(agent.id);
  for (const action of ["rerun", "cancel"]) console.log(`${action} of ${BULK}: ${await timeBulk(action, ids)} ms`);
  console.log(`deletion of ${BULK} rows: ${await timeDeletion()} ms`);
  console.log(`last of ${SCHEDULES} schedules begins after ${await timeSchedules(agent.id)} ms`);
} finally {
  await client.end();
  await stage.close();
}

async function count(text: string): Promise<number> {
  return counted.parse((await client.query(text)).rows)[0].n;
}

/** A request by the API or the table API; resolves to its time in milliseconds. */
async function timed(method: string, path: string, body?: object): Promise<number> {
  const begun = performance.now();
  const response = await fetch(stage.url + path, {
    method,
    headers: {
      "X-API-Key": stage.apiKey,
      apikey: stage.anonKey,
      ...(path.startsWith("/rest") && { Authorization: `Bearer ${stage.tableKey}` }),
      "Content-Type": "application/json",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return Math.round(performance.now() - begun);
}

/** The median time of a page in the middle of a long run, in milliseconds. */
async function timePage(agentId: string): Promise<number> {
  const task = await stage.call("POST", "/functions/v1/api-tasks", {
    title: "Long",
    description: QUICK,
    assigned_agent_id: agentId,
  });
  while ((await count(`select count(*) as n from tasks where status = 'completed'`)) === 0) await sleep(100);
  await client.query(
    `insert into run_steps (run_id, attempt, key, workspace_id, result, created_at, started_at, ended_at, facts)
     select run_id, attempt, 'tool:' || n, workspace_id, result, created_at, started_at, ended_at, facts
     from run_steps, generate_series(1, $2) n where run_id = $1`,
    [task.id, STEPS - 1],
  );
  await client.query("vacuum analyze run_steps");
  const times: number[] = [];
  for (let n = 0; n < PAGES; n++) times.push(await timed("GET", `/console/api/runs/${task.id}/steps?limit=100`));
  return times.toSorted((a, b) => a - b)[PAGES / 2] ?? Number.NaN;
}

async function createTasks(agentId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < BULK; n++) {
    const task = { title: `Task ${n}`, description: QUICK, assigned_agent_id: agentId };
    ids.push((await stage.call("POST", "/functions/v1/api-tasks", task)).id);
  }
  while ((await count(`select count(*) as n from tasks where status <> 'completed'`)) > 0) await sleep(100);
  return ids;
}

async function timeBulk(action: string, ids: readonly string[]): Promise<number> {
  // A paused workspace starts nothing, so that the cancellation finds what was restarted.
  await client.query("update workspaces set paused = true");
  return timed("POST", "/console/api/runs/bulk", { action, ids, expect: ids.length });
}

async function timeDeletion(): Promise<number> {
  return timed("DELETE", "/rest/v1/tasks?status=eq.cancelled");
}

/** How long after its time the last of many schedules has begun its run. */
async function timeSchedules(agentId: string): Promise<number> {
  await client.query("update workspaces set paused = false");
  const schedule = { name: "S", cron: "0 0 1 1 *", assigned_agent_id: agentId, title: "T", description: QUICK };
  const { id } = await stage.call("POST", "/console/api/schedules", schedule);
  await client.query(
    `insert into schedules (id, workspace_id, name, cron, time_zone, missed, overlap, is_active, assigned_agent_id, title,
       description, priority, metadata, next_times)
     select gen_random_uuid(), workspace_id, name, cron, time_zone, missed, overlap, is_active, assigned_agent_id, title,
       description, priority, metadata, next_times
     from schedules, generate_series(2, $2) where id = $1`,
    [id, SCHEDULES],
  );
  await client.query("update schedules set next_times = array[now(), now() + interval '1 year']");
  const begun = Date.now();
  while ((await count(`select count(*) as n from tasks where title = 'T' and started_at is not null`)) < SCHEDULES) {
    await sleep(200);
    if (Date.now() - begun > 300_000) throw new Error("The schedules did not begin.");
  }
  return Date.now() - begun;
}
