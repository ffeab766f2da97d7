import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/database.ts";
import type { Database } from "#db/database.ts";
import { settleReservationsOf } from "#db/queries/budget-reservations.ts";
import { beat, takeOverRuns } from "#db/queries/executors.ts";
import { startRuns } from "#db/queries/run-bounds.ts";
import { recordSteps } from "#db/queries/run-steps.ts";
import type { RunKey } from "#db/queries/runs.ts";
import { appendEvents } from "#db/queries/task-events.ts";
import { newId } from "#lib/ids.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { addWorkspace, sql } from "../support/workspace.ts";

const HEAD = `insert into task_streams (task_id, workspace_id, attempt, writer) values ($1, $2, 1, $3)`;
const TAKE_OVER = `update task_streams set writer = gen_random_uuid() where task_id = $1`;
const APPEND = `update task_streams set last_seq = last_seq + 1 where task_id = $1`;
const TASK = `insert into tasks (id, workspace_id, title, status) values ($1, $2, 'Work', 'dispatched')`;
const CLAIM = `
  insert into dbos.workflow_status (workflow_uuid, status, executor_id, application_name, application_version)
  values ($1, 'PENDING', $2, 'muster', '1')`;
const LEASE_MS = 5_000;
const WAITS = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%run_steps%'`;

let database: TestDatabase;
let db: Database;
let other: Client;
let workspaceId: string;

beforeAll(async () => {
  database = await createDatabase();
  ({ workspaceId } = await addWorkspace(database.url));
  db = openDatabase({ url: database.url, poolSize: 2, onIdleError: () => undefined });
  other = new Client({ connectionString: database.url });
  await other.connect();
});

afterAll(async () => {
  await other.end();
  await db.close();
  await database.drop();
});

verifies(
  "engine.fencing",
  "steps that are recorded while one run is taken over and others get events: that run's is refused, the others' are stored",
  async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, open));
    const [first, second, third] = runs.map(({ taskId }) => taskId);
    await other.query("begin");
    await other.query("select from task_streams where task_id = $1 for update", [first]);
    const recorded = recordSteps(
      db,
      runs.map((run) => ({ run, key: "model:0", result: "1" })),
    );
    await eventually("the statement waits", async () => (await sql(database.url, WAITS)).length === 1);
    await sql(database.url, APPEND, [second]);
    await sql(database.url, APPEND, [third]);
    await other.query(TAKE_OVER, [first]);
    await other.query("commit");
    expect(await recorded).toEqual([false, true, true, true]);
    const stored = await sql<{ run_id: string }>(database.url, "select run_id from run_steps");
    expect(stored.map(({ run_id }) => run_id).toSorted()).toEqual(
      runs
        .slice(1)
        .map(({ taskId }) => taskId)
        .toSorted(),
    );
  },
);

const writers = [
  {
    verifies: "engine.locks.ordered",
    what: "events",
    table: "task_events",
    write: (runs: readonly RunKey[]) =>
      appendEvents(
        db,
        newId(),
        runs.map((run) => ({ ...run, text: "{}" })),
      ),
  },
  {
    verifies: "engine.locks.ordered",
    what: "steps",
    table: "run_steps",
    write: (runs: readonly RunKey[]) =>
      recordSteps(
        db,
        runs.map((run) => ({ run, key: "model:1", result: "1" })),
      ),
  },
] as const;
for (const row of writers) {
  verifies(row.verifies, `${row.what} of several runs stop nobody who ends these runs one after another`, async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, open));
    const runs = opened.toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1));
    const lock = "select from task_streams where task_id = $1 for update";
    await other.query("begin");
    await other.query(lock, [runs[0]?.taskId]);
    const written = row.write(runs.toReversed());
    const waits = WAITS.replace("run_steps", row.table);
    await eventually("the statement waits", async () => (await sql(database.url, waits)).length === 1);
    for (const { taskId } of runs) await other.query(lock, [taskId]);
    await other.query("commit");
    expect(await written).toHaveLength(runs.length);
  });
}

verifies(
  ["engine.fencing", "engine.resume.stream-once"],
  "of events that are appended while one run is handed over, that run's are refused and the others' stored, once",
  async () => {
    const runs = await Promise.all(Array.from({ length: 3 }, open));
    const rows = runs.map((run) => ({ ...run, key: "finished", text: '{"type":"STEP_FINISHED"}' }));
    const [first] = runs.map(({ taskId }) => taskId);
    await other.query("begin");
    await other.query("update task_streams set writer = null where task_id = $1", [first]);
    const appended = appendEvents(db, newId(), rows);
    const waits = WAITS.replace("run_steps", "task_events");
    await eventually("the statement waits", async () => (await sql(database.url, waits)).length === 1);
    await other.query("commit");
    expect(await appended).toMatchObject([{ seq: null, owned: false }, { seq: 1 }, { seq: 1 }]);
    const stored = await sql<{ task_id: string }>(
      database.url,
      "select task_id from task_events where key = 'finished'",
    );
    expect(stored.map(({ task_id }) => task_id).toSorted()).toEqual(
      runs
        .slice(1)
        .map(({ taskId }) => taskId)
        .toSorted(),
    );
  },
);

verifies(
  "engine.takeover.living",
  "a process that speaks just when it is taken for dead keeps its runs; one that is still silent loses them",
  async () => {
    for (const id of ["waking", "dead"]) {
      await beat(db, { id, host: "elsewhere", pid: 1 });
      await sql(database.url, CLAIM, [`run-of-${id}`, id]);
    }
    await sql(database.url, "update executors set seen_at = now() - interval '1 minute'");
    await other.query("begin");
    await other.query("update executors set seen_at = now() where id = 'waking'");
    const taken = takeOverRuns(db, LEASE_MS);
    const waits = WAITS.replace("run_steps", "executors");
    await eventually("the statement waits", async () => (await sql(database.url, waits)).length === 1);
    await other.query("commit");
    expect(await taken).toEqual([{ executor: "dead", run: "run-of-dead" }]);
  },
);

verifies("engine.takeover.living", "a run whose claim another process has by now does not begin", async () => {
  const run = await open();
  await sql(database.url, TASK, [run.taskId, workspaceId]);
  await sql(database.url, CLAIM, [`${run.taskId}.1`, "thief"]);
  const start = { run, event: '{"type":"RUN_STARTED"}', segment: 0, agentVersion: null };
  expect(await startRuns(db, [{ ...start, executorId: "robbed" }])).toEqual([undefined]);
  expect(await startRuns(db, [{ ...start, executorId: "thief" }])).toMatchObject([{ fresh: true }]);
});

verifies("budgets.crash-own", "an execution that has lost its run settles nothing of its successor's", async () => {
  const run = await open();
  const reserve = `
    insert into budget_reservations (id, workspace_id, run_id, attempt, step, budget_ids, keys, usd, tokens)
    values ($1, $2, $1, 1, '/0', '{}', '{}', 1, 1)`;
  await sql(database.url, reserve, [run.taskId, workspaceId]);
  const reserved = () => sql(database.url, "select from budget_reservations where run_id = $1", [run.taskId]);
  await settleReservationsOf(db, { ...run, writer: newId() });
  expect(await reserved()).toHaveLength(1);
  await settleReservationsOf(db, run);
  expect(await reserved()).toHaveLength(0);
});

async function open() {
  const run = { taskId: newId(), attempt: 1, writer: newId() };
  await sql(database.url, HEAD, [run.taskId, workspaceId, run.writer]);
  return run;
}
