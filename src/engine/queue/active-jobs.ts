import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";
import { HandedOver } from "./ownership.ts";

/** The jobs that this process runs: which can be aborted, and whether they may continue. */
export interface ActiveJobs {
  /** Adds a job; its signal fires when it is aborted. Call the returned function at its end. */
  enter(job: ClaimedJob): { readonly signal: AbortSignal; readonly leave: () => void };
  /** Aborts a job, if this process runs it. */
  abort(jobId: string): void;
  /** Aborts all jobs: this process was presumed dead and has lost them. */
  abortAll(): void;
  /** All jobs of this process. */
  list(): readonly ClaimedJob[];
  /**
   * Does one step of a job.
   * @throws HandedOver once the process is closing: no further step begins then
   */
  step<T>(body: () => Promise<T>): Promise<T>;
  /** Waits for something at the close as for a step. */
  hold(work: Promise<unknown>): void;
  /** Whether the process is closing. */
  isClosing(): boolean;
  /** Waits for the steps in flight, at most for the grace period; returns the jobs that are left. */
  drain(graceMs: number): Promise<readonly ClaimedJob[]>;
}

const DRAIN_POLL_MS = 20;

/** Creates the register of a process's jobs. */
export function createActiveJobs(): ActiveJobs {
  const jobs = new Map<string, { readonly job: ClaimedJob; readonly controller: AbortController }>();
  let steps = 0;
  let closing = false;
  const list = () => [...jobs.values()].map(({ job }) => job);

  return {
    enter(job) {
      const entry = { job, controller: new AbortController() };
      jobs.set(job.jobId, entry);
      return {
        signal: entry.controller.signal,
        leave: () => {
          if (jobs.get(job.jobId) === entry) jobs.delete(job.jobId);
        },
      };
    },
    abort: (jobId) => jobs.get(jobId)?.controller.abort(),
    abortAll: () => jobs.forEach(({ controller }) => controller.abort()),
    list,
    async step(body) {
      if (closing) throw new HandedOver();
      steps += 1;
      try {
        return await body();
      } finally {
        steps -= 1;
      }
    },
    hold(work) {
      steps += 1;
      const leave = () => void (steps -= 1);
      work.then(leave, leave);
    },
    isClosing: () => closing,
    async drain(graceMs) {
      closing = true;
      const deadline = performance.now() + graceMs;
      while (steps > 0 && performance.now() < deadline) await sleep(DRAIN_POLL_MS);
      return list();
    },
  };
}
