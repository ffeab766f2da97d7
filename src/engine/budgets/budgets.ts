import { LRUCache } from "lru-cache";
import type { Database } from "#db/database.ts";
import {
  budgetTargets,
  extendBudget,
  reserveBudgets,
  chargeRemainingReservations,
  chargeReservationsOf,
  freeReservation,
  noteCall,
  recordInterrupted,
} from "#db/queries/budgets/budget-reservations.ts";
import type {
  BudgetCall,
  BudgetStanding,
  BudgetVerdict,
  InterruptedUsage,
} from "#db/queries/budgets/budget-reservations.ts";
import type { JobKey, JobOwner } from "#db/queries/queue/job-owner.ts";
import { retryOutage, undefinedAtLock } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/async/batcher.ts";

/** Calls that arrive within this time are checked in one statement, in milliseconds. */
const RESERVE_INTERVAL_MS = 2;
const MAX_BATCH = 200;
/** How many workspaces' budget scopes are cached. */
const MAX_CACHED_WORKSPACES = 1_000;
/** How long a cached scope is valid if the notification of a change is lost, in milliseconds. */
const CACHE_TTL_MS = 30_000;

/** The budgets of all workspaces, as used by the runs of this process. */
export interface Budgets {
  /** Whether any budget may apply to a call with this billing target. Usually answered from memory. */
  mayApply(workspaceId: string, targets: readonly string[]): Promise<boolean>;
  /** Reserves a call's worst case in all budgets that apply, or returns the budget that it would exceed. */
  reserve(call: BudgetCall): Promise<BudgetVerdict>;
  /** Notes a call that no budget applies to, so that it is recorded if this process dies. */
  note(owner: JobOwner, call: BudgetCall): Promise<void>;
  /** Ends the reservation of a call that cost nothing. */
  free(id: string): Promise<void>;
  /** Records an interrupted call, and charges its reservation. */
  interrupt(usage: InterruptedUsage): Promise<void>;
  /** Charges the full reservations of earlier executions of an attempt. */
  chargeOf(run: JobKey): Promise<void>;
  /** Charges the reservations of runs that no process owns. */
  chargeRemaining(): Promise<void>;
  /** Raises a budget by the amount that a person approved, once per answer. */
  extend(standing: BudgetStanding, approved: { readonly call: BudgetCall; readonly answer: string }): Promise<void>;
  /** Drops a workspace's cached scopes after a change of its budgets. */
  invalidate(workspaceId: string): void;
}

interface Known {
  readonly readAt: number;
  readonly targets: Promise<ReadonlySet<string | null>>;
}

/** Creates the budgets of a process. */
export function createBudgets(db: Database): Budgets {
  const known = new LRUCache<string, Known>({ max: MAX_CACHED_WORKSPACES });
  const reserve = createBatcher({
    intervalMs: RESERVE_INTERVAL_MS,
    maxBatch: MAX_BATCH,
    async write(calls: readonly BudgetCall[]): Promise<readonly (BudgetVerdict | Promise<BudgetVerdict>)[]> {
      const verdicts = await retryOutage(() => reserveBudgets(db, calls).catch(undefinedAtLock));
      // A lock on one workspace's budget delays only its own calls.
      return verdicts ?? calls.map((call) => retryOutage(() => reserveOne(db, call)));
    },
  });

  function targetsOf(workspaceId: string): Promise<ReadonlySet<string | null>> {
    const kept = known.get(workspaceId);
    if (kept !== undefined && Date.now() - kept.readAt < CACHE_TTL_MS) return kept.targets;
    // Cached before the query, so that a change during the query still invalidates it.
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
    note: (owner, call) => retryOutage(() => noteCall(db, owner, call)),
    free: (id) => retryOutage(() => freeReservation(db, id)),
    interrupt: (usage) => retryOutage(() => recordInterrupted(db, usage)),
    chargeOf: (run) => retryOutage(() => chargeReservationsOf(db, run)),
    // A call that waits for a reservation tries again soon.
    chargeRemaining: () => retryOutage(() => chargeRemainingReservations(db).catch(undefinedAtLock)),
    extend: (standing, approved) => retryOutage(() => extendBudget(db, standing, approved)),
    invalidate: (workspaceId) => known.delete(workspaceId),
  };
}

async function reserveOne(db: Database, call: BudgetCall): Promise<BudgetVerdict> {
  const [verdict] = await reserveBudgets(db, [call]);
  if (verdict === undefined) throw new Error("A reservation has a verdict.");
  return verdict;
}
