import { setTimeout as sleep } from "node:timers/promises";
import * as rows from "#db/queries/access/deleted-workspaces.ts";
import * as erasures from "#db/queries/access/erasures.ts";
import { lockOpenRunsIn } from "#db/queries/runs/lock-runs.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import type { Services } from "../context.ts";
import type { BlobSweeper } from "../ports.ts";

/** Rows that one transaction cancels or deletes: it holds locks for milliseconds only. */
const CANCELLED_AT_ONCE = 20;
const LOGS_AT_ONCE = 20;
const ROWS_AT_ONCE = 500;
/** The pause between two transactions, which lets other work go first. */
const PAUSE_MS = 5;

/** What a purge needs. */
export type Purge = Pick<Services, "db"> & {
  readonly sweeper: BlobSweeper;
  readonly events: Pick<Services["events"], "publish">;
  /** Stops the purge between two transactions; the next call continues it, in any process. */
  readonly signal: AbortSignal;
};

/**
 * Deletes what is left of deleted workspaces, in small transactions: cancels their work, deletes their rows, and the
 * workspace's row last. Ends the receipts of the erased ones. It can be stopped at any moment and can run concurrently.
 */
export async function purgeWorkspaces(purge: Purge): Promise<void> {
  for (let id = await rows.nextDeleted(purge.db); id !== undefined; id = await rows.nextDeleted(purge.db)) {
    await cancelAll(purge, id);
    // Requests in progress may have added rows.
    while ((await deleteAll(purge, id)) > 0) await pause(purge);
    await rows.dropWorkspace(purge.db, id);
    purge.sweeper.soon();
    await pause(purge);
  }
  await endErasures(purge);
}

/** An erasure ends when the contents are gone as well. */
async function endErasures({ db, sweeper, signal }: Purge): Promise<void> {
  for (const id of await erasures.openWorkspaces(db)) {
    await erasures.hurryContents(db, id);
    await sweeper.runOnce(() => signal.aborted);
    await erasures.endWorkspaceErasure(db, id);
  }
}

async function cancelAll(purge: Purge, workspaceId: string): Promise<void> {
  for (let ended = await cancelSome(purge, workspaceId); ended.length > 0;) {
    for (const logId of ended) purge.events.publish(logId, "grown");
    await pause(purge);
    ended = await cancelSome(purge, workspaceId);
  }
}

function cancelSome({ db }: Purge, workspaceId: string): Promise<string[]> {
  return db.transaction(async (tx) => {
    const ended: string[] = [];
    for (const runId of await lockOpenRunsIn(tx, workspaceId, CANCELLED_AT_ONCE)) {
      ended.push(...(await cancelRun(tx, runId)));
    }
    return ended;
  });
}

/** Returns the number of deleted rows. */
async function deleteAll(purge: Purge, workspaceId: string): Promise<number> {
  let deleted = await deleteLogs(purge, workspaceId);
  for (const table of await rows.workspaceTables(purge.db)) {
    if (rows.isLogTable(table)) continue;
    if (table === "service_accounts") deleted += await rows.deletePrograms(purge.db, workspaceId);
    deleted += await inBatches(purge, (limit) => rows.deleteOfWorkspace(purge.db, table, { workspaceId, limit }));
  }
  return deleted;
}

/** Tasks and team runs with their logs: events have no index by workspace, and one log may have 100,000 of them. */
async function deleteLogs(purge: Purge, workspaceId: string): Promise<number> {
  const { db } = purge;
  let deleted = await inBatches(purge, (limit) => {
    return rows.deleteOfWorkspace(db, "team_messages", { workspaceId, limit });
  });
  for (;;) {
    const logs = await rows.logsOf(db, workspaceId, LOGS_AT_ONCE);
    if (logs.length === 0) return deleted;
    for (const table of (await rows.workspaceTables(db)).filter(rows.isLogTable)) {
      deleted += await inBatches(purge, (limit) => rows.deleteOfLogs(db, table, { workspaceId, logs, limit }));
    }
    // These and no others: any other one would take its log with it, in one transaction.
    deleted += await rows.deleteWork(db, { workspaceId, ids: logs });
    await pause(purge);
  }
}

async function inBatches(purge: Purge, deleteSome: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let batch = ROWS_AT_ONCE; batch === ROWS_AT_ONCE; deleted += batch) {
    batch = await deleteSome(ROWS_AT_ONCE);
    await pause(purge);
  }
  return deleted;
}

async function pause({ signal }: Purge): Promise<void> {
  await sleep(PAUSE_MS, undefined, { signal });
}
