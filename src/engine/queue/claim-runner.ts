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

/** Dependencies of {@link createClaimRunner}. */
export interface ClaimRunnerOptions {
  readonly slots: Slots;
  readonly startJob: StartJob;
  /** Makes a closing process wait for a claim, so that it hands over the claimed jobs. */
  readonly hold: (claim: Promise<unknown>) => void;
}

/** Creates the claim runner of a process. */
export function createClaimRunner({ slots, startJob, hold }: ClaimRunnerOptions): ClaimRunner {
  let inFlight = 0;

  async function run(...[claim, frees]: Parameters<ClaimRunner["run"]>): Promise<number> {
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
  }

  return {
    isClaiming: () => inFlight > 0,
    run(claim, frees) {
      const claimed = run(claim, frees);
      hold(claimed);
      return claimed;
    },
  };
}
