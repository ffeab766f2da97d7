import { APPLICATION_NAME } from "../../pool.ts";
import type { Transaction } from "../../database.ts";

// Connections name their process (see `named`). The one that keeps the private database alive has a name of its own, but
// comes from this very machine.
const COUNT_OTHERS = {
  name: "count-other-processes",
  text: `
    select count(distinct (client_addr, split_part(application_name, ':', 2)))::integer as count from pg_stat_activity
    where datname = current_database() and application_name like 'muster:%' and application_name <> $1
      and (client_addr is not null or split_part(application_name, ':', 2) <> $2)`,
};

/** How many other processes of the service have connections to this database, whatever they do with them. */
export async function countOtherProcesses(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT_OTHERS, [APPLICATION_NAME, String(process.pid)]);
  return row?.count ?? 0;
}
