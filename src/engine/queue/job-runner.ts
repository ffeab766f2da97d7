import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { release } from "#db/queries/queue/jobs.ts";
import type { ClaimedJob, Release } from "#db/queries/queue/jobs.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { EventBus } from "#operations/streams/event-bus.ts";
import { JOB_KINDS } from "../kinds/registry.ts";
import type { EngineServices } from "../run/run-context.ts";
import type { ActiveJobs } from "./active-jobs.ts";
import type { OwnedJob } from "./lease.ts";
import { HandedOver, OwnershipLost } from "./ownership.ts";
import type { Trials } from "./trials.ts";

/** Before a job is tried again whose execution has failed without an end, in milliseconds. */
const RETRY_DELAY_MS = 2_000;

/** What {@link createJobRunner} needs. */
export interface JobRunnerOptions {
  readonly db: Database;
  readonly bus: EventBus;
  readonly jobs: ActiveJobs;
  readonly trials: Trials;
  readonly services: () => EngineServices;
  readonly log: Logger;
}

/** Creates what runs a claimed job by the handler of its kind, and releases it when the handler leaves it without an end. */
export function createJobRunner({ db, bus, jobs, trials, services, log }: JobRunnerOptions) {
  async function handle(job: OwnedJob<never>, signal: AbortSignal): Promise<void> {
    const kind = JOB_KINDS.find(({ name }) => name === job.kind);
    if (kind === undefined) throw new Error(`There is no kind of jobs "${job.kind}".`);
    await kind.run(services(), { job, bus, signal });
  }

  async function giveBack(job: ClaimedJob, why?: Release): Promise<void> {
    await retryOutage(() => release(db, [job], why));
  }

  async function allSettledOrThrow(job: ClaimedJob, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof HandedOver) return giveBack(job);
    if (error instanceof OwnershipLost || signal.aborted) return;
    log.error(
      { err: error, jobId: job.jobId, subjectId: job.subjectId },
      "an execution failed; its job is tried again",
    );
    await giveBack(job, { isCrash: true, delayMs: RETRY_DELAY_MS });
  }

  return async (job: OwnedJob<never>): Promise<void> => {
    const { signal, leave } = jobs.enter(job);
    try {
      await handle(job, signal);
    } catch (error) {
      await allSettledOrThrow(job, error, signal).catch((fault: unknown) =>
        log.warn({ err: fault }, "could not release a job"),
      );
    } finally {
      leave();
      trials.end(job.jobId, false);
    }
  };
}
