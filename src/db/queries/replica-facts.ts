import type { Queries } from "../database.ts";
import { statement } from "../statement.ts";

const FACTS = statement({
  name: "replica-facts",
  text: `
    select
      (select c.system_identifier from pg_control_system() c)::text || '/' || d.oid as database,
      session_user::text as role,
      (select coalesce(max(m.version), 0) from schema_migrations m) as "schemaVersion",
      pg_is_in_recovery() as "isStandby",
      pg_wal_lsn_diff(
        case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end,
        '0/0')::double precision as position,
      extract(epoch from clock_timestamp())::double precision * 1000 as now,
      extract(epoch from pg_last_xact_replay_timestamp())::double precision * 1000 as "replayedUntil"
    from pg_database d where d.datname = current_database()`,
});

/** What a server says of the database that it has, for the comparison of a primary with a replica. */
export interface ReplicaFacts {
  /** The same at the primary and at its physical replicas, and nowhere else. */
  readonly database: string | null;
  /** The role of the connection. */
  readonly role: string | null;
  /** The newest applied migration. */
  readonly schemaVersion: number | null;
  /** Whether it replays the log of another server. */
  readonly isStandby: boolean | null;
  /** The bytes of log that it has written, or replayed. */
  readonly position: number | null;
  /** Its clock, in milliseconds since 1970. */
  readonly now: number | null;
  /** The primary's clock at the commit of the last transaction that was replayed, in milliseconds since 1970. */
  readonly replayedUntil: number | null;
}

/** Reads what a server says of itself. */
export async function readReplicaFacts(db: Queries): Promise<ReplicaFacts> {
  const [facts] = await db.query<ReplicaFacts>(FACTS);
  if (facts === undefined) throw new Error("A session has a database.");
  return facts;
}
