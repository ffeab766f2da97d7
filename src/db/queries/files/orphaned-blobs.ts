import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The time limit until an upload's row is committed, and until a failed deletion is retried. */
const UPLOAD = "interval '1 day'";
const DELETION = "interval '10 minutes'";

const EXPECT = statement({
  name: "expect-blob",
  text: `
    insert into stray_blobs (key, delete_after) values ($1, now() + ${UPLOAD})
    on conflict (key) do nothing`,
});

/** Records a content before it is stored. Committed immediately, in its own transaction. */
export async function expectBlob(db: Database, key: string): Promise<void> {
  await db.query(EXPECT, [key]);
}

const DOOM = statement({
  name: "doom-blobs",
  text: `
    update stray_blobs s set doomed = true, delete_after = now() + ${DELETION}
    from (
      select key from stray_blobs where delete_after <= now() order by delete_after limit $1 for update skip locked
    ) due
    where s.key = due.key
    returning s.key`,
});

/** Claims up to `limit` contents without a file for deletion; other processes skip them for ten minutes. */
export async function doomBlobs(db: Database, limit: number): Promise<readonly string[]> {
  const rows = await db.query<{ key: string }>(DOOM, [limit]);
  return rows.map(({ key }) => key);
}

const FORGET = statement({ name: "forget-blobs", text: `delete from stray_blobs s where s.key = any($1)` });

/** Removes deleted contents from the list. */
export async function deleteBlobRows(db: Database, keys: readonly string[]): Promise<void> {
  await db.query(FORGET, [keys]);
}
