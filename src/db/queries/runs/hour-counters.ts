import type { Database } from "../../database.ts";

const COUNT = { name: "count-run-ends", text: `select count_run_ends($1) as counted` };

/** Adds up to `limit` ends of attempts to the counters by hour; returns how many. Safe to call from several processes. */
export async function countRunEnds(db: Database, limit: number): Promise<number> {
  const [row] = await db.query<{ counted: number }>(COUNT, [limit]);
  return row?.counted ?? 0;
}

const SUM = { name: "sum-usage-hours", text: `select sum_usage_hours() as summed` };

/** Sums up the usage of up to a day of hours that are over; returns whether there were any. Safe as {@link countRunEnds}. */
export async function sumUsageHours(db: Database): Promise<boolean> {
  const [row] = await db.query<{ summed: boolean }>(SUM);
  return row?.summed === true;
}
