import type { Client } from "pg";
import { statement } from "../../statement.ts";
import { rowsOnClient } from "../../rows-on-client.ts";

/**
 * Tables that are not backed up: what belongs to running processes, to this program's version, and to its settings.
 */
const OMITTED = ["executors", "keeper", "live_viewers", "plan_quotas", "schema_migrations"];

/** Settings of the instance that belong to the program, to a running process, or to this copy. */
const OMITTED_SETTINGS = "key not in ('schema_routines_checksum', 'service_url', 'held_copy')";

/** Tables with rows that a migration has written. */
export const SEEDED: ReadonlySet<string> = new Set(["usage_sums"]);

/** A table of a backup. */
export interface BackupTable {
  readonly name: string;
  /** Its columns, without generated ones. */
  readonly columns: readonly string[];
}

const READ_TABLES = statement({
  name: "read-backup-tables",
  text: `
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all($1)
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`,
});

/** The tables to back up, in the order of their names. */
export function readBackupTables(client: Client): Promise<BackupTable[]> {
  return rowsOnClient<{ name: string; columns: string[] }>(client, READ_TABLES, [OMITTED]);
}

/** The condition of the rows that are backed up, in SQL. */
export function backupCondition({ name }: BackupTable): string {
  return name === "instance_settings" ? OMITTED_SETTINGS : "true";
}

/** The keys of all stored contents, in SQL. */
export const BLOB_KEYS = "select blob_key from files union all select blob_key from knowledge_documents";

const READ_STATE = statement({
  name: "read-backup-state",
  text: `
    select (select max(version) from schema_migrations) as schema,
      (select value from instance_settings where key = 'encryption_key_fingerprint') as fingerprint,
      current_setting('server_version') as postgres`,
});

/** What a backup says of its database. */
export interface BackupState {
  readonly schema: number | null;
  readonly fingerprint: string | null;
  readonly postgres: string;
}

/** Reads the versions and the key's fingerprint. */
export async function readBackupState(client: Client): Promise<BackupState> {
  const [row] = await rowsOnClient<BackupState>(client, READ_STATE);
  if (row === undefined) throw new Error("A select without from gives a row.");
  return row;
}

const READ_KEYS = statement({
  name: "read-backup-keys",
  text: `
    select array(select distinct wrapping from data_keys order by wrapping) as wrappings,
      array(select distinct generation from data_keys order by generation) as generations`,
});

/** Which keys the secrets of a backup need. */
export interface BackupKeys {
  /** The fingerprints of all encryption keys that wrap data keys. */
  readonly wrappings: readonly string[];
  /** The generations of data keys. */
  readonly generations: readonly number[];
}

/** Reads which keys there are, in a schema of this version. */
export async function readBackupKeys(client: Client): Promise<BackupKeys> {
  const [row] = await rowsOnClient<BackupKeys>(client, READ_KEYS);
  if (row === undefined) throw new Error("A select without from gives a row.");
  return row;
}
