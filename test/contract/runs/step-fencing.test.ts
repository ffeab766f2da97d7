import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { chargeReservationsOf } from "#db/queries/budgets/budget-reservations.ts";
import { takeOver } from "#db/queries/queue/executors.ts";
import { startRuns } from "#db/queries/runs/start-runs.ts";
import { recordSteps } from "#db/queries/runs/run-steps.ts";
import type { JobKey } from "#db/queries/queue/job-owner.ts";
import { appendEvents } from "#db/queries/streams/task-events.ts";
import { recordUpload } from "#db/queries/files/unreferenced-blobs.ts";
import { recordStored } from "#db/queries/knowledge/ingest.ts";
import { deleteDocument } from "#db/queries/knowledge/knowledge.ts";
import { addTeamMessage } from "#db/queries/teams/running-teams.ts";
import { endRun } from "#db/queries/runs/end-run.ts";
import { lockRun } from "#db/queries/runs/lock-runs.ts";
import { createRunWriter } from "#engine/run/run-writer.ts";
import { newId } from "#lib/ids.ts";
import { createEventBus } from "#operations/streams/event-bus.ts";
import { openLine } from "../../support/database/database-line.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const HEAD = `insert into task_streams (log_id, workspace_id, attempt) values ($1, $2, 1)`;
const JOB = `
  insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, executor_id, fence, input)
  values ($1, $2, 'task', $3, 1, 1, 'running', $4, 1, '{}')`;
const EXECUTOR = `insert into executors (id, host, pid, beat) values ($1, 'elsewhere', 1, 7)`;
const TAKE_OVER = `update jobs set executor_id = gen_random_uuid(), fence = fence + 1 where id = $1`;
const APPEND = `update task_streams set last_seq = last_seq + 1 where log_id = $1`;
const TASK = `insert into tasks (id, workspace_id, title, status) values ($1, $2, 'Work', 'dispatched')`;
const WAITS = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%run_steps%'`;
const LOCK_WAITS = `
  select l.waitstart::text from pg_locks l join pg_stat_activity a using (pid)
  where a.datname = current_database() and not l.granted and l.waitstart is not null`;
const TEAM_RUN = `insert into team_runs (id, workspace_id, status, input_task) values ($1, $2, 'running', 'Work')`;
const DOCUMENT = `
  with base as (insert into knowledge_bases (id, workspace_id, name) values ($3, $2, 'Base') returning id)
  insert into knowledge_documents (id, workspace_id, knowledge_base_id, name, format, media_type, size, status, blob_key)
  select $1, $2, id, 'Document', 'text', 'text/plain', 1, 'processing', 'blob' from base`;
const MESSAGE = {
  sender_agent_id: null,
  receiver_agent_id: null,
  message_type: "system",
  content: "Go on.",
  metadata: {},
  step_idx: null,
  tokens_used: 0,
} as const;
/** No one follows a log. */
const BUS = createEventBus({
  send: () => Promise.resolve(),
  announceFollowers: () => undefined,
  findGrown: () => Promise.resolve([]),
});

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
  "of steps recorded while one run is taken over, that run's is rejected and the others' are stored",
  async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, open));
    const [first, second, third] = runs;
    await other.query("begin");
    await other.query("select from jobs where id = $1 for update", [first?.jobId]);
    const recorded = recordSteps(
      db,
      runs.map((run) => ({ run, key: "model:0", result: "1" })),
    );
    await eventually("the statement waits", async () => (await sql(database.url, WAITS)).length === 1);
    await sql(database.url, APPEND, [second?.subjectId]);
    await sql(database.url, APPEND, [third?.subjectId]);
    await other.query(TAKE_OVER, [first?.jobId]);
    await other.query("commit");
    expect(await recorded).toEqual([false, true, true, true]);
    const stored = await sql<{ run_id: string }>(database.url, "select run_id from run_steps");
    expect(stored.map(({ run_id }) => run_id).toSorted()).toEqual(
      runs
        .slice(1)
        .map(({ subjectId }) => subjectId)
        .toSorted(),
    );
  },
);

