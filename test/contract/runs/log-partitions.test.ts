import { Client } from "pg";
import { afterEach, beforeEach, expect } from "vitest";
import { z } from "zod";
import type { Database } from "#db/database.ts";
import { openDatabase } from "#db/open-database.ts";
import { dropPartitions, makePartitions } from "#db/queries/streams/log-partitions.ts";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { runJanitor } from "../../support/run-janitor.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, ENDLESS, QUICK, readTask, stopTask, taskIn } from "../../support/work.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

const TABLES = { task_events: "log_id", task_event_pages: "log_id", run_steps: "run_id" } as const;
const DAY_MS = 86_400_000;
/** When this week and the next two are past. */
const SOON = new Date(Date.now() + 30 * DAY_MS);
const RETENTION_DAYS = 30;
/** As a client of AG-UI may choose it for a thread. */
const CHOSEN = "ffffffff-ffff-4fff-bfff-ffffffffffff";

let service: TestService;
let db: Database;
let api: Api;
let agentId: string;

// Each test drops what the others stand on.
beforeEach(async () => {
  service = await startService();
  db = openDatabase({ url: service.databaseUrl, poolSize: 2, onIdleError: () => undefined });
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api, { model: "demo", tools: ["wait"] })).id;
});
afterEach(async () => {
  await db.close();
  await service.stop();
});

async function run(text: string, status: string, by: Api = api, agent = agentId): Promise<string> {
  const { id } = await createTask(by, { assigned_agent_id: agent, title: text });
  await taskIn(by, id, status);
  return id;
}

/** The partitions that have a table's rows of a run. */
async function homesOf(table: keyof typeof TABLES, id: string): Promise<readonly string[]> {
  const text = `select distinct tableoid::regclass::text as name from ${table} where ${TABLES[table]} = $1`;
  return (await sql<{ name: string }>(service.databaseUrl, text, [id])).map(({ name }) => name);
}

const bounds = z.object({ name: z.string(), first: z.string().nullable(), next: z.string().nullable() });

/** The partitions of a table in the order of their ids. */
async function partitionsOf(table: string): Promise<readonly z.output<typeof bounds>[]> {
  const text = "select name, first_id as first, next_id as next from partitions_of($1::regclass) order by next_id";
  return z.array(bounds).parse(await sql(service.databaseUrl, text, [table]));
}

const drop = (before = SOON) => dropPartitions(db, before, () => false);

verifies(
  "engine.partitions.placed",
  "a run is in the partition of its week, every other id in a last one",
  async () => {
    const id = await run(QUICK, "completed");
    const week = (await partitionsOf("task_events")).find(
      ({ first, next }) => first !== null && first <= id && id < (next ?? ""),
    );
    expect(await homesOf("task_events", id)).toEqual([week?.name]);
    expect(await homesOf("run_steps", id)).toEqual([week?.name.replace("task_events", "run_steps")]);
    const odd = [CHOSEN, "02ffffff-ffff-4fff-bfff-ffffffffffff", "00000000-0000-4000-8000-000000000000"];
    for (const each of odd) {
      await sql(
        service.databaseUrl,
        `insert into run_steps (run_id, attempt, key, workspace_id, result)
       select $1, 1, 'model:0', workspace_id, '1' from runs where id = $2`,
        [each, id],
      );
    }
    expect(await Promise.all(odd.map((each) => homesOf("run_steps", each)))).toEqual([
      ["run_steps_chosen"],
      ["run_steps_other"],
      ["run_steps_first"],
    ]);
  },
);

verifies("engine.partitions.ahead", "two processes make what is missing once; rows move to it", async () => {
  const before = await partitionsOf("task_events");
  for (const table of Object.keys(TABLES)) {
    for (const { name } of (await partitionsOf(table)).filter(({ first, next }) => first !== null && next !== null)) {
      await sql(service.databaseUrl, `drop table ${name}`);
    }
  }
  const id = await run(QUICK, "completed");
  const running = await run(ENDLESS, "running");
  expect(await homesOf("task_events", id)).toEqual(["task_events_other"]);
  const events = await readToEnd(service, { agentId, taskId: id });
  await eventually("the partitions are there", async () => {
    await Promise.all([makePartitions(db, RETENTION_DAYS), makePartitions(db, RETENTION_DAYS)]);
    const made = await Promise.all(Object.keys(TABLES).map(partitionsOf));
    return made.every((each) => each.length === before.length);
  });
  expect(await partitionsOf("task_events")).toEqual(before);
  expect((await homesOf("task_events", id))[0]).toMatch(/^task_events_0/);
  expect((await homesOf("run_steps", id))[0]).toMatch(/^run_steps_0/);
  expect(await readToEnd(service, { agentId, taskId: id })).toEqual(events);
  await stopTask(api, running);
  expect((await readToEnd(service, { agentId, taskId: running })).at(-1)?.event.type).toBe("RUN_ERROR");
});

