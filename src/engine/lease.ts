import { ownsRun } from "#db/queries/runs.ts";
import type { RunKey } from "#db/queries/runs.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { OwnershipLost } from "./event-writer.ts";
import type { EngineServices } from "./run-context.ts";

/** A process that was silent for so long is taken for dead by the others, in milliseconds. */
export const LEASE_MS = 5_000;
/** From then on it is no longer sure; the rest is for what is done on the strength of it. */
const SURE_MS = LEASE_MS / 2;

/** A run, and since when this process believes that it owns it, by `performance.now()`. */
export interface TakenRun extends RunKey {
  readonly takenAt: number;
}

/** How sure this process is that nobody has taken it for dead. */
export interface Lease {
  /** Call it when others have heard of this process: with the time before it spoke, by `performance.now()`. */
  renew(spokeAt: number): void;
  /**
   * Whether a run that was taken then is still this process's, without asking. Not so after a freeze, or when the
   * database was away: whoever was silent for too long may have lost all runs that it had.
   */
  isSure(takenAt: number): boolean;
  /**
   * Whether the silence of others says that they are dead: not when it was not heard itself for a while just now. Then
   * the database was away or this process asleep or not yet begun, and the others may have yet to speak.
   */
  mayJudge(): boolean;
}

/** Makes the lease of a process that has not been heard yet. */
export function createLease(): Lease {
  let heardAt = -Infinity;
  let unbrokenSince = -Infinity;
  let renewedAt = -Infinity;
  let judgesFrom = -Infinity;
  return {
    renew(spokeAt) {
      const now = performance.now();
      if (now - renewedAt >= SURE_MS) judgesFrom = now + LEASE_MS;
      renewedAt = now;
      // Until it was heard, others may have taken what it had, even if it was taken while it spoke.
      if (spokeAt - heardAt >= SURE_MS) unbrokenSince = now;
      heardAt = spokeAt;
    },
    isSure: (takenAt) => takenAt >= unbrokenSince && performance.now() - heardAt < SURE_MS,
    mayJudge: () => performance.now() >= judgesFrom,
  };
}

/**
 * Call it right before something is done outside that another process may have done already, had it taken the run over.
 * @throws OwnershipLost when the execution does not own the run any more.
 */
export async function ensureOwner({ db, lease }: EngineServices, run: TakenRun): Promise<void> {
  if (lease.isSure(run.takenAt)) return;
  if (!(await retryOutage(() => ownsRun(db, run)))) throw new OwnershipLost(`Run ${run.taskId} has another owner.`);
}
