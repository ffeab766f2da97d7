import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { KEEP_ALIVE, named } from "../pool.ts";
import { shareBackupLock } from "../queries/backup/backup-lock.ts";
import {
  BLOB_KEYS,
  backupCondition,
  readBackupKeys,
  readBackupState,
  readBackupTables,
} from "../queries/backup/backup-tables.ts";
import type { BackupKeys, BackupState, BackupTable } from "../queries/backup/backup-tables.ts";

const LOCK_RETRY_MS = 100;

/**
 * Session settings of a backup: values have the same text on every server, a table is read from its start, and a row
 * that a policy would hide is an error. A long read must not be ended.
 */
const SESSION = [
  "row_security=off",
  "datestyle=ISO,YMD",
  "intervalstyle=postgres",
  "timezone=UTC",
  "extra_float_digits=3",
  "bytea_output=hex",
  "synchronize_seqscans=off",
  "statement_timeout=0",
  "lock_timeout=0",
  "idle_in_transaction_session_timeout=0",
];

/** A database at one moment, while others change it. */
export interface Snapshot {
  readonly state: BackupState;
  readonly tables: readonly BackupTable[];
  /** Reads which keys the secrets need, in a schema of this version. */
  keys(): Promise<BackupKeys>;
  /** The rows of a table, as COPY writes them. One stream at a time; read it to its end. */
  rows(table: BackupTable): Readable;
  /** The keys of all stored contents, one a line. */
  blobKeys(): Readable;
}

/**
 * Runs a function with a snapshot of a database, as its owner. Meanwhile no migration begins, and no content of a file
 * is deleted.
 * @param signal aborts the wait for a migration in progress
 */
export async function withSnapshot<T>(
  url: string,
  run: (snapshot: Snapshot) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const client = connectionFor(url);
  await client.connect();
  try {
    while (!(await shareBackupLock(client))) await sleep(LOCK_RETRY_MS, undefined, { signal });
    await client.query("begin isolation level repeatable read read only");
    return await run({
      state: await readBackupState(client),
      tables: await readBackupTables(client),
      keys: () => readBackupKeys(client),
      rows: (table) => client.query(copyTo(`copy (${selectOf(table)}) to stdout`)),
      blobKeys: () => client.query(copyTo(`copy (${BLOB_KEYS}) to stdout`)),
    });
  } finally {
    // Ends the transaction, and frees the lock.
    await client.end();
  }
}

/** A connection for a backup or a restore. */
export function connectionFor(url: string): Client {
  const options = SESSION.map((setting) => `-c ${setting}`).join(" ");
  const client = new Client({ connectionString: named(url), ...KEEP_ALIVE, options });
  // Its statement then fails as well, with a better message.
  client.on("error", () => undefined);
  return client;
}

function selectOf(table: BackupTable): string {
  return `select ${columnsOf(table)} from public.${quoted(table.name)} where ${backupCondition(table)}`;
}

/** The columns of a table, in SQL. */
export function columnsOf({ columns }: BackupTable): string {
  return columns.map(quoted).join(", ");
}

/** A name, in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