verifies(
  "engine.partitions.dropped",
  "an old week goes whole when its last run has ended; runs and usage stay",
  async () => {
    const other = await openWorkspace(service);
    const theirAgent = (await createAgent(other.api, { model: "demo" })).id;
    const [ours, theirs] = [await run(QUICK, "completed"), await run(QUICK, "completed", other.api, theirAgent)];
    const running = await run(ENDLESS, "running");
    const week = (await homesOf("task_events", ours))[0] ?? "";
    // The one of before this week has nothing, and those ahead neither.
    await drop();
    const names = (await partitionsOf("task_events")).map(({ name }) => name);
    expect(names.toSorted()).toEqual([week, "task_events_chosen", "task_events_other"]);
    await stopTask(api, running);
    // A step of a late attempt.
    const late = "update run_steps set created_at = $2 where run_id = $1 returning run_id";
    expect(await sql(service.databaseUrl, late, [ours, new Date(SOON.getTime() + DAY_MS)])).toHaveLength(1);
    await eventually("the week is dropped", async () => {
      await drop();
      return (await partitionsOf("task_events")).length === 2;
    });
    expect(await homesOf("run_steps", ours)).not.toEqual([]);
    await sql(service.databaseUrl, late, [ours, new Date()]);
    expect(await drop()).toEqual([week.replace("task_events", "run_steps")]);

    expect(await readTask(api, ours)).toMatchObject({ status: "completed", result: "done" });
    expect(await readTask(other.api, theirs)).toMatchObject({ status: "completed", result: "done" });
    const used = "select from usage_records where task_id = any($1)";
    expect(await sql(service.databaseUrl, used, [[ours, theirs]])).toHaveLength(2);
    expect((await readToEnd(service, { agentId, taskId: ours })).map(({ event }) => event.type)).toEqual([
      "RUN_STARTED",
      "RUN_FINISHED",
    ]);
    // What begins or goes on afterwards has a place.
    expect(await homesOf("task_events", await run(QUICK, "completed"))).toEqual(["task_events_other"]);
  },
);

verifies(
  "engine.partitions.dropped",
  "the pass of a process drops what began and ended before the retention",
  async () => {
    const old = await sql<{ id: string }>(service.databaseUrl, "select first_id_of(now() - interval '50 days') as id");
    for (const table of Object.keys(TABLES)) {
      await sql(service.databaseUrl, `drop table ${table}_first`);
      await sql(
        service.databaseUrl,
        `create table ${table}_old partition of ${table}
       for values from (first_id_of(now() - interval '55 days')) to (first_id_of(now() - interval '48 days'))`,
      );
    }
    const id = await run(QUICK, "completed");
    await sql(
      service.databaseUrl,
      `insert into task_events (log_id, seq, workspace_id, attempt, event, created_at)
     select $1, seq, workspace_id, attempt, event, now() - interval '49 days' from task_events where log_id = $2`,
      [old[0]?.id, id],
    );
    await runJanitor(service);
    const names = (await partitionsOf("task_events")).map(({ name }) => name);
    expect(names).not.toContain("task_events_old");
    expect(names.length).toBeGreaterThan(3);
    expect((await readToEnd(service, { agentId, taskId: id })).length).toBeGreaterThan(2);
  },
);

verifies("engine.partitions.locks", "a partition that somebody reads is left for the next pass", async () => {
  const id = await run(QUICK, "completed");
  const reader = new Client({ connectionString: service.databaseUrl });
  await reader.connect();
  try {
    await reader.query("begin");
    await reader.query("select from task_events where log_id = $1", [id]);
    expect((await drop()).filter((name) => name.startsWith("task_events_0"))).toEqual([]);
    await reader.query("commit");
  } finally {
    await reader.end();
  }
  expect(await homesOf("task_events", id)).not.toEqual([]);
  await eventually("the partition is dropped", async () => {
    await drop();
    return (await homesOf("task_events", id)).length === 0;
  });
});

verifies("engine.partitions.workspaces", "a deleted workspace takes no row of another partition with it", async () => {
  const other = await openWorkspace(service);
  const theirAgent = (await createAgent(other.api, { model: "demo" })).id;
  const theirs = await run(QUICK, "completed", other.api, theirAgent);
  // The first rows of another partition, in the places that theirs have in its own.
  await sql(
    service.databaseUrl,
    `insert into task_events (log_id, seq, workspace_id, attempt, event)
     select $1, seq, (select workspace_id from runs where id = $3), attempt, event from task_events where log_id = $2 order by seq`,
    [CHOSEN, theirs, await run(QUICK, "completed")],
  );
  const ours = () => sql(service.databaseUrl, "select from task_events where log_id = $1", [CHOSEN]);
  const count = (await ours()).length;
  expect(count).toBeGreaterThan(2);
  expect((await other.console.delete("/workspace?confirm=Another%20workspace")).status).toBe(204);
  await eventually("the workspace is gone", async () => {
    const left = await sql(service.databaseUrl, "select from workspaces where id = $1", [other.workspaceId]);
    return left.length === 0;
  });
  expect(await homesOf("task_events", theirs)).toEqual([]);
  expect(await ours()).toHaveLength(count);
});
