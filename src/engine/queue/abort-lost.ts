import type { Database } from "#db/database.ts";
import { ownedAmong } from "#db/queries/queue/jobs.ts";
import type { ActiveJobs } from "./active-jobs.ts";

/**
 * Aborts the executions of this process that no longer own their jobs. An execution that begins meanwhile continues,
 * even if its job is one of them.
 */
export async function abortLost(db: Database, jobs: Pick<ActiveJobs, "list" | "abortExecution">): Promise<void> {
  const known = jobs.list();
  const owned = await ownedAmong(db, known);
  for (const job of known) if (!owned.includes(job)) jobs.abortExecution(job);
}
