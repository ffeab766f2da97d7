import { ownedAmong } from "#db/queries/queue/jobs.ts";
import type { ClaimedJob, JobKey, PlacedJob } from "#db/queries/queue/job-owner.ts";
import type { Database } from "#db/database.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { OwnershipLostError } from "./ownership.ts";

/** A job that this process runs, and the time of its claim by `performance.now()`. */
export interface OwnedJob<Input = unknown> extends ClaimedJob<Input>, Pick<PlacedJob, "opening"> {
  readonly takenAt: number;
}

/** Whether other processes may have presumed this process dead. */
export interface Lease {
  /** Call it after a beat, with the time before the beat by `performance.now()`. */
  renew(beganAt: number): void;
  /**
   * Whether a job claimed at that time surely still belongs to this process, without a query. False after a freeze or a
   * database outage: a process without beats may have lost its jobs.
   */
  isValid(takenAt: number): boolean;
  /**
   * Whether what the database answered to a query sent at that time, by `performance.now()`, surely still holds: no
   * process can have been presumed dead since.
   */
  isRecent(sentAt: number): boolean;
}

/**
 * Creates the lease of a process that has not beaten yet. @param leaseMs others presume the process dead after this
 * time without a beat
 */
export function createLease(leaseMs: number): Lease {
  // The rest of the lease is a margin for the work started because of it.
  const validMs = leaseMs / 2;
  let heardAt = -Infinity;
  let unbrokenSince = -Infinity;
  return {
    renew(beganAt) {
      // Before this beat, others may have recovered its jobs, including those claimed meanwhile.
      if (beganAt - heardAt >= validMs) unbrokenSince = performance.now();
      heardAt = beganAt;
    },
    isValid: (takenAt) => takenAt >= unbrokenSince && performance.now() - heardAt < validMs,
    isRecent: (sentAt) => performance.now() - sentAt < validMs,
  };
}

/**
 * Call it right before a call that another process may have made already after a takeover.
 * @throws OwnershipLostError when the execution no longer owns the job
 */
export async function ensureOwner(
  { db, lease }: { readonly db: Pick<Database, "ownership">; readonly lease: Lease },
  job: JobKey & { readonly takenAt: number },
): Promise<void> {
  while (!lease.isValid(job.takenAt)) {
    const sentAt = performance.now();
    const owned = await retryOutage(() => ownedAmong(db.ownership, [job]));
    if (owned.length === 0) throw new OwnershipLostError(`The job of ${job.subjectId} has another owner.`);
    // A process that was frozen while it waited reads an answer from before the freeze.
    if (lease.isRecent(sentAt)) return;
  }
}
