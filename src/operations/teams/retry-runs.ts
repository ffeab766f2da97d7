import { lockFailedRuns } from "#db/queries/teams/failed-runs.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { Services } from "../context.ts";
import type { RetryRequest } from "../tasks/retry-tasks.ts";
import { withJobs } from "../tasks/with-jobs.ts";
import { restartRun } from "./team-runs.ts";

/** The result of a bulk retry of team runs. */
export interface RetriedRuns {
  /** The restarted runs. */
  readonly runIds: readonly string[];
  /** True if more runs failed with the code. */
  readonly hasMore: boolean;
}

/**
 * Retries team runs without a task that failed with a code, oldest first, each as a new attempt.
 * @throws AppError `forbidden`.
 */
export async function retryRuns(services: Services, who: Principal, request: RetryRequest): Promise<RetriedRuns> {
  requireRole(who, "member");
  const { workspaceId } = who;
  const { limit, admit, ...which } = request;
  const failed = await withJobs(services, who, async (tx) => {
    const found = await lockFailedRuns(tx, { workspaceId, ...which, limit: limit + 1 });
    await admit(Math.min(found.length, limit));
    await allSettledOrThrow(
      found.slice(0, limit).map(({ id, attempt }) => restartRun(tx, id, { status: "failed", attempt, taskId: null })),
    );
    return found;
  });
  const retried = failed.slice(0, limit);
  for (const { id } of retried) services.events.publish(id, "grown");
  return { runIds: retried.map(({ id }) => id), hasMore: failed.length > limit };
}
