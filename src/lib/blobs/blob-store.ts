/**
 * Stores file contents by key: in a folder ({@link file://./local-blobs.ts}) or a bucket ({@link
 * file://./s3-blobs.ts}).
 */
export interface BlobStore {
  /**
   * Stores a content atomically, replacing one with the same key.
   * @throws BlobStoreError when the store is unavailable or rejects the request
   */
  put(key: string, content: Uint8Array, mediaType: string): Promise<void>;
  /** Reads a complete content. @throws BlobMissingError; BlobStoreError as {@link BlobStore.put} */
  get(key: string): Promise<Uint8Array>;
  /** Opens a content as a stream. @throws as {@link BlobStore.get} */
  stream(key: string): Promise<ReadableStream<Uint8Array>>;
  /** Deletes a content, if it exists. @throws BlobStoreError as {@link BlobStore.put} */
  delete(key: string): Promise<void>;
}

/** The store is unavailable, or rejected a request; the message says where and why. */
export class BlobStoreError extends Error {
  override readonly name: string = "BlobStoreError";
}

/** The store is unavailable, perhaps temporarily. */
export class BlobStoreUnreachableError extends BlobStoreError {
  override readonly name = "BlobStoreUnreachableError";
}

/** The store has no content for a key that should exist. The message is for callers: it does not say where the store is. */
export class BlobMissingError extends BlobStoreError {
  override readonly name = "BlobMissingError";
}

const KEY = /^[\da-z][\w-]*(\/[\da-z][\w-]*)*$/i;

/**
 * Accepts keys that are safe in every store: parts of letters, digits, `_` and `-`, separated by `/`. @throws TypeError
 * for any other key
 */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError(`Not a key of a blob: ${JSON.stringify(key)}`);
  return key;
}
