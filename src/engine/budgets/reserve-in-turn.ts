import { setTimeout as sleep } from "node:timers/promises";
import type { BudgetCall, BudgetStanding, BudgetVerdict } from "#db/queries/budgets/budget-reservations.ts";
import { OwnershipLostError } from "../queue/ownership.ts";
import type { Budgets } from "../run/ports.ts";

const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 1_000;

/** A verdict on a call that neither waits nor belongs to an ended run. */
export type FinalVerdict = Exclude<BudgetVerdict, { readonly verdict: "wait" | "ended" }>;

/** Options of {@link reserveInTurn}. */
export interface TurnOptions {
  readonly signal: AbortSignal;
  /** Called once, when the call begins to wait, with the budget that has no room. */
  readonly onWait?: (standing: BudgetStanding) => void;
}

/**
 * Reserves a call's worst case in the budgets that apply. If it fits only after other calls have been charged,
 * waits for them.
 * @throws an AbortError when the signal aborts; OwnershipLostError when the run is no longer in progress
 */
export async function reserveInTurn(
  budgets: Budgets,
  call: BudgetCall,
  { signal, onWait }: TurnOptions,
): Promise<FinalVerdict> {
  for (let pause = FIRST_WAIT_MS, isFirst = true; ; isFirst = false) {
    const verdict = await budgets.reserve(call);
    if (verdict.verdict === "ended") throw new OwnershipLostError("The run is no longer in progress.");
    // A cancelled call is not sent, so it costs nothing.
    if (verdict.verdict === "granted" && signal.aborted) await budgets.free(call.id);
    signal.throwIfAborted();
    if (verdict.verdict !== "wait") return verdict;
    if (isFirst) onWait?.(verdict.standing);
    await sleep(pause, undefined, { signal });
    pause = Math.min(pause * 2, MAX_WAIT_MS);
    // If a run's process dies, its reservations stay open until the run continues in another process.
    if (pause === MAX_WAIT_MS) await budgets.chargeRemaining();
  }
}
