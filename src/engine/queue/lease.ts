import { ownedAmong } from "#db/queries/queue/jobs.ts";
import type { ClaimedJob, JobKey } from "#db/queries/queue/job-owner.ts";
import type { Database } from "#db/database.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { OwnershipLost } from "./ownership.ts";

/** A job that this process runs, and since when it believes that it owns it, by `performance.now()`. */
export interface OwnedJob<Input = unknown> extends ClaimedJob<Input> {
  readonly takenAt: number;
}

/** How sure this process is that no other one has presumed it dead. */
export interface Lease {
  /** Call it when the process has beaten: with the time before the beat, by `performance.now()`. */
  renew(beganAt: number): void;
  /**
   * Whether a job that was claimed then is still this process's, without a query. Not so after a freeze, or when the
   * database was away: a process that was silent for too long may have lost its jobs.
   */
  isValid(takenAt: number): boolean;
}

/** Creates the lease of a process that has not beaten yet. @param leaseMs after which silence others presume it dead */
export function createLease(leaseMs: number): Lease {
  // The rest of the lease is for what is done on the strength of it.
  const validMs = leaseMs / 2;
  let heardAt = -Infinity;
  let unbrokenSince = -Infinity;
  return {
    renew(beganAt) {
      // Until this beat others may have taken what it had, even what was claimed meanwhile.
      if (beganAt - heardAt >= validMs) unbrokenSince = performance.now();
      heardAt = beganAt;
    },
    isValid: (takenAt) => takenAt >= unbrokenSince && performance.now() - heardAt < validMs,
  };
}

/**
 * Call it right before a call that another process may have made already, if it took the job over.
 * @throws OwnershipLost when the execution does not own the job any more.
 */
export async function ensureOwner(
  { db, lease }: { readonly db: Database; readonly lease: Lease },
  job: JobKey & { readonly takenAt: number },
): Promise<void> {
  if (lease.isValid(job.takenAt)) return;
  const owned = await retryOutage(() => ownedAmong(db, [job]));
  if (owned.length === 0) throw new OwnershipLost(`The job of ${job.subjectId} has another owner.`);
}
