import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import type { RunErrorCode } from "#domain/streams/stream-event.ts";
import { UsageError } from "../errors/cli-error.ts";

/** Arguments of a command that runs one thing again, or all that failed in one way. */
export const RETRY_FAILED = {
  failed: {
    type: "string",
    valueHint: "code",
    description: "All that failed so, as CRASH_LOOP; at most 100 at a time",
  },
  since: { type: "string", valueHint: "time", description: "With --failed: created since, as 2030-01-31T12:00:00Z" },
} as const;

/** One id, or what the service needs to know of all that failed. */
export type RetryTarget =
  | { readonly id: string }
  | { readonly failed: { readonly error_code: RunErrorCode; readonly since?: string } };

/** What {@link RETRY_FAILED} and an optional id ask for. @throws UsageError unless one of them is given. */
export function retryTargetOf(
  what: string,
  { id, failed, since }: Readonly<Record<"id" | "failed" | "since", string | undefined>>,
): RetryTarget {
  if (id !== undefined && failed === undefined) return { id };
  if (id === undefined && failed !== undefined) {
    const code = RUN_ERROR_CODES.find((each) => each === failed.toUpperCase());
    if (code === undefined)
      throw new UsageError(`--failed must be one of ${RUN_ERROR_CODES.join(", ")}, not "${failed}".`);
    return { failed: { error_code: code, ...(since !== undefined && { since }) } };
  }
  throw new UsageError(`Give the id of a ${what}, or --failed with the code of a failure.`);
}
