import { APPLICATION_NAME } from "../database.ts";
import type { Transaction } from "../database.ts";

const COUNT_OTHERS = {
  name: "count-other-processes",
  text: `
    select count(distinct application_name)::integer as count from pg_stat_activity
    where datname = current_database() and application_name like 'muster:%' and application_name <> $1`,
};

/** How many other processes of the service have connections to this database, whatever they do with them. */
export async function countOtherProcesses(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT_OTHERS, [APPLICATION_NAME]);
  return row?.count ?? 0;
}
