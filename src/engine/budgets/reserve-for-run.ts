import type { BudgetCall } from "#db/queries/budgets/budget-reservations.ts";
import type { EngineServices, Run, UntimedEvent } from "../run/run-context.ts";
import { describeBreach } from "./budget-breach.ts";
import { reserveInTurn } from "./reserve-in-turn.ts";
import type { FinalVerdict } from "./reserve-in-turn.ts";

/** A run's model call whose worst case is to be reserved. */
export interface RunCall {
  /** The key of the step that makes the call. */
  readonly step: string;
  readonly model: string;
  readonly call: BudgetCall;
}

/**
 * Reserves a model call's worst case, and informs stream readers when the call begins to wait for budgets, why, and
 * when it no longer does. @throws as reserveInTurn
 */
export async function reserveForRun(
  { budgets }: Pick<EngineServices, "budgets">,
  run: Run,
  { step, model, call }: RunCall,
): Promise<FinalVerdict> {
  // An execution that has lost its job finds out when it records the step.
  const announce = (event: UntimedEvent) => run.emit(event).catch(() => undefined);
  let hasWaited = false;
  try {
    return await reserveInTurn(budgets, call, {
      signal: run.signal,
      onWait(standing) {
        hasWaited = true;
        const value = { step, model, budget_id: standing.id, message: describeBreach(standing, call) };
        void announce({ type: "CUSTOM", name: "budget_wait", value });
      },
    });
  } finally {
    if (hasWaited) void announce({ type: "CUSTOM", name: "budget_wait_over", value: { step } });
  }
}
