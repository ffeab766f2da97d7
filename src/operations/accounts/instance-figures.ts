import { z } from "zod";
import { LOG_LEVELS } from "#domain/access/instance.ts";
import type { CurrentLogLevel, LogLevelChange, TenantsQuery } from "#domain/access/instance.ts";
import { AppError } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { JOB_KIND_NAMES } from "#domain/tasks/job.ts";
import type { Database, Queries } from "#db/database.ts";
import { readInstanceWorkspaces } from "#db/queries/access/instance-workspaces.ts";
import { readLogLevel, setLogLevel } from "#db/queries/access/log-level.ts";
import * as rows from "#db/queries/access/tenant-figures.ts";
import type { Tenant } from "#db/queries/access/tenant-figures.ts";
import { countJobs, readRunTotals } from "#db/queries/queue/operator-figures.ts";
import { listProcesses } from "#db/queries/queue/operator-processes.ts";
import type { ServiceProcess } from "#db/queries/queue/operator-processes.ts";
import { createdAt } from "#lib/ids.ts";
import { readCursor, writeCursor } from "../list-cursor.ts";

const position = z.strictObject({ offset: z.int().min(1) });

/** A page of workspaces. */
export interface TenantPage {
  readonly items: readonly Tenant[];
  readonly next_cursor: string | null;
}

/**
 * Lists all workspaces with their load, cost, storage and failures. The figures are a report; what an operator changes is
 * current. @throws AppError `bad_request` for a wrong cursor.
 */
export async function listTenants(
  db: Pick<Database, "query" | "reports">,
  { order, limit, cursor }: TenantsQuery,
): Promise<TenantPage> {
  const after = cursor === undefined ? { offset: 0 } : readCursor(cursor, position);
  if (after === undefined)
    throw invalid("query", [{ path: "cursor", message: "must be the next_cursor of this list" }]);
  const found = await rows.listTenants(db.reports, { order, limit: limit + 1, offset: after.offset });
  const page = found.slice(0, limit);
  const next = found.length > limit ? writeCursor(position, { offset: after.offset + limit }) : null;
  const ids = page.map(({ id }) => id);
  const current = new Map((await readInstanceWorkspaces(db, ids)).map((workspace) => [workspace.id, workspace]));
  const items = page.flatMap((tenant) => {
    const now = current.get(tenant.id);
    return now === undefined ? [] : [{ ...tenant, ...now }];
  });
  return { items, next_cursor: next };
}

/** Lists the processes of the service, oldest first. */
export function listServiceProcesses(db: Queries): Promise<readonly ServiceProcess[]> {
  return listProcesses(db);
}

/** The jobs of a kind. */
export interface Queue {
  readonly kind: string;
  readonly waiting: number;
  readonly running: number;
  /** Runs that wait for a person. */
  readonly suspended: number;
  /** ISO 8601; null when none waits to be claimed. */
  readonly oldest_waiting_since: string | null;
  /** Runs that failed since the counting began. */
  readonly failed: number;
}

/** Counts the jobs of each kind. */
export async function listQueues(db: Queries): Promise<readonly Queue[]> {
  const [jobs, totals] = await Promise.all([countJobs(db), readRunTotals(db)]);
  return JOB_KIND_NAMES.map((kind) => {
    const own = jobs.filter((job) => job.kind === kind);
    const inState = (state: string) => own.find((job) => job.state === state)?.jobs ?? 0;
    const oldest = own.find(({ state }) => state === "queued")?.oldest ?? null;
    const failed = totals.filter((total) => total.kind === kind && total.status === "failed");
    return {
      kind,
      waiting: inState("queued"),
      running: inState("running"),
      suspended: inState("suspended"),
      oldest_waiting_since: oldest === null ? null : new Date(createdAt(oldest)).toISOString(),
      failed: failed.reduce((sum, { runs }) => sum + runs, 0),
    };
  });
}

/** Reads the log level that is set now. */
export async function readCurrentLogLevel(db: Queries): Promise<CurrentLogLevel> {
  const set = await readLogLevel(db);
  const level = LOG_LEVELS.find((each) => each === set?.level);
  if (set === undefined || level === undefined || (set.leftMs ?? 0) <= 0) {
    return { level: null, process: null, until: null };
  }
  return { level, process: set.process, until: set.until };
}

/**
 * Changes the log level of processes for some minutes; returns until when.
 * @throws AppError `not_found` for the name of no process.
 */
export async function changeLogLevel(
  db: Queries,
  change: LogLevelChange,
): Promise<LogLevelChange & { readonly until: string }> {
  if (change.process !== null) {
    const names = (await listProcesses(db)).map(({ name }) => name);
    if (!names.includes(change.process)) {
      throw new AppError(
        "not_found",
        `No process has the name ${change.process}. There are: ${names.join(", ") || "none"}.`,
      );
    }
  }
  return { ...change, until: await setLogLevel(db, change) };
}
