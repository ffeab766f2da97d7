/** Keeps contents of files under keys: in a folder ({@link file://./local-blobs.ts}) or a bucket ({@link file://./s3-blobs.ts}). */
export interface BlobStore {
  /**
   * Stores a content, whole or not at all; one that had the key is replaced.
   * @throws BlobStoreError when the store is away or rejects.
   */
  put(key: string, content: Uint8Array, mediaType: string): Promise<void>;
  /** Reads a content whole. @throws BlobMissing; BlobStoreError when the store is away or rejects. */
  get(key: string): Promise<Uint8Array>;
  /** Opens a content for reading, piece by piece. @throws as {@link BlobStore.get}. */
  stream(key: string): Promise<ReadableStream<Uint8Array>>;
  /** Removes a content; one that is not there is fine. @throws BlobStoreError when the store is away or rejects. */
  delete(key: string): Promise<void>;
}

/** The store cannot be reached, or refuses to do what it was asked for; the message says where and why. */
export class BlobStoreError extends Error {
  override readonly name: string = "BlobStoreError";
}

/** The store cannot be reached; it may be back later. */
export class BlobStoreUnreachable extends BlobStoreError {
  override readonly name = "BlobStoreUnreachable";
}

/** The store has nothing under a key that should be there. */
export class BlobMissing extends BlobStoreError {
  override readonly name = "BlobMissing";
}

const KEY = /^[\da-z][\w-]*(\/[\da-z][\w-]*)*$/i;

/**
 * Lets keys pass that mean the same in every store and lead out of none: parts of letters, digits, `_` and
 * `-`, with `/` between them. @throws TypeError for any other.
 */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError(`Not a key of a blob: ${JSON.stringify(key)}`);
  return key;
}
