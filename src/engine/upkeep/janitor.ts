import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { undefinedAtLock } from "#db/retry-outage.ts";
import { deleteFreeFiles } from "#db/queries/files/files.ts";
import { deleteOldRunWindows, chargeRemainingReservations } from "#db/queries/budgets/budget-reservations.ts";
import { deleteOldCustomToolCalls } from "#db/queries/tools/custom-tool-calls.ts";
import { deleteOldAnswers } from "#db/queries/access/idempotent-answers.ts";
import { deleteOldRequestCounts } from "#db/queries/access/request-counts.ts";
import { deleteOldDeliveries } from "#db/queries/destinations/old-deliveries.ts";
import { expireRuns } from "#db/queries/runs/expire-runs.ts";
import { deleteOldExecutions, deleteOldSteps } from "#db/queries/runs/run-steps.ts";
import { deleteOldLiveViewers } from "#db/queries/streams/live-viewers.ts";
import { deleteOldPages } from "#db/queries/streams/event-pages.ts";
import { dropPartitions, makePartitions, weeksOf } from "#db/queries/streams/log-partitions.ts";
import { deleteOldGates } from "#db/queries/queue/model-gates.ts";
import {
  deleteExpiredSignIns,
  deleteOldAuditLogs,
  deleteOldEvents,
  deleteOldLogs,
} from "#db/queries/queue/retention.ts";
import { createPoller } from "#lib/async/poller.ts";
import type { Poller } from "#lib/async/poller.ts";
import type { BlobSweeper } from "#operations/ports.ts";

const INTERVAL_MS = 600_000;
/** Rows per statement: a purge never holds locks for long. */
const BATCH = 1_000;
const DAY_MS = 86_400_000;
/** How long the operator keeps the audit log of a deleted workspace. */
const AUDIT_RETENTION_DAYS = 365;

/** Dependencies of {@link createJanitor}. */
export interface JanitorOptions {
  readonly db: Database;
  readonly retentionDays: number;
  /** Days that ended runs are kept; undefined: until they are deleted. */
  readonly retentionTasksDays?: number | undefined;
  readonly sweeper: BlobSweeper;
  /** Cancels remote tasks that were left running, and deletes their records from before a time. */
  readonly sweepRemoteCalls?: (before: Date) => Promise<void>;
  readonly log: Logger;
}

/**
 * Creates the janitor of a process; several processes may purge concurrently. It deletes expired data: old runs, events and
 * recorded steps of closed runs, deliveries, logs of schedules and triggers, expired sessions, stored responses of
 * idempotent requests, request counts, audit logs of workspaces that were deleted a year ago, and file contents without
 * a row. A run returns the number of deleted event rows.
 */
export function createJanitor(options: JanitorOptions): Poller<number> {
  const { db, retentionDays, retentionTasksDays, sweeper, log, sweepRemoteCalls } = options;

  async function purgeOnce(isStopped: () => boolean): Promise<number> {
    /** Deletes in batches; returns the number of rows. */
    async function deleteAll(deleteBatch: (limit: number) => Promise<number>): Promise<number> {
      let total = 0;
      for (let deleted = BATCH; deleted === BATCH && !isStopped(); total += deleted) deleted = await deleteBatch(BATCH);
      return total;
    }

    const before = new Date(Date.now() - retentionDays * DAY_MS);
    // Whole partitions go first, which costs next to nothing. What they leave behind goes one by one.
    const longBefore = new Date(before.getTime() - weeksOf(retentionDays) * 7 * DAY_MS);
    const yesterday = new Date(Date.now() - DAY_MS);
    const lastYear = new Date(Date.now() - AUDIT_RETENTION_DAYS * DAY_MS);
    await deleteOldGates(db, yesterday);
    await makePartitions(db, retentionDays);
    const partitions = await dropPartitions(db, before, isStopped);
    if (partitions.length > 0) log.info({ partitions }, "dropped the logs and steps of old runs");
    const events = await deleteAll((limit) => deleteOldEvents(db, longBefore, limit));
    const pages = await deleteAll((limit) => deleteOldPages(db, longBefore, limit));
    const others: readonly (() => Promise<unknown> | undefined)[] = [
      () => expireRuns(db, { days: retentionTasksDays, isStopped }),
      () => deleteAll((limit) => deleteOldSteps(db, longBefore, limit)),
      () => deleteAll((limit) => deleteOldExecutions(db, before, limit)),
      () => deleteAll((limit) => deleteOldDeliveries(db, limit)),
      () => deleteAll((limit) => deleteOldCustomToolCalls(db, before, limit)),
      () => sweepRemoteCalls?.(before),
      () => deleteAll((limit) => deleteOldLogs(db, before, limit)),
      () => deleteAll((limit) => deleteOldAuditLogs(db, lastYear, limit)),
      () => deleteExpiredSignIns(db),
      () => deleteOldLiveViewers(db),
      () => deleteAll((limit) => deleteOldAnswers(db, limit)),
      () => deleteOldRequestCounts(db),
      () => chargeRemainingReservations(db).catch(undefinedAtLock),
      () => deleteAll((limit) => deleteOldRunWindows(db, before, limit)),
      () => deleteAll((limit) => deleteFreeFiles(db, yesterday, limit)),
      () => sweeper.runOnce(isStopped),
    ];
    for (const purge of others) if (!isStopped()) await purge();
    return events + pages;
  }

  return createPoller({
    intervalMs: INTERVAL_MS,
    run: purgeOnce,
    onError: (error) => log.warn({ err: error }, "purge failed"),
  });
}
