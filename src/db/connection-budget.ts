import type { Queries } from "./database.ts";
import { APPLICATION_NAME } from "./pool.ts";
import { statement } from "./statement.ts";

const COUNT = statement({
  name: "count-connections",
  text: `
    select
      current_setting('max_connections')::integer as max,
      current_setting('superuser_reserved_connections')::integer
        + coalesce(current_setting('reserved_connections', true)::integer, 0) as reserved,
      (select count(distinct (client_addr, split_part(application_name, ':', 2)))::integer from pg_stat_activity
        where application_name like 'muster:%' and application_name <> $1
          and (client_addr is not null or split_part(application_name, ':', 2) <> $2)) as processes,
      (select count(*)::integer from pg_stat_activity
        where backend_type = 'client backend' and application_name not like 'muster:%') as others`,
});

/**
 * Warns when the server allows fewer connections than all processes, including this one, may open; undefined when there
 * are enough.
 * @param perProcess the maximum number of connections per process
 */
export async function findConnectionShortage(db: Queries, perProcess: number): Promise<string | undefined> {
  const [found] = await db.query<{ max: number; reserved: number; processes: number; others: number }>(COUNT, [
    APPLICATION_NAME,
    String(process.pid),
  ]);
  if (found === undefined) return undefined;
  const processes = found.processes + 1;
  const needed = processes * perProcess + found.others + found.reserved;
  if (needed <= found.max) return undefined;
  return (
    `PostgreSQL allows ${found.max} connections (max_connections), but ${processes} Muster processes with up to ` +
    `${perProcess} each, ${found.others} of other programs and ${found.reserved} reserved ones need ${needed}. ` +
    "Raise max_connections, or lower DATABASE_POOL and DATABASE_ENGINE_POOL."
  );
}
