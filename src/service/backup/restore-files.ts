import { BlobMissingError } from "#lib/blobs/blob-store.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import { BackupError } from "./format.ts";

/** The stored type of a content; the service reads it from the file's row. */
const MEDIA_TYPE = "application/octet-stream";

/** Restores the contents of files. */
export interface FileRestore {
  /** Stores a content, unless the store has it. @throws BackupError when the store has another one under its key */
  put(key: string, content: Buffer): Promise<void>;
  /** How many contents the store had already. */
  found(): number;
  /** Deletes what was stored. */
  undo(): Promise<void>;
}

/** Creates the restore of files into a store. */
export function createFileRestore(blobs: BlobStore): FileRestore {
  const stored: string[] = [];
  let found = 0;
  return {
    async put(key, content) {
      const present = await blobs.get(key).catch((error: unknown) => {
        if (error instanceof BlobMissingError) return undefined;
        throw error;
      });
      if (present === undefined) {
        await blobs.put(key, content, MEDIA_TYPE);
        stored.push(key);
      } else if (Buffer.compare(present, content) === 0) found += 1;
      else throw new BackupError(`The store has another content of the file ${key}. Restore into an empty store.`);
    },
    found: () => found,
    async undo() {
      for (const key of stored) await blobs.delete(key);
    },
  };
}
