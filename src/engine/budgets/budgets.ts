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
  recordLost,
} from "#db/queries/budgets/budget-reservations.ts";
import type { BudgetCall, BudgetVerdict } from "#db/queries/budgets/budget-reservations.ts";
import { outlastOutages } from "#db/outlast-outages.ts";
import { retryOutage, undefinedAtLock } from "#db/retry-outage.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import { createBatcher } from "#lib/async/batcher.ts";
import type { Budgets } from "../run/ports.ts";

/** Calls that arrive within this time are checked in one statement, in milliseconds. */
const RESERVE_INTERVAL_MS = 2;
const MAX_BATCH = 200;
/** How many workspaces' budget scopes are cached. */
const MAX_CACHED_WORKSPACES = 1_000;

/** Creates the budgets of a process. */
export function createBudgets(database: Database): Budgets {
  const db = outlastOutages(database);
  const known = cachedRead(MAX_CACHED_WORKSPACES, async (workspaceId) => {
    return new Set(await budgetTargets(db, workspaceId));
  });
  const reserve = createBatcher({
    intervalMs: RESERVE_INTERVAL_MS,
    maxBatch: MAX_BATCH,
    async write(calls: readonly BudgetCall[]): Promise<readonly (BudgetVerdict | Promise<BudgetVerdict>)[]> {
      const verdicts = await retryOutage(() => reserveBudgets(database, calls).catch(undefinedAtLock));
      // A lock on one workspace's budget delays only its own calls.
      return verdicts ?? calls.map((call) => reserveOne(db, call));
    },
  });

  return {
    async mayApply(workspaceId, targets) {
      const budgeted = await known.read(workspaceId);
      return budgeted.has(null) || targets.some((id) => budgeted.has(id));
    },
    reserve,
    note: (owner, call) => noteCall(db, owner, call),
    free: (id) => freeReservation(db, id),
    interrupt: (usage) => recordInterrupted(db, usage),
    recordLost: (run, lost) => recordLost(db, run, lost),
    chargeOf: (run) => chargeReservationsOf(db, run),
    // A call that waits for a reservation tries again soon.
    chargeRemaining: () => retryOutage(() => chargeRemainingReservations(database).catch(undefinedAtLock)),
    extend: (standing, approved) => extendBudget(db, standing, approved),
    invalidate: known.evict,
  };
}

async function reserveOne(db: Database, call: BudgetCall): Promise<BudgetVerdict> {
  const [verdict] = await reserveBudgets(db, [call]);
  if (verdict === undefined) throw new Error("A reservation has a verdict.");
  return verdict;
}
