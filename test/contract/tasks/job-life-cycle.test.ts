import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { newId } from "#lib/ids.ts";
import { audit } from "../../support/life-cycle/audit.ts";
import { claimAll, commands } from "../../support/life-cycle/commands.ts";
import { advance } from "../../support/life-cycle/time.ts";
import { startProcess } from "../../support/life-cycle/world.ts";
import type { Model, World } from "../../support/life-cycle/world.ts";
import { answer, finishTask } from "../../support/life-cycle/writes.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const RUNS = Number(process.env["LIFE_CYCLE_RUNS"] ?? 30);
const SEED = Number(process.env["LIFE_CYCLE_SEED"] ?? Date.now() % 1_000_000);
const MAX_COMMANDS = 60;
/** After this many seconds without faults everything has ended. */
const SETTLED_SECONDS = 12;

const AGENT = `insert into agents (id, workspace_id, name, model, provider) values ($1, $2, 'Worker', 'demo', 'demo')`;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 8, onIdleError: () => undefined });
});
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await db.close();
  await database.drop();
});

verifies(
  ["engine.jobs.one-owner", "engine.jobs.end", "engine.fencing", "engine.takeover.living", "engine.takeover.found"],
  "with three failing processes a job has one owner, stale writes are rejected, and every job ends",
  async () => {
    const sequences = fc.asyncProperty(
      fc.commands(commands, { maxCommands: MAX_COMMANDS, size: "max" }),
      async (some) => {
        const { model, world } = await open();
        await fc.asyncModelRun(() => ({ model, real: world }), some);
        await endAll(model, world);
        await Promise.all(world.processes.map(({ membership }) => membership.stop()));
        await sql(database.url, "delete from executors");
      },
    );
    // What fails is reported with its seed and its path: LIFE_CYCLE_SEED makes the same sequences again.
    await fc.assert(sequences, { numRuns: RUNS, seed: SEED, endOnFailure: true, verbose: 1 });
  },
  { tags: "slow" },
);

async function open(): Promise<{ readonly model: Model; readonly world: World }> {
  const { workspaceId } = await addWorkspace(database.url);
  const agentId = newId();
  await sql(database.url, AGENT, [agentId, workspaceId]);
  const processes = await Promise.all(["P0", "P1", "P2"].map((name) => startProcess(db, name)));
  return {
    model: { jobs: [], over: new Set(), watchedSince: performance.now(), keeper: null },
    world: { db, workspaceId, agentId, processes },
  };
}

/** Lets all processes continue without further faults until no work is left. */
async function endAll(model: Model, world: World): Promise<void> {
  for (const process of world.processes) process.frozen = false;
  await advance(model, world, SETTLED_SECONDS, audit);
  for (const job of model.jobs.filter(({ state }) => state === "suspended")) {
    await answer(world, job.taskId);
    job.state = "queued";
  }
  for (const process of world.processes) await claimAll(model, world, process, 1_000);
  for (const { executions } of world.processes) {
    for (const execution of executions) await finishTask(world, execution);
  }
  const left = await sql(database.url, "select subject_id, state from jobs where workspace_id = $1", [
    world.workspaceId,
  ]);
  expect(left, "every job ends").toEqual([]);
}
