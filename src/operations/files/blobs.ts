import type { Database } from "#db/database.ts";
import { doomBlobs, expectBlob, deleteBlobRows } from "#db/queries/files/orphaned-blobs.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";

const BATCH = 100;

/** A content to be stored. */
export interface NewBlob {
  /** Unique forever, as `files/<workspace id>/<id>`. */
  readonly key: string;
  readonly content: Uint8Array;
  readonly mediaType: string;
}

interface Stored {
  readonly db: Database;
  readonly blobs: BlobStore;
}

/**
 * Stores a content. Within a day a row must take its key, in a table with the triggers `keep_blob` and
 * `let_blob_go`; without one it is deleted, and it is deleted when that row is gone.
 * @throws BlobStoreError when the store is away or rejects.
 */
export async function storeBlob({ db, blobs }: Stored, { key, content, mediaType }: NewBlob): Promise<void> {
  await expectBlob(db, key);
  await blobs.put(key, content, mediaType);
}

/** Removes contents that no row holds. */
export interface BlobSweeper {
  /** Removes those of now; returns how many. @throws BlobStoreError when the store is away; what is left waits for the next time. */
  runOnce(): Promise<number>;
  /** The same in the background: call it when rows with contents were deleted. */
  soon(): void;
}

/** Makes a process's sweeper; several processes may sweep concurrently. */
export function createBlobSweeper({
  db,
  blobs,
  onError,
}: Stored & { readonly onError: (error: unknown) => void }): BlobSweeper {
  async function runOnce(): Promise<number> {
    let removed = 0;
    for (let taken = BATCH; taken === BATCH; removed += taken) {
      const keys = await doomBlobs(db, BATCH);
      await Promise.all(keys.map((key) => blobs.delete(key)));
      if (keys.length > 0) await deleteBlobRows(db, keys);
      taken = keys.length;
    }
    return removed;
  }
  return { runOnce, soon: () => void runOnce().catch(onError) };
}
