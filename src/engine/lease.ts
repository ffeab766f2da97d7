import { ownsRun } from "#db/queries/runs.ts";
import type { RunKey } from "#db/queries/runs.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { OwnershipLost } from "./event-writer.ts";
import type { EngineServices } from "./run-context.ts";

/** A process that was silent for so long is taken for dead by the others, in milliseconds. */
export const LEASE_MS = 5_000;
/** From then on it is no longer sure; the rest is for what is done on the strength of it. */
const SURE_MS = LEASE_MS / 2;

/** How sure this process is that nobody has taken it for dead. */
export interface Lease {
  /** Call it when others have heard of this process: with the time before it spoke, by `performance.now()`. */
  renew(spokeAt: number): void;
  /** Whether its runs are its own without asking. Not so after a freeze, or when the database was away. */
  isSure(): boolean;
}

/** Makes the lease of a process that has not been heard yet. */
export function createLease(): Lease {
  let heardAt = -Infinity;
  return {
    renew(spokeAt) {
      heardAt = spokeAt;
    },
    isSure: () => performance.now() - heardAt < SURE_MS,
  };
}

/**
 * Call it right before something is done outside that another process may have done already, had it taken the run over.
 * @throws OwnershipLost when the execution does not own the run any more.
 */
export async function ensureOwner({ db, lease }: EngineServices, run: RunKey): Promise<void> {
  if (lease.isSure()) return;
  if (!(await retryOutage(() => ownsRun(db, run)))) throw new OwnershipLost(`Run ${run.taskId} has another owner.`);
}
