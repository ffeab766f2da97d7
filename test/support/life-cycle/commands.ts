import fc from "fast-check";
import { expect } from "vitest";
import { claim, claimSuspects } from "#db/queries/queue/claim-jobs.ts";
import { enqueue, release } from "#db/queries/queue/jobs.ts";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";
import { openLog } from "#db/queries/streams/log-heads.ts";
import { insertTask } from "#db/queries/tasks/tasks.ts";
import type { OwnedJob } from "#engine/queue/lease.ts";
import { newId } from "#lib/ids.ts";
import { Statement } from "#db/statement.ts";
import { audit } from "./audit.ts";
import { advance, beatAll } from "./time.ts";
import { owns, startProcess, jobOf } from "./world.ts";
import type { Model, SimulatedProcess, World } from "./world.ts";
import { answer, appendEvent, cancelTask, finishTask, recordStep, startTask, suspendTask } from "./writes.ts";

type Command = fc.AsyncCommand<Model, World>;

const ANY_SUSPICION = { min: 1, max: 1_000 } as const;

/** A command by its name; `check` returns whether it is possible. */
function command(name: string, run: (model: Model, world: World) => Promise<void>, check?: (model: Model) => boolean) {
  return {
    check: (model: Readonly<Model>) => check?.(model) ?? true,
    async run(model: Model, world: World) {
      await run(model, world);
      await audit(world, model);
    },
    toString: () => name,
  } satisfies Command;
}

const awake = ({ processes }: World, index: number) => {
  const found = processes[index % processes.length];
  return found?.frozen === false ? found : undefined;
};

/** A process that may claim, as its slots would say. */
const claimant = (world: World, index: number) => {
  const found = awake(world, index);
  return found?.lease.isValid(performance.now()) === true ? found : undefined;
};

/** Takes a job for a process, in the model as well. */
export function take(model: Model, process: SimulatedProcess, job: ClaimedJob<never>): void {
  const known = jobOf(model, job.subjectId);
  expect(known, "only a job that waits is claimed").toMatchObject({ state: "queued" });
  Object.assign(known, { state: "running", owner: ownerOf(job), process });
  process.executions.push({ ...job, takenAt: performance.now() });
}

function ownerOf({ jobId, executorId, fence }: ClaimedJob) {
  return { jobId, executorId, fence };
}

/** Creates a task; with a process, its job is claimed immediately. */
async function create(model: Model, world: World, process: SimulatedProcess | undefined): Promise<void> {
  const taskId = newId();
  const made = await world.db.transaction(async (tx) => {
    const task = { id: taskId, workspace_id: world.workspaceId, title: "Work", description: "", priority: "medium" };
    await insertTask(tx, {
      source: { kind: "api", id: null },
      ...task,
      status: "dispatched",
      assigned_agent_id: world.agentId,
      metadata: "{}",
      scheduled_for: null,
      trace: null,
      created_by: null,
    });
    await openLog(tx, taskId);
    const executorId = process?.membership.executorId() ?? null;
    return enqueue(tx, { kind: "task", subjectId: taskId, lane: world.workspaceId, executorId });
  });
  model.jobs.push({ taskId, state: "queued", owner: null, process: null });
  if (process === undefined) return expect(made).toBe("queued");
  if (made === undefined || made === "queued") throw new Error("A job that was created for a process is claimed.");
  take(model, process, made);
}

/** Claims what waits, also what a process has died of; returns how many. */
export async function claimAll(model: Model, world: World, process: SimulatedProcess, limit: number): Promise<number> {
  const of = { kind: "task", executorId: process.membership.executorId(), limit } as const;
  const [usual = []] = await claim(world.db, of.executorId, [{ kind: of.kind, lane: world.workspaceId, limit }]);
  for (const job of usual) take(model, process, job);
  const suspects = await claimSuspects(world.db, of.executorId, { ...ANY_SUSPICION, limit });
  for (const job of suspects) take(model, process, job);
  return usual.length + suspects.length;
}

type Write = (model: Model, world: World, execution: OwnedJob) => Promise<void>;

/** A write is accepted when and only when its execution owns the job. */
const guarded =
  (write: (world: World, execution: OwnedJob) => Promise<boolean>): Write =>
  async (model, world, execution) =>
    expect(await write(world, execution), "the owner's write, and no other, is accepted").toBe(owns(model, execution));

/** The same of a write that ends the execution. */
const ending =
  (write: (world: World, execution: OwnedJob) => Promise<boolean>, state: "queued" | "suspended" | "ended"): Write =>
  async (model, world, execution) => {
    const isOwner = owns(model, execution);
    expect(await write(world, execution), "the owner's write, and no other, is accepted").toBe(isOwner);
    model.over.add(execution);
    if (isOwner) Object.assign(jobOf(model, execution.subjectId), { state, owner: null, process: null });
  };

