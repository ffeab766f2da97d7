import type { Database } from "#db/database.ts";
import { claimBlobsToDelete, recordUpload, removeDeletedBlobs } from "#db/queries/files/unreferenced-blobs.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import type { BlobSweeper } from "../ports.ts";

const BATCH = 100;

/** The content to store. */
export interface NewBlob {
  /** Unique forever: `files/<workspace id>/<id>`. */
  readonly key: string;
  readonly content: Uint8Array;
  readonly mediaType: string;
}

interface Stored {
  readonly db: Database;
  readonly blobs: BlobStore;
}

/**
 * Stores a content. Within a day, a row must reference its key, in a table with the triggers `reference_blob` and
 * `release_blob`. Otherwise it is deleted, as it is when that row is deleted.
 * @throws BlobStoreError when the store is not available or rejects it.
 */
export async function storeBlob({ db, blobs }: Stored, { key, content, mediaType }: NewBlob): Promise<void> {
  await recordUpload(db, key);
  await blobs.put(key, content, mediaType);
}

/** Creates a process's sweeper; several processes may sweep concurrently. */
export function createBlobSweeper({
  db,
  blobs,
  onError,
}: Stored & { readonly onError: (error: unknown) => void }): BlobSweeper {
  async function runOnce(isStopped = () => false): Promise<number> {
    let removed = 0;
    for (let taken = BATCH; taken === BATCH && !isStopped(); removed += taken) {
      const keys = await claimBlobsToDelete(db, BATCH);
      await Promise.all(keys.map((key) => blobs.delete(key)));
      if (keys.length > 0) await removeDeletedBlobs(db, keys);
      taken = keys.length;
    }
    return removed;
  }
  return { runOnce, soon: () => void runOnce().catch(onError) };
}
