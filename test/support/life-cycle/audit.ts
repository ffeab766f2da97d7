import { expect } from "vitest";
import type { JobOwner } from "#db/queries/queue/job-owner.ts";
import { Statement } from "#db/statement.ts";
import { LEASE_MS, owns } from "./world.ts";
import type { Model, ModelJob, World } from "./world.ts";

/** A death that every process could detect has been detected by then. */
const FOUND_MS = 10_000;

const JOBS = new Statement<JobRow>({
  name: "test-read-jobs",
  text: `
    select j.id as "jobId", j.subject_id as "subjectId", j.state, j.executor_id as "executorId", j.fence
    from jobs j where j.workspace_id = $1`,
});

interface JobRow extends JobOwner {
  readonly subjectId: string;
  readonly state: "queued" | "running" | "suspended";
}

/** Compares the jobs in the database with the model; jobs of silent processes may have been queued again. */
export async function audit(world: World, model: Model): Promise<void> {
  const rows = await world.db.query<JobRow>(JOBS, [world.workspaceId]);
  for (const job of model.jobs) {
    const row = rows.find(({ subjectId }) => subjectId === job.taskId);
    if (job.state === "running" && row?.state === "queued") noteTakeover(job);
    expect({ taskId: job.taskId, state: row?.state ?? "ended" }).toEqual({ taskId: job.taskId, state: job.state });
    if (job.owner !== null) expect(row).toMatchObject(job.owner);
    expectDeathFound(model, job);
  }
  expectSingleOwner(world, model);
}

/**
 * Only a process that was silent for a lease loses its jobs. One that beats again at this moment does so concurrently
 * with the process that has found it dead, which may come first.
 */
function noteTakeover(job: ModelJob): void {
  const { beatAt, silentMs } = job.process ?? { beatAt: 0, silentMs: 0 };
  const silence = performance.now() - beatAt || silentMs;
  expect(silence, "a living process has lost a job").toBeGreaterThanOrEqual(LEASE_MS);
  Object.assign(job, { state: "queued", owner: null, process: null });
}

function expectDeathFound({ watchedSince }: Model, { process }: ModelJob): void {
  if (process === null) return;
  const silentMs = performance.now() - Math.max(process.beatAt, watchedSince);
  expect(silentMs, `the silence of ${process.name} was not noticed`).toBeLessThanOrEqual(FOUND_MS);
}

/** A process with a valid lease that runs a job owns it, unless no process does. */
function expectSingleOwner({ processes }: World, model: Model): void {
  for (const { name, lease, executions } of processes) {
    for (const execution of executions) {
      if (model.over.has(execution) || !lease.isValid(execution.takenAt) || owns(model, execution)) continue;
      const job = model.jobs.find(({ owner }) => owner?.jobId === execution.jobId);
      expect(job?.owner ?? null, `${name} believes to own a job that another process runs`).toBeNull();
    }
  }
}
