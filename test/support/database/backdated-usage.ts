import { sql } from "../workspace.ts";

const FORGET_SUMS = `
  with changed as (delete from usage_hours where hour >= date_trunc('hour', $1::timestamptz, 'UTC'))
  update usage_sums set until = least(until, date_trunc('hour', $1::timestamptz, 'UTC'))`;

/** Lets usage count that a test has recorded as of a time in the past: the service records it as of now only. */
export async function countUsageSince(databaseUrl: string, at: string): Promise<void> {
  await sql(databaseUrl, FORGET_SUMS, [at]);
}
