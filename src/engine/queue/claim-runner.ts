import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";
import type { OwnedJob } from "./lease.ts";
import type { Slots } from "./slots.ts";

/** Runs a claimed job in its slot; it calls `freeSlot` when the job ends. */
export type StartJob = (job: OwnedJob<never>, freeSlot: () => void) => void;

/** Executes claims and starts the jobs that they return. */
export interface ClaimRunner {
  /**
   * Executes a claim and starts the claimed jobs.
   * @param frees the slots taken for the claim; unused ones are freed, and jobs beyond them take another slot
   */
  run(claim: () => Promise<readonly ClaimedJob<never>[]>, frees: readonly (() => void)[]): Promise<number>;
  /** Whether a claim is in flight: its jobs are owned by this process but do not run yet. */
  isClaiming(): boolean;
}

/** Creates the claim runner of a process. */
export function createClaimRunner(slots: Slots, startJob: StartJob): ClaimRunner {
  let inFlight = 0;
  return {
    isClaiming: () => inFlight > 0,
    async run(claim, frees) {
      inFlight += 1;
      let used = 0;
      // The time before the claim counts: during the claim others may have presumed this process dead.
      const takenAt = performance.now();
      try {
        const jobs = await claim();
        for (const job of jobs) startJob({ ...job, takenAt }, frees[used++] ?? slots.take(job.kind, job.lane));
        return jobs.length;
      } finally {
        inFlight -= 1;
        for (const free of frees.slice(used)) free();
      }
    },
  };
}
