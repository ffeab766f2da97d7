import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedJob, JobOwner } from "#db/queries/queue/job-owner.ts";
import { HandedOverError } from "./ownership.ts";

/** The jobs that this process runs: which can be aborted, and whether they may continue. */
export interface ActiveJobs {
  /** Adds a job and returns a function to remove it; the job's signal aborts with {@link abort}. */
  enter(job: ClaimedJob): { readonly signal: AbortSignal; readonly leave: () => void };
  /** Aborts a job, if this process runs it. */
  abort(jobId: string): void;
  /** Aborts this execution of a job, but not a later one. */
  abortExecution(job: JobOwner): void;
  /** Aborts all jobs: this process was presumed dead and has lost them. */
  abortAll(): void;
  /** Call it when a job has passed a step after a death: it is no suspect any more. */
  clear(job: JobOwner): void;
  /** The number of suspects that this process runs. */
  suspects(): number;
  /** All jobs of this process. */
  list(): readonly ClaimedJob[];
  /**
   * Runs one step of a job.
   * @throws HandedOverError when the process is closing, before the step begins
   */
  step<T>(body: () => Promise<T>): Promise<T>;
  /** Makes a closing process wait for this promise as for a step. */
  hold(work: Promise<unknown>): void;
  /** Whether the process is closing. */
  isClosing(): boolean;
  /** Waits for the steps in flight and for what is held, at most for the grace period; returns the jobs that still run. */
  drain(graceMs: number): Promise<readonly ClaimedJob[]>;
}

const DRAIN_POLL_MS = 20;

interface Entry {
  readonly job: ClaimedJob;
  readonly controller: AbortController;
  isSuspect: boolean;
}

/** Creates the register of a process's active jobs. */
export function createActiveJobs(): ActiveJobs {
  const jobs = new Map<string, Entry>();
  let steps = 0;
  let closing = false;
  const list = () => [...jobs.values()].map(({ job }) => job);

  return {
    enter(job) {
      const entry: Entry = { job, controller: new AbortController(), isSuspect: job.suspicion > 0 };
      jobs.set(job.jobId, entry);
      return {
        signal: entry.controller.signal,
        leave: () => {
          if (jobs.get(job.jobId) === entry) jobs.delete(job.jobId);
        },
      };
    },
    abort: (jobId) => jobs.get(jobId)?.controller.abort(),
    abortExecution({ jobId, fence }) {
      const entry = jobs.get(jobId);
      if (entry?.job.fence === fence) entry.controller.abort();
    },
    clear({ jobId }) {
      const entry = jobs.get(jobId);
      if (entry !== undefined) entry.isSuspect = false;
    },
    suspects: () => [...jobs.values()].filter(({ isSuspect }) => isSuspect).length,
    abortAll: () => jobs.forEach(({ controller }) => controller.abort()),
    list,
    async step(body) {
      if (closing) throw new HandedOverError();
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
