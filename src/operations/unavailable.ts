import { isOutage } from "#db/retry-outage.ts";
import { AppError } from "#domain/errors.ts";
import { BlobMissing, BlobStoreError } from "#lib/blobs/blob-store.ts";

const RETRY_AFTER = { "Retry-After": "2" };
/** What PostgreSQL and the system call a full disk. */
const DISK_FULL: ReadonlySet<unknown> = new Set(["53100", "ENOSPC"]);
/** SQLSTATEs of a transaction that another one was in the way of: a deadlock, and a wait for a lock that was cut short. */
const BLOCKED: ReadonlySet<unknown> = new Set(["40P01", "55P03"]);
/** SQLSTATE query_canceled: a statement took longer than it may. */
const TOO_SLOW = "57014";

/**
 * Tells a caller of what passes by itself or by the operator's hand, so that sending the request again later helps: the
 * database or the file store is away, a disk is full, others are in the way. Undefined for any other error.
 */
export function asUnavailable(error: unknown): AppError | undefined {
  const code = codeOf(error);
  const options = { cause: error, headers: RETRY_AFTER };
  if (DISK_FULL.has(code)) {
    return new AppError("storage_full", "The service's disk is full: nothing can be stored now.", options);
  }
  if (BLOCKED.has(code)) {
    return new AppError("unavailable", "Other requests are changing the same records; send this one again.", options);
  }
  if (isTooSlow(error)) return new AppError("unavailable", "The database took too long; try again later.", options);
  if (isOutage(error)) return new AppError("unavailable", "The database cannot be reached now; try again.", options);
  if (error instanceof BlobStoreError && !(error instanceof BlobMissing)) {
    return new AppError("unavailable", "The file store cannot be reached now; try again.", options);
  }
  return undefined;
}

/** Whether a statement was cut short by its time limit. */
export function isTooSlow(error: unknown): boolean {
  return codeOf(error) === TOO_SLOW;
}

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? error.code : codeOf(error.cause);
}
