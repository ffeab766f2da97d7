import type { Database } from "../../database.ts";
import { isLockTimeout } from "../../retry-outage.ts";
import { statement } from "../../statement.ts";

/** The tables in partitions by the time in a run's id, with its column. */
const PARTITIONED = { task_events: "log_id", task_event_pages: "log_id", run_steps: "run_id" } as const;

const DAYS_OF_WEEK = 7;
/** At most so many partitions have what is kept: statements that look for an id open each of them. */
const MAX_WEEKS = 26;

const MAKE = statement({ name: "make-partitions", text: `select make_partitions($1, $2, $3)` });
const DROP = statement({ name: "drop-partition", text: `select drop_partition($1, $2) as name` });

/** How many weeks a partition spans: one, or more when rows are kept for longer than half a year. */
export function weeksOf(retentionDays: number): number {
  return Math.ceil(retentionDays / DAYS_OF_WEEK / MAX_WEEKS);
}

/** Makes the partitions of the next two weeks. One process at a time does; another one returns at once. */
export async function makePartitions(db: Database, retentionDays: number): Promise<void> {
  for (const [table, column] of Object.entries(PARTITIONED)) {
    await unlessLocked(db.query(MAKE, [table, column, weeksOf(retentionDays)]));
  }
}

/**
 * Drops the partitions whose runs began before a time, have ended, and have written nothing since. One that others use
 * at the moment is left for the next call. Returns the names of the dropped ones.
 */
export async function dropPartitions(db: Database, before: Date, isStopped: () => boolean): Promise<readonly string[]> {
  const dropped: string[] = [];
  for (const table of Object.keys(PARTITIONED)) {
    for (let name = await dropOne(db, table, before); name !== null; name = await dropOne(db, table, before)) {
      dropped.push(name);
      if (isStopped()) return dropped;
    }
  }
  return dropped;
}

async function dropOne(db: Database, table: string, before: Date): Promise<string | null> {
  const rows = await unlessLocked(db.query<{ name: string | null }>(DROP, [table, before]));
  return rows?.[0]?.name ?? null;
}

async function unlessLocked<T>(running: Promise<T>): Promise<T | undefined> {
  try {
    return await running;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return undefined;
  }
}
