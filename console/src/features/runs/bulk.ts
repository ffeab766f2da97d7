import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "#client/gen/schema.ts";

/** The actions on many runs. */
export type BulkAction = "cancel" | "rerun";

/** Cancels up to 500 runs. Returns the changed ones, and for the others the reason. */
export function cancelRuns(ids: readonly string[]) {
  return changeRuns("cancel", ids);
}

/** Cancels or retries up to 500 runs. Returns the changed ones, and for the others the reason. */
export function changeRuns(action: BulkAction, ids: readonly string[]) {
  return fetchJson<components["schemas"]["ChangedRuns"]>("/console/api/runs/bulk", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ action, ids, expect: ids.length }),
  });
}
