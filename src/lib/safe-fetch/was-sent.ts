import { codeOf } from "../error-code.ts";
import { UnsafeUrlError } from "./check-url.ts";

/** Errors before a connection is open (https://nodejs.org/api/errors.html#common-system-errors, undici's own). */
const BEFORE: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether a failed request may have reached its host. */
export function wasSent(error: unknown): boolean {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof UnsafeUrlError || BEFORE.has(codeOf(inner))) return false;
    inner = inner.cause;
  }
  return true;
}
