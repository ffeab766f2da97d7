import { setTimeout as sleep } from "node:timers/promises";
import { BlobMissingError, BlobStoreError } from "#lib/blobs/blob-store.ts";
import { storeBlob } from "#operations/files/blobs.ts";
import type { NewBlob } from "#operations/files/blobs.ts";
import type { EngineServices } from "./run-context.ts";
import { RunFailure } from "./run-failure.ts";

/** Pauses between attempts while the file store is unavailable, in milliseconds. */
const PAUSES_MS = [1_000, 3_000, 9_000];

/**
 * Reads a content.
 * @throws BlobMissingError; BlobStoreError when the store stays unavailable; the signal's reason
 */
export function readContent(
  { blobs }: Pick<EngineServices, "blobs">,
  blobKey: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return retryFileStore(() => blobs.get(blobKey), signal);
}

/** Stores a content. @throws BlobStoreError when the store stays unavailable; the signal's reason */
export function storeContent(
  engine: Pick<EngineServices, "db" | "blobs">,
  blob: NewBlob,
  signal?: AbortSignal,
): Promise<void> {
  return retryFileStore(() => storeBlob(engine, blob), signal);
}

/** Explains to the task's owner that a file of the run cannot be read. Where files are stored is for the log. */
export function unreadableFile({ log }: Pick<EngineServices, "log">, name: string, error: BlobStoreError): RunFailure {
  log.error({ err: error, file: name }, "a file of a run cannot be read");
  const reason =
    error instanceof BlobMissingError
      ? error.message
      : "The file store is not available; the server's log has the details.";
  return new RunFailure("FILE_UNAVAILABLE", `The file ${name} cannot be read. ${reason}`);
}

async function retryFileStore<T>(run: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof BlobStoreError) || error instanceof BlobMissingError) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
  return run();
}
