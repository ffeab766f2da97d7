import { countJobs } from "#db/queries/queue/operator-figures.ts";
import { countOrphanedJobs } from "#db/queries/doctor/work.ts";
import { createdAt } from "#lib/ids.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

const MAX_WAIT_MS = 10 * 60_000;
const MS_PER_MINUTE = 60_000;

/** Whether jobs are started and run. */
export const jobs: Check = {
  name: "jobs",
  of: "database",
  async run({ db }) {
    const orphaned = await countOrphanedJobs(db);
    if (orphaned > 0) {
      return warning(
        `${orphaned} jobs belong to processes that are gone.`,
        "Start the service: it recovers them in seconds.",
      );
    }
    const oldest = (await countJobs(db)).flatMap((job) => job.oldest ?? []).sort()[0];
    const waitMs = oldest === undefined ? 0 : Date.now() - createdAt(oldest);
    if (waitMs <= MAX_WAIT_MS) return ok("No job waits long.");
    return warning(
      `The oldest job has waited ${Math.round(waitMs / MS_PER_MINUTE)} min to be started.`,
      "Start another process, or raise RUNS_PER_PROCESS or RUNS_PER_WORKSPACE.",
    );
  },
};
