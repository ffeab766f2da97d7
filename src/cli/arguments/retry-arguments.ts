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
  | { readonly failed: { readonly error_code: string; readonly since?: string } };

/** What {@link RETRY_FAILED} and an optional id ask for. @throws UsageError unless one of them is given. */
export function retryTargetOf(
  what: string,
  { id, failed, since }: Readonly<Record<"id" | "failed" | "since", string | undefined>>,
): RetryTarget {
  if (id !== undefined && failed === undefined) return { id };
  if (id === undefined && failed !== undefined) {
    return { failed: { error_code: failed.toUpperCase(), ...(since !== undefined && { since }) } };
  }
  throw new UsageError(`Give the id of a ${what}, or --failed with the code of a failure.`);
}
