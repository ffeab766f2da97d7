import { changeRuns as change } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
/** The actions on many runs. */
export type BulkAction = "cancel" | "rerun";

/** Cancels up to 500 runs. Returns the changed ones, and for the others the reason. */
export function cancelRuns(ids: readonly string[]) {
  return changeRuns("cancel", ids);
}

/** Cancels or retries up to 500 runs. Returns the changed ones, and for the others the reason. */
export function changeRuns(action: BulkAction, ids: readonly string[]) {
  return call(change)({ action, ids, expect: ids.length });
}
