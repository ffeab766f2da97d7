import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

const FACTS = statement({
  name: "doctor-server-facts",
  text: `
    select
      current_setting('server_version') as version,
      current_setting('server_version_num')::integer / 10000 as major,
      (select coalesce(max(m.version), 0) from schema_migrations m) as "schemaVersion",
      (select m.name from schema_migrations m order by m.version limit 1) as "firstMigration",
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      coalesce((select s.ssl from pg_stat_ssl s where s.pid = pg_backend_pid()), false) as "isEncrypted",
      coalesce(inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1', true) as "isOnThisMachine",
      extract(epoch from clock_timestamp())::double precision * 1000 as now,
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('autovacuum') as autovacuum,
      array(select c.oid::regclass::text from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.reloptions::text ~ 'autovacuum_enabled=(false|off|no|0)'
        order by 1) as "withoutAutovacuum",
      age((select d.datfrozenxid from pg_database d where d.datname = current_database())) as "xidAge",
      array(select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid
        where not i.indisvalid and c.relnamespace = 'public'::regnamespace order by 1) as "invalidIndexes"`,
});

/** What the database server says of itself. */
export interface ServerFacts {
  readonly version: string;
  readonly major: number;
  /** The newest applied migration. */
  readonly schemaVersion: number;
  readonly firstMigration: string | null;
  readonly isReadOnly: boolean;
  readonly isEncrypted: boolean;
  /** Whether the connection leaves this machine's network interfaces or a socket. */
  readonly isOnThisMachine: boolean;
  /** Its clock, in milliseconds since 1970. */
  readonly now: number;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly autovacuum: string;
  /** The tables for which it is switched off. */
  readonly withoutAutovacuum: readonly string[];
  readonly xidAge: number;
  readonly invalidIndexes: readonly string[];
}

/** Reads what the database server says of itself. */
export async function readServerFacts(db: Queries): Promise<ServerFacts> {
  const [facts] = await db.query<ServerFacts>(FACTS);
  if (facts === undefined) throw new Error("A query without a table gives one row.");
  return facts;
}
