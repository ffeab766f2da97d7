import { LRUCache } from "lru-cache";
import type { Database } from "#db/database.ts";
import {
  budgetTargets,
  extendBudget,
  reserveBudgets,
  chargeRemainingReservations,
  chargeReservation,
  chargeReservationsOf,
} from "#db/queries/budgets/budget-reservations.ts";
import type { BudgetCall, BudgetStanding, BudgetVerdict } from "#db/queries/budgets/budget-reservations.ts";
import type { JobKey } from "#db/queries/queue/job-owner.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/async/batcher.ts";

/** Calls that are judged within this time share a statement, in milliseconds. */
const RESERVE_INTERVAL_MS = 2;
const MAX_BATCH = 200;
/** Workspaces of which it is remembered what their budgets are for. */
const MAX_CACHED_WORKSPACES = 1_000;
/** How long that is trusted, should the notice of a change be lost, in milliseconds. */
const CACHE_TTL_MS = 30_000;

/** The budgets of all workspaces as the runs of this process meet them. */
export interface Budgets {
  /** Whether a budget may apply to a call that these pay for. Known without asking the database, mostly. */
  mayApply(workspaceId: string, targets: readonly string[]): Promise<boolean>;
  /** Reserves a call's worst case in all budgets that apply to it, or says why not. */
  reserve(call: BudgetCall): Promise<BudgetVerdict>;
  /** Ends the reservation of a call that gave no answer; without a charge its worst case counts. */
  allSettledOrThrow(id: string, charge?: { readonly usd: number; readonly tokens: number }): Promise<void>;
  /** Ends in full what earlier executions of an attempt have reserved. */
  chargeOf(run: JobKey): Promise<void>;
  /** Ends the reservations of runs that no process owns. */
  chargeRemaining(): Promise<void>;
  /** Raises a budget by what a person has approved, once for each answer. */
  extend(standing: BudgetStanding, approved: { readonly call: BudgetCall; readonly answer: string }): Promise<void>;
  /** Forgets what a workspace's budgets are for: they were changed. */
  forget(workspaceId: string): void;
}

interface Known {
  readonly readAt: number;
  readonly targets: Promise<ReadonlySet<string | null>>;
}

/** Makes the process's view of budgets. */
export function createBudgets(db: Database): Budgets {
  const known = new LRUCache<string, Known>({ max: MAX_CACHED_WORKSPACES });
  const reserve = createBatcher({
    intervalMs: RESERVE_INTERVAL_MS,
    maxBatch: MAX_BATCH,
    write: (calls: readonly BudgetCall[]) => retryOutage(() => reserveBudgets(db, calls)),
  });

  function targetsOf(workspaceId: string): Promise<ReadonlySet<string | null>> {
    const kept = known.get(workspaceId);
    if (kept !== undefined && Date.now() - kept.readAt < CACHE_TTL_MS) return kept.targets;
    // Remembered before it is read, so that a change in between is not forgotten.
    const targets = retryOutage(() => budgetTargets(db, workspaceId)).then((ids) => new Set(ids));
    known.set(workspaceId, { readAt: Date.now(), targets });
    targets.catch(() => known.delete(workspaceId));
    return targets;
  }

  return {
    async mayApply(workspaceId, targets) {
      const budgeted = await targetsOf(workspaceId);
      return budgeted.has(null) || targets.some((id) => budgeted.has(id));
    },
    reserve,
    allSettledOrThrow: (id, charge) => retryOutage(() => chargeReservation(db, id, charge)),
    chargeOf: (run) => retryOutage(() => chargeReservationsOf(db, run)),
    chargeRemaining: () => retryOutage(() => chargeRemainingReservations(db)),
    extend: (standing, approved) => retryOutage(() => extendBudget(db, standing, approved)),
    forget: (workspaceId) => known.delete(workspaceId),
  };
}