const writers = [
  {
    verifies: "engine.locks.ordered",
    what: "events",
    table: "task_streams",
    write: (runs: readonly JobKey[]) =>
      appendEvents(
        db,
        newId(),
        runs.map((run) => ({ subjectId: run.subjectId, owner: run, text: "{}" })),
      ),
  },
  {
    verifies: "engine.locks.ordered",
    what: "steps",
    table: "run_steps",
    write: (runs: readonly JobKey[]) =>
      recordSteps(
        db,
        runs.map((run) => ({ run, key: "model:1", result: "1" })),
      ),
  },
] as const;
for (const row of writers) {
  verifies(
    row.verifies,
    `${row.what} of several runs block no transaction that ends these runs one after another`,
    async () => {
      const opened = await Promise.all(Array.from({ length: 8 }, open));
      const runs = opened.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1));
      const lock = "select from jobs where id = $1 for update";
      await other.query("begin");
      await other.query(lock, [runs[0]?.jobId]);
      const written = row.write(runs.toReversed());
      const waits = WAITS.replace("run_steps", row.table);
      await eventually("the statement waits", async () => (await sql(database.url, waits)).length === 1);
      for (const { jobId } of runs) await other.query(lock, [jobId]);
      await other.query("commit");
      expect(await written).toHaveLength(runs.length);
    },
  );
}

verifies(
  ["engine.fencing", "engine.resume.stream-once"],
  "of events appended while one run is handed over, that run's are rejected, the others' stored once",
  async () => {
    const runs = await Promise.all(Array.from({ length: 3 }, open));
    const rows = runs.map((run) => ({
      subjectId: run.subjectId,
      owner: run,
      key: "finished",
      text: '{"type":"STEP_FINISHED"}',
    }));
    await other.query("begin");
    await other.query(TAKE_OVER, [runs[0]?.jobId]);
    const appended = appendEvents(db, newId(), rows);
    const waits = WAITS.replace("run_steps", "task_events");
    await eventually("the statement waits", async () => (await sql(database.url, waits)).length === 1);
    await other.query("commit");
    expect(await appended).toMatchObject([{ seq: null, owned: false }, { seq: 1 }, { seq: 1 }]);
    const stored = await sql<{ log_id: string }>(database.url, "select log_id from task_events where key = 'finished'");
    expect(stored.map(({ log_id }) => log_id).toSorted()).toEqual(
      runs
        .slice(1)
        .map(({ subjectId }) => subjectId)
        .toSorted(),
    );
  },
);

verifies("engine.locks.ordered", "a team run's message is stored while a cancellation waits for its job", async () => {
  const run = await open();
  await sql(database.url, TEAM_RUN, [run.subjectId, workspaceId]);
  await other.query("begin");
  await other.query("select from jobs where id = $1 for share", [run.jobId]);
  const cancelled = db.transaction(async (tx) => {
    await lockRun(tx, "team_run", run.subjectId);
    return endRun(tx, run.subjectId, { status: "cancelled" });
  });
  cancelled.catch(() => undefined);
  await eventually("it waits", async () => (await sql(database.url, WAITS.replace("run_steps", "jobs"))).length === 1);
  // Were the run locked against references, both would wait for each other.
  expect(await addTeamMessage(db, run, { ...MESSAGE, id: newId(), key: "handoff" })).toBe(true);
  await other.query("commit");
  expect(await cancelled).toMatchObject([{ id: run.subjectId, attempt: 1 }]);
});

verifies("engine.locks.ordered", "an ingest records its progress while a deletion waits for its job", async () => {
  const { jobId, subjectId: documentId, attempt, executorId, fence } = await open();
  await sql(database.url, "update jobs set kind = 'ingest' where id = $1", [jobId]);
  await recordUpload(db, "blob");
  await sql(database.url, DOCUMENT, [documentId, workspaceId, newId()]);
  await other.query("begin");
  await other.query("select from jobs where id = $1 for share", [jobId]);
  const deleted = db.transaction((tx) => deleteDocument(tx, documentId));
  deleted.catch(() => undefined);
  await eventually("it waits", async () => (await sql(database.url, WAITS.replace("run_steps", ""))).length === 1);
  // Were the document locked first, both would wait for each other.
  const ingest = { workspaceId, documentId, attempt, owner: { jobId, executorId, fence } };
  expect(await recordStored(db, ingest, { stored: 1, percent: 1 })).toBe(true);
  await other.query("commit");
  expect(await deleted).toBe(true);
});

