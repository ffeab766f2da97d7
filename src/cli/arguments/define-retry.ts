import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import type { RunErrorCode } from "#domain/streams/stream-event.ts";
import { UsageError } from "../errors/cli-error.ts";
import { parseSince, SINCE_FORM } from "./parse-time.ts";

/** Arguments of a command that retries one task or run, or all that failed with one code. */
export const RETRY_FAILED = {
  failed: {
    type: "string",
    valueHint: "code",
    description: "All that failed with this code, such as CRASH_LOOP; at most 100 at a time",
  },
  since: {
    type: "string",
    valueHint: "time",
    description: `With --failed: created since ${SINCE_FORM}`,
  },
} as const;

/** One id, or the filter for all that failed. */
export type RetryTarget =
  | { readonly id: string }
  | { readonly failed: { readonly error_code: RunErrorCode; readonly since?: string } };

/**
 * Returns the target of {@link RETRY_FAILED} and an optional id.
 * @throws UsageError unless exactly one of them is given, and for an invalid time
 */
export function retryTargetOf(
  what: string,
  { id, failed, since }: Readonly<Record<"id" | "failed" | "since", string | undefined>>,
): RetryTarget {
  if (id !== undefined && failed === undefined) return { id };
  if (id === undefined && failed !== undefined) {
    const code = RUN_ERROR_CODES.find((each) => each === failed.toUpperCase());
    if (code === undefined)
      throw new UsageError(`--failed must be one of ${RUN_ERROR_CODES.join(", ")}, not "${failed}".`);
    return { failed: { error_code: code, ...(since !== undefined && { since: parseSince("since", since) }) } };
  }
  throw new UsageError(`Give the id of a ${what}, or --failed with the code of a failure.`);
}
