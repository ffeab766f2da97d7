import { sql } from "../workspace.ts";

const FORGET_SUMS = `
  with since as (select date_trunc('day', $1::timestamptz, 'UTC') as day),
  days as (delete from usage_days where day >= (select (day at time zone 'UTC')::date from since)),
  periods as (update period_sums set tokens = 0, cost_usd = 0 where start >= (select day from since))
  update usage_sums set until = least(until, (select day from since))`;

/** Lets usage count that a test has recorded as of a time in the past: the service records it as of now only. */
export async function countUsageSince(databaseUrl: string, at: string): Promise<void> {
  await sql(databaseUrl, FORGET_SUMS, [at]);
}
