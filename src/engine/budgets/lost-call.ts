import { createHash } from "node:crypto";
import type { EngineServices, Run } from "../run/run-context.ts";
import { interruptedUsage, targetsOf } from "./budget-call.ts";
import type { BillableCall } from "./budget-call.ts";

/**
 * The id of the usage record of the call in which an execution lost its run: the same for that execution, which may
 * only have been frozen, and for the one that continues.
 */
export function lostCallId({ key, turnKey = "" }: Run, name: string, fence: number): string {
  const { subjectId, attempt } = key;
  const hash = createHash("sha256").update(JSON.stringify([subjectId, attempt, turnKey, name, fence]));
  // A UUID of version 8 (RFC 9562): its digits mean what the application says.
  return hash
    .digest("hex")
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5");
}

/** A call that an earlier execution may have made when its process died. */
export interface LostCall extends BillableCall {
  /** Of that execution. */
  readonly lostFence: number;
}

/**
 * Records the call that was open when the process of an earlier execution died, at its worst case. Nobody knows
 * whether it was sent; what may have been paid for counts. A call that was noted is recorded already, and where a
 * budget applies, each call that was sent was reserved.
 */
export async function recordLostCall(
  engine: EngineServices,
  run: Run,
  { lostFence, ...call }: LostCall,
): Promise<void> {
  if (await engine.budgets.mayApply(run.job.workspaceId, targetsOf(run))) return;
  const usage = interruptedUsage(engine, run, { ...call, id: lostCallId(run, call.name, lostFence) });
  await engine.budgets.recordLost(run.key, { fence: lostFence, usage });
}