verifies(
  "engine.resume.stream-once",
  "events are stored once when their answer is lost and a lock follows",
  async () => {
    const line = await openLine(database.url);
    const overLine = openDatabase({ url: line.url, poolSize: 1, onIdleError: () => undefined });
    const writer = createRunWriter(overLine, BUS, () => undefined);
    const owner = await open();
    const { subjectId } = owner;
    const stored = () => sql(database.url, "select from task_events where log_id = $1", [subjectId]);
    await writer.append({ subjectId, owner, text: "{}" });
    line.holdAnswers();
    const appended = writer.append({ subjectId, owner, text: "{}" });
    await eventually("it is stored", async () => (await stored()).length === 2);
    await other.query("begin");
    await other.query("select from jobs where id = $1 for update", [owner.jobId]);
    line.close();
    const restored = await openLine(database.url, Number(new URL(line.url).port));
    // The batch is sent again, and then the job's writes by themselves.
    const waits = new Set<string>();
    await eventually("its writes wait for the lock", async () => {
      for (const { waitstart } of await sql<{ waitstart: string }>(database.url, LOCK_WAITS)) waits.add(waitstart);
      return waits.size >= 3;
    });
    await other.query("commit");
    await appended;
    expect(await stored()).toHaveLength(2);
    await overLine.close();
    restored.close();
  },
);

verifies(
  "engine.takeover.living",
  "a process that beats when presumed dead keeps its jobs; one that is still silent loses them",
  async () => {
    const [waking, dead] = await Promise.all([open(), open()]);
    for (const { executorId } of [waking, dead]) await sql(database.url, EXECUTOR, [executorId]);
    await other.query("begin");
    await other.query("update executors set beat = beat + 1 where id = $1", [waking.executorId]);
    const judged = [waking, dead].map(({ executorId }) => ({ id: executorId, beat: 7 }));
    // Not while its row is locked: its beat may be what waits for the lock.
    const during = await takeOver(db, { dead: judged });
    await other.query("commit");
    const after = await takeOver(db, { dead: judged });
    const executors = [...during, ...after].map(({ executorId }) => executorId);
    expect(executors).toContain(dead.executorId);
    expect(executors).not.toContain(waking.executorId);
  },
);

verifies("engine.takeover.living", "a job that another process has claimed meanwhile does not start", async () => {
  const run = await open();
  await sql(database.url, TASK, [run.subjectId, workspaceId]);
  const start = { runId: run.subjectId, event: '{"type":"RUN_STARTED"}', agentVersion: null };
  expect(await startRuns(db, [{ ...start, job: { ...run, executorId: newId() } }])).toEqual([undefined]);
  expect(await startRuns(db, [{ ...start, job: { ...run, fence: 2 } }])).toEqual([undefined]);
  expect(await startRuns(db, [{ ...start, job: run }])).toMatchObject([{ fresh: true }]);
});

verifies("budgets.crash-own", "a stale execution changes no reservation of its successor", async () => {
  const run = await open();
  const reserve = `
    insert into budget_reservations (id, workspace_id, run_id, attempt, step, budget_ids, keys, usd, tokens)
    values ($1, $2, $1, 1, '/0', '{}', '{}', 1, 1)`;
  await sql(database.url, reserve, [run.subjectId, workspaceId]);
  const reserved = () => sql(database.url, "select from budget_reservations where run_id = $1", [run.subjectId]);
  await chargeReservationsOf(db, { ...run, executorId: newId() });
  expect(await reserved()).toHaveLength(1);
  await chargeReservationsOf(db, run);
  expect(await reserved()).toHaveLength(0);
});

async function open(): Promise<JobKey> {
  const run = { jobId: newId(), subjectId: newId(), attempt: 1, executorId: newId(), fence: 1 };
  await sql(database.url, HEAD, [run.subjectId, workspaceId]);
  await sql(database.url, JOB, [run.jobId, workspaceId, run.subjectId, run.executorId]);
  return run;
}
