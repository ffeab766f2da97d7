import { APPLICATION_NAME } from "../../pool.ts";
import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

// Connections are named after their process (see `named`). The process that keeps the embedded database alive has its
// own name, but connects from this machine.
const COUNT_OTHERS = statement({
  name: "count-other-processes",
  text: `
    select count(distinct (client_addr, split_part(application_name, ':', 2)))::integer as count from pg_stat_activity
    where datname = current_database() and application_name like 'muster:%' and application_name <> $1
      and (client_addr is not null or split_part(application_name, ':', 2) <> $2)`,
});

/** The number of other service processes connected to this database. */
export async function countOtherProcesses(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_OTHERS, [APPLICATION_NAME, String(process.pid)]);
  return row?.count ?? 0;
}
