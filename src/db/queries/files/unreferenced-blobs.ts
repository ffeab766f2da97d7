import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";
import { BACKUP_IN_PROGRESS } from "../backup/backup-lock.ts";

/** The time limit until an upload's row is committed, and until a failed deletion is retried. */
const UPLOAD = "interval '1 day'";
const DELETION = "interval '10 minutes'";

const RECORD_UPLOAD = statement({
  name: "record-upload",
  text: `
    insert into unreferenced_blobs (key, delete_after) values ($1, now() + ${UPLOAD})
    on conflict (key) do nothing`,
});

/** Records a content before it is stored. Committed immediately, in its own transaction. */
export async function recordUpload(db: Database, key: string): Promise<void> {
  await db.query(RECORD_UPLOAD, [key]);
}

const KEEP_UPLOAD = statement({
  name: "keep-upload",
  text: `
    insert into unreferenced_blobs (key, delete_after) values ($1, now() + ${UPLOAD})
    on conflict (key) do update set delete_after = excluded.delete_after, deleting = false`,
});

/** Records a content that is stored now, or was before, as an upload; also one that was due. */
export async function keepUpload(db: Database, key: string): Promise<void> {
  await db.query(KEEP_UPLOAD, [key]);
}

const CLAIM = statement({
  name: "claim-unreferenced-blobs",
  text: `
    update unreferenced_blobs b set deleting = true, delete_after = now() + ${DELETION}
    from (
      select key from unreferenced_blobs where delete_after <= now() and not ${BACKUP_IN_PROGRESS}
      order by delete_after limit $1 for update skip locked
    ) due
    where b.key = due.key
    returning b.key`,
});

/**
 * Claims up to `limit` contents without a file for deletion; other processes skip them for ten minutes. None while a
 * backup is in progress, whose snapshot may have their files.
 */
export async function claimBlobsToDelete(db: Database, limit: number): Promise<readonly string[]> {
  const rows = await db.query<{ key: string }>(CLAIM, [limit]);
  return rows.map(({ key }) => key);
}

const REMOVE = statement({
  name: "remove-deleted-blobs",
  text: `delete from unreferenced_blobs b where b.key = any($1)`,
});

/** Removes deleted contents from the list. */
export async function removeDeletedBlobs(db: Database, keys: readonly string[]): Promise<void> {
  await db.query(REMOVE, [keys]);
}
