import { Client, escapeLiteral } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import type { Database, Transaction } from "#db/database.ts";
import { openDatabase } from "#db/open-database.ts";
import type { JobKey } from "#db/queries/queue/job-owner.ts";
import { appendEvents } from "#db/queries/streams/task-events.ts";
import { finishRuns } from "#db/queries/runs/finish-runs.ts";
import { startRuns } from "#db/queries/runs/start-runs.ts";
import { recordSteps } from "#db/queries/runs/run-steps.ts";
import type { UsageEntry } from "#db/queries/runs/run-steps.ts";
import { newId } from "#lib/ids.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace } from "../../support/workspace.ts";

/** As the service plans its own statements. */
const PLAN_ONCE = `
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off`;
const RUNS = `
  with ids as (select gen_random_uuid() as id, gen_random_uuid() as job from generate_series(1, $1)),
  made as (
    insert into tasks (id, workspace_id, title, status) select id, $2, 'Work', 'running' from ids
  ),
  opened as (insert into task_streams (log_id, workspace_id, attempt) select id, $2, 1 from ids),
  queued as (
    insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, executor_id, fence, input)
    select job, $2, 'task', id, 1, 1, 'running', $3, 1, '{}' from ids
  )
  select id as "subjectId", job as "jobId", $3::uuid as "executorId", 1 as fence, 1 as attempt from ids`;

const planNode = z.object({
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Join Filter": z.number().default(0),
  "Rows Removed by Filter": z.number().default(0),
  get Plans() {
    return z.array(planNode).optional();
  },
});
type PlanNode = z.output<typeof planNode>;
const explained = z.tuple([z.object({ Plan: planNode })]);

let database: TestDatabase;
let db: Database;
let client: Client;
let workspaceId: string;

beforeAll(async () => {
  database = await createDatabase();
  ({ workspaceId } = await addWorkspace(database.url));
  db = openDatabase({ url: database.url, poolSize: 1, onIdleError: () => undefined });
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(PLAN_ONCE);
});

afterAll(async () => {
  await client.end();
  await db.close();
  await database.drop();
});

const USAGE: Omit<UsageEntry, "id" | "task_id" | "agent_id"> = {
  team_run_id: null,
  team_id: null,
  agent_version: null,
  step: 0,
  provider: "demo",
  model: "demo",
  prompt_tokens: 1,
  completion_tokens: 1,
  estimated_cost_usd: 0,
  billing_model: "per-token",
  settles: false,
};
const END = {
  status: "completed",
  result: "Done",
  error: null,
  errorCode: null,
  finishReason: null,
  files: [],
} as const;

type Write = (on: Transaction, runs: readonly JobKey[]) => Promise<unknown>;

/** The statements of a batch, each with one write for each run. */
const WRITES = {
  starts: (on, runs) =>
    startRuns(
      on,
      runs.map((job) => ({ runId: job.subjectId, job, event: "{}", agentVersion: null })),
    ),
  events: (on, runs) =>
    appendEvents(
      db,
      newId(),
      runs.map((owner) => ({ subjectId: owner.subjectId, owner, text: "{}" })),
      on,
    ),
  steps: (on, runs) =>
    recordSteps(
      on,
      runs.map((run) => ({
        run,
        key: "model:0",
        result: "1",
        usage: { ...USAGE, id: newId(), task_id: run.subjectId, agent_id: newId() },
      })),
    ),
  ends: (on, runs) =>
    finishRuns(
      on,
      runs.map((job) => ({ runId: job.subjectId, job, end: { ...END, events: ["{}", "{}"] } })),
    ),
} satisfies Record<string, Write>;

for (const [what, write] of Object.entries(WRITES)) {
  verifies("engine.writes.linear", `twice as many ${what} in a batch cost twice as much`, async () => {
    const few = await rowsProcessed(write, 50);
    const many = await rowsProcessed(write, 400);
    // The rows of one write are the same, however many others there are.
    expect(many / 400).toBeLessThan((1.5 * few) / 50);
  });
}

/** How many rows the nodes of a statement's plan process for a batch with one write for each of so many new runs. */
async function rowsProcessed(write: Write, count: number): Promise<number> {
  const { rows } = await client.query<JobKey>(RUNS, [count, workspaceId, newId()]);
  let processed = 0;
  await client.query("begin");
  await write(
    explainOn((plan) => (processed += rowsOf(plan))),
    rows,
  );
  await client.query("rollback");
  return processed;
}

/** A transaction in which statements are explained; they return nothing. */
function explainOn(report: (plan: PlanNode) => void): Transaction {
  return {
    commit: () => undefined,
    queryOnce: () => Promise.resolve([]),
    async query({ name, text }, values = []) {
      const known = await client.query("select from pg_prepared_statements where name = $1", [name]);
      if (known.rowCount === 0) await client.query(`prepare "${name}" as ${text}`);
      const run = `explain (analyze, format json) execute "${name}" (${values.map(literal).join()})`;
      const { rows } = await client.query<{ "QUERY PLAN": unknown }>(run);
      report(explained.parse(rows[0]?.["QUERY PLAN"])[0].Plan);
      return [];
    },
  };
}

function rowsOf(node: PlanNode): number {
  const { "Rows Removed by Join Filter": unjoined, "Rows Removed by Filter": unwanted } = node;
  const own = (node["Actual Rows"] + unjoined + unwanted) * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}

const text = z.union([z.string(), z.number()]).transform(String);

function literal(value: unknown): string {
  if (value === null) return "null";
  return escapeLiteral(Array.isArray(value) ? `{${value.map(element).join()}}` : text.parse(value));
}

function element(value: unknown): string {
  return value === null ? "null" : JSON.stringify(text.parse(value));
}
