import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { claimSuspects } from "#db/queries/queue/claim-jobs.ts";
import type { SuspicionRange } from "#db/queries/queue/claim-jobs.ts";
import { JOB_KIND_NAMES } from "#domain/tasks/job.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import type { ClaimRunner } from "./claim-runner.ts";
import type { Slots } from "./slots.ts";
import { TRIED_ALONE } from "./trials.ts";
import type { Trials } from "./trials.ts";

/** Dependencies of {@link createSuspectClaims}. */
export interface SuspectClaimOptions {
  readonly db: Database;
  readonly executorId: () => string;
  readonly slots: Slots;
  readonly trials: Trials;
  readonly claims: ClaimRunner;
  readonly log: Logger;
}

/**
 * Creates the claims of suspect jobs: as many of each kind as their trials and the free slots allow. Calls during a
 * claim share its promise, which never rejects.
 */
export function createSuspectClaims(options: SuspectClaimOptions): () => Promise<void> {
  const { db, executorId, slots, trials, claims, log } = options;
  let claiming: Promise<void> | undefined;

  async function claimAll(): Promise<void> {
    for (const kind of JOB_KIND_NAMES) {
      if (trials.hasRoomAlone() && (await claimOf(kind, TRIED_ALONE, 1)) > 0) return;
    }
    for (const kind of JOB_KIND_NAMES) {
      const next = trials.next();
      if (next !== undefined) await claimOf(kind, next.suspicion, next.limit);
    }
  }

  async function claimOf(kind: JobKindName, suspicion: SuspicionRange, max: number): Promise<number> {
    const limit = Math.min(max, slots.free(kind));
    if (limit === 0) return 0;
    return claims.run(async () => {
      const claimed = await claimSuspects(db, { kind, limit, suspicion, executorId: executorId() });
      for (const job of claimed) trials.begin(job);
      return claimed;
    }, []);
  }

  return () =>
    (claiming ??= claimAll()
      .catch((error: unknown) => log.warn({ err: error }, "could not claim suspects"))
      .finally(() => (claiming = undefined)));
}
