import type { Client } from "pg";
import { statement } from "../../statement.ts";
import { rowsOnClient } from "../../rows-on-client.ts";

/**
 * The number of the lock that backups share while they read: meanwhile no migration changes a table, and no content of
 * a file is deleted. Numbers up to 2^32 are in `objid` of `pg_locks`.
 */
export const BACKUP_LOCK = 687_838;

/** Whether a backup is in progress, in SQL. */
export const BACKUP_IN_PROGRESS = `exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.classid = 0 and l.objid = ${BACKUP_LOCK} and l.mode = 'ShareLock'
    and l.granted and l.database = (select d.oid from pg_database d where d.datname = current_database()))`;

const SHARE = statement({ name: "share-backup-lock", text: "select pg_try_advisory_lock_shared($1) as locked" });

/** Takes a share of the lock for this connection; false while a migration is in progress. */
export async function shareBackupLock(client: Client): Promise<boolean> {
  const [row] = await rowsOnClient<{ locked: boolean }>(client, SHARE, [BACKUP_LOCK]);
  return row?.locked === true;
}
