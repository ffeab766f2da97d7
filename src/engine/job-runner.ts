import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { holdAtGate } from "#db/queries/queue/model-gates.ts";
import { release } from "#db/queries/queue/jobs.ts";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";
import type { Release } from "#db/queries/queue/jobs.ts";
import { JOB_KINDS } from "./kinds/gen/registry.ts";
import type { EngineServices } from "./run/run-context.ts";
import type { Observation, Observe } from "#domain/observation.ts";
import { createdAt } from "#lib/ids.ts";
import type { ActiveJobs } from "./queue/active-jobs.ts";
import type { OwnedJob } from "./queue/lease.ts";
import { HandedOverError, HeldError, OwnershipLostError } from "./queue/ownership.ts";
import type { EventBus } from "#operations/ports.ts";

/** The outcome in the observation `job_ended`. */
type Outcome = Extract<Observation, { type: "job_ended" }>["outcome"];

/** The delay before a job is retried whose execution failed without an end, in milliseconds. */
const RETRY_DELAY_MS = 2_000;

/** Dependencies of {@link createJobRunner}. */
export interface JobRunnerOptions {
  readonly db: Database;
  readonly bus: EventBus;
  readonly jobs: ActiveJobs;
  readonly services: () => EngineServices;
  readonly log: Logger;
  readonly observe: Observe;
}

/**
 * Creates a runner of claimed jobs: calls the handler of the job's kind, and releases the job if the handler leaves it
 * without an end.
 */
export function createJobRunner({ db, bus, jobs, services, log, observe }: JobRunnerOptions) {
  async function handle(job: OwnedJob<never>, signal: AbortSignal): Promise<void> {
    const kind = JOB_KINDS.find(({ name }) => name === job.kind);
    if (kind === undefined) throw new Error(`There is no kind of jobs "${job.kind}".`);
    await kind.run(services(), { job, bus, signal });
  }

  async function giveBack(job: ClaimedJob, why?: Release): Promise<void> {
    await release(db, [job], why);
  }

  /** Releases a job without an end for another execution; returns how this one ended. */
  async function leaveUnfinished(job: ClaimedJob, error: unknown, signal: AbortSignal): Promise<Outcome> {
    if (error instanceof HeldError) {
      await holdAtGate(db, job, error.waitMs);
      return "released";
    }
    if (error instanceof HandedOverError) {
      await giveBack(job);
      return "released";
    }
    if (error instanceof OwnershipLostError || signal.aborted) return "released";
    log.error(
      { err: error, jobId: job.jobId, subjectId: job.subjectId, workspaceId: job.workspaceId },
      "an execution failed; its job is tried again",
    );
    await giveBack(job, { isCrash: true, delayMs: RETRY_DELAY_MS });
    return "failed";
  }

  return async (job: OwnedJob<never>): Promise<void> => {
    const { signal, leave } = jobs.enter(job);
    const { kind, jobId, subjectId, workspaceId, attempt, fence } = job;
    const begun = performance.now();
    const facts = { kind, subject_id: subjectId, workspace_id: workspaceId, attempt };
    let outcome: Outcome = "done";
    observe({ type: "job_started", kind, delayMs: fence === 1 ? Date.now() - createdAt(jobId) : undefined });
    log.info({ ...facts, ...(fence > 1 && { execution: fence }) }, fence === 1 ? "job started" : "job resumed");
    try {
      await handle(job, signal);
    } catch (error) {
      outcome = await leaveUnfinished(job, error, signal).catch((failure: unknown) => {
        log.warn({ err: failure }, "could not release a job");
        return "released" as const;
      });
    } finally {
      const durationMs = performance.now() - begun;
      observe({ type: "job_ended", kind, outcome, durationMs });
      log.info({ ...facts, outcome, duration_ms: Math.round(durationMs) }, "job execution ended");
      leave();
    }
  };
}
