import { lockFailedTasks } from "#db/queries/tasks/failed-tasks.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import type { RunErrorCode } from "#domain/streams/stream-event.ts";
import { dispatch } from "./assign.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { Services } from "../context.ts";
import { withJobs } from "./with-jobs.ts";

/** The failed tasks to retry. */
export interface RetryRequest {
  readonly code: RunErrorCode;
  /** Created since; ISO 8601. */
  readonly since: string | undefined;
  /** The maximum number of tasks. */
  readonly limit: number;
  /** Called with the number that is restarted, before it is; what it throws restarts none. */
  readonly admit: (count: number) => Promise<void>;
}

/** The result of a bulk retry. */
export interface Retried {
  /** The restarted tasks. */
  readonly taskIds: readonly string[];
  /** True if more tasks failed with the code. */
  readonly hasMore: boolean;
}

/** Retries tasks that failed with a code, oldest first, each as a new attempt. @throws AppError `forbidden`. */
export async function retryTasks(services: Services, who: Principal, request: RetryRequest): Promise<Retried> {
  requireRole(who, "member");
  const { workspaceId } = who;
  const { limit, admit, ...which } = request;
  const failed = await withJobs(services, who, async (tx) => {
    const found = await lockFailedTasks(tx, { workspaceId, ...which, limit: limit + 1 });
    await admit(Math.min(found.length, limit));
    await allSettledOrThrow(found.slice(0, limit).map((task) => dispatch(tx, who, task)));
    return found;
  });
  const retried = failed.slice(0, limit);
  for (const { id } of retried) services.events.publish(id, "grown");
  return { taskIds: retried.map(({ id }) => id), hasMore: failed.length > limit };
}
