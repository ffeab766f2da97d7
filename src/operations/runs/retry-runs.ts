import { lockFailedRuns } from "#db/queries/runs/failed-runs.ts";
import type { FailedRuns } from "#db/queries/runs/failed-runs.ts";
import { requireRole } from "#domain/access/role.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { dispatch, restartTeamRun } from "./dispatch.ts";
import type { Workspace } from "../workspace.ts";

/** The failed runs to retry: tasks, or team runs without a task. */
export interface RetryRequest extends Omit<FailedRuns, "workspaceId"> {
  /** Called with the number that is restarted, before it is; what it throws restarts none. */
  readonly admit: (count: number) => Promise<void>;
}

/** The result of a bulk retry. */
export interface RetriedRuns {
  /** The ids of the restarted runs. */
  readonly ids: readonly string[];
  /** True if more runs failed with the code. */
  readonly hasMore: boolean;
}

/** Retries runs that failed with a code, oldest first, each as a new attempt. @throws AppError `forbidden`. */
export async function retryRuns(workspace: Workspace, request: RetryRequest): Promise<RetriedRuns> {
  requireRole(workspace.who, "member");
  const { limit, admit, ...which } = request;
  return workspace.change(async (tx) => {
    const found = await lockFailedRuns(tx, { ...which, workspaceId: workspace.who.workspaceId, limit: limit + 1 });
    const retried = found.slice(0, limit);
    await admit(retried.length);
    await allSettledOrThrow(
      retried.map((run) =>
        request.kind === "task" ? dispatch(tx, workspace.who, run) : restartTeamRun(tx, { ...run, parentId: null }),
      ),
    );
    const ids = retried.map(({ id }) => id);
    tx.publish(...ids);
    return { ids, hasMore: found.length > limit };
  });
}
