import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const COUNT = statement({ name: "count-run-ends", text: `select count_run_ends($1) as counted` });

/** Adds up to `limit` ended attempts to the sums by hour and day; returns the number. Safe to run concurrently. */
export async function countRunEnds(db: Database, limit: number): Promise<number> {
  const [row] = await db.query<{ counted: number }>(COUNT, [limit]);
  return row?.counted ?? 0;
}

const SUM = statement({ name: "add-past-usage", text: `select sum_usage() as summed` });

/** Adds the usage of up to one day of past hours to the sums; returns whether there was any. Safe like {@link countRunEnds}. */
export async function sumUsage(db: Database): Promise<boolean> {
  const [row] = await db.query<{ summed: boolean }>(SUM);
  return row?.summed === true;
}
