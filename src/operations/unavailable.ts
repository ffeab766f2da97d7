import { isOutage } from "#db/retry-outage.ts";
import { AppError } from "#domain/errors.ts";
import { BlobMissingError, BlobStoreError } from "#lib/blobs/blob-store.ts";
import { codeOf } from "#lib/error-code.ts";

const RETRY_AFTER = { "Retry-After": "2" };
/** The codes of a full disk, of PostgreSQL and of the system. */
const DISK_FULL: ReadonlySet<string> = new Set(["53100", "ENOSPC"]);
/** SQLSTATEs of a transaction that another one blocked: a deadlock, and a lock time-out. */
const BLOCKED: ReadonlySet<string> = new Set(["40P01", "55P03"]);
/** SQLSTATEs of a server without memory for a statement, and of a file that it could not read or write. */
const OVERLOADED: ReadonlySet<string> = new Set(["53200", "58030"]);
/** SQLSTATE query_canceled: a statement exceeded its time limit. */
const TOO_SLOW = "57014";

/**
 * Maps temporary errors to an error that asks the caller to retry later: the database or the file store is not
 * available, a disk is full, other transactions block. Undefined for any other error.
 */
export function asUnavailable(error: unknown): AppError | undefined {
  const code = causeOf(error);
  const options = { cause: error, headers: RETRY_AFTER };
  if (DISK_FULL.has(code)) {
    return new AppError("storage_full", "The disk of the service is full; nothing can be stored now.", options);
  }
  if (BLOCKED.has(code)) {
    return new AppError("unavailable", "Other requests are changing the same records; send this one again.", options);
  }
  if (exceededTimeLimit(error))
    return new AppError("unavailable", "The database took too long; try again later.", options);
  if (OVERLOADED.has(code)) return new AppError("unavailable", "The database failed for a moment; try again.", options);
  if (isOutage(error)) return new AppError("unavailable", "The database cannot be reached now; try again.", options);
  if (error instanceof BlobStoreError && !(error instanceof BlobMissingError)) {
    return new AppError("unavailable", "The file store cannot be reached now; try again.", options);
  }
  return undefined;
}

/** True if a statement exceeded its time limit. */
export function exceededTimeLimit(error: unknown): boolean {
  return causeOf(error) === TOO_SLOW;
}

function causeOf(error: unknown): string {
  return codeOf(error) || (error instanceof Error ? causeOf(error.cause) : "");
}
