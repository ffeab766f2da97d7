import { endedAmong } from "#db/queries/runs.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { OwnershipLost } from "./event-writer.ts";
import type { EngineServices } from "./run-context.ts";

/** An execution that cannot go on. */
export interface Halted {
  /** The task's or the team run's id. */
  readonly id: string;
  readonly attempt: number;
  /** What stopped it. */
  readonly error: unknown;
  /** Fires when the run is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Ends an execution whose run was cancelled, or is another's now: how the run ends is not for this one to write.
 * Never returns while the process closes: the workflow must not end here, or nobody would take it.
 * @throws OwnershipLost when the run is not over: its workflow is not either, for who has the run now may die with it
 * @throws whatever else stopped the execution
 */
export async function yieldRun({ db, runs }: EngineServices, { error, signal, ...run }: Halted): Promise<void> {
  if (!(error instanceof OwnershipLost)) {
    if (signal.aborted) return;
    throw error;
  }
  if (runs.isClosing()) return new Promise(() => {});
  const ended = await retryOutage(() => endedAmong(db, [run]));
  if (ended.length === 0) throw error;
}