async function releaseJob(world: World, execution: OwnedJob): Promise<boolean> {
  const before = await world.db.query<{ n: number }>(OWNED, [execution.jobId, execution.executorId, execution.fence]);
  await release(world.db, [execution]);
  return before.length === 1;
}

const OWNED = new Statement<{ n: number }>({
  name: "test-owned",
  text: `select 1 as n from jobs where id = $1 and executor_id = $2 and fence = $3`,
});

const WRITES: Readonly<Record<string, Write>> = {
  start: guarded(startTask),
  append: guarded(appendEvent),
  record: guarded(recordStep),
  suspend: ending(suspendTask, "suspended"),
  finish: ending(finishTask, "ended"),
  release: ending(releaseJob, "queued"),
};

/** Cancels a task. */
async function cancel(model: Model, world: World, n: number): Promise<void> {
  const job = model.jobs[n % model.jobs.length];
  if (job === undefined) return;
  expect(await cancelTask(world, job.taskId), "what has not ended can be cancelled").toBe(job.state !== "ended");
  Object.assign(job, { state: "ended", owner: null, process: null });
}

/** Cancels a task while all its executions end it: one write is accepted, and none of a stale execution. */
async function endAtOnce(model: Model, world: World, n: number): Promise<void> {
  const job = model.jobs[n % model.jobs.length];
  if (job === undefined || job.state === "ended") return;
  const runners = world.processes.flatMap(({ executions }) => executions.filter((e) => e.subjectId === job.taskId));
  const [isCancelled, ...finished] = await Promise.all([
    cancelTask(world, job.taskId),
    ...runners.map((execution) => finishTask(world, execution)),
  ]);
  expect([isCancelled, ...finished].filter(Boolean), "one end of several is accepted").toHaveLength(1);
  for (const execution of runners) model.over.add(execution);
  const winner = runners[finished.indexOf(true)];
  if (winner !== undefined) expect(owns(model, winner), "the end of a stale execution was accepted").toBe(true);
  Object.assign(job, { state: "ended", owner: null, process: null });
}

async function claimTogether(model: Model, world: World, limit: number): Promise<void> {
  const claimants = world.processes.flatMap((_, index) => claimant(world, index) ?? []);
  await Promise.all(claimants.map((process) => claimAll(model, world, process, limit)));
}

/** Ends a process without a word, and starts another one in its place. */
async function kill(world: World, index: number): Promise<void> {
  const at = index % world.processes.length;
  world.processes[at] = await startProcess(world.db, `P${at}`);
}

const process = fc.nat({ max: 2 });
const nth = fc.nat({ max: 30 });
const hasJobs = (model: Model) => model.jobs.length > 0;

/** Any command. */
export const commands: fc.Arbitrary<Command>[] = [
  fc
    .nat({ max: 3 })
    .map((p) =>
      command(`create(${p === 3 ? "queued" : p})`, (model, world) =>
        create(model, world, p === 3 ? undefined : claimant(world, p)),
      ),
    ),
  fc.tuple(process, fc.integer({ min: 1, max: 3 })).map(([p, limit]) =>
    command(`claim(${p}, ${limit})`, async (model, world) => {
      const process = claimant(world, p);
      if (process !== undefined) await claimAll(model, world, process, limit);
    }),
  ),
  fc
    .integer({ min: 1, max: 2 })
    .map((limit) => command(`claimTogether(${limit})`, (model, world) => claimTogether(model, world, limit), hasJobs)),
  fc.tuple(fc.constantFrom(...Object.entries(WRITES)), process, nth).map(([[name, write], p, n]) =>
    command(`${name}(${p}, ${n})`, async (model, world) => {
      const executions = awake(world, p)?.executions ?? [];
      const execution = executions[n % executions.length];
      if (execution !== undefined) await write(model, world, execution);
    }),
  ),
  nth.map((n) =>
    command(
      `answer(${n})`,
      async (model, world) => {
        const suspended = model.jobs.filter(({ state }) => state === "suspended");
        const job = suspended[n % suspended.length];
        if (job === undefined) return;
        await answer(world, job.taskId);
        job.state = "queued";
      },
      ({ jobs }) => jobs.some(({ state }) => state === "suspended"),
    ),
  ),
  nth.map((n) => command(`cancel(${n})`, (model, world) => cancel(model, world, n), hasJobs)),
  nth.map((n) => command(`endAtOnce(${n})`, (model, world) => endAtOnce(model, world, n), hasJobs)),
  process.map((p) =>
    command(`freeze(${p})`, async (_, { processes }) => void Object.assign(processes[p] ?? {}, { frozen: true })),
  ),
  process.map((p) =>
    command(`thaw(${p})`, async (_, { processes }) => void Object.assign(processes[p] ?? {}, { frozen: false })),
  ),
  process.map((p) => command(`kill(${p})`, (_, world) => kill(world, p))),
  fc
    .integer({ min: 1, max: 8 })
    .map((seconds) => command(`pass(${seconds} s)`, (model, world) => advance(model, world, seconds, audit))),
  fc.constant(command("beat", beatAll)),
];
