import type { MusterClient } from "#client/index.ts";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import type { RunErrorCode } from "#domain/streams/stream-event.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { CONNECTION } from "./arguments.ts";
import { defineCommand } from "./define-command.ts";
import type { Command } from "./define-command.ts";
import { parseSince, SINCE_FORM } from "./parse-time.ts";
import { resolveId } from "./resolve-record.ts";

/** What a retry of many takes: those that failed with one code. */
interface Failed {
  readonly error_code: RunErrorCode;
  readonly since?: string;
}

/** The retries of a kind of work. */
export interface Retry {
  readonly kind: "task" | "run";
  readonly summary: string;
  /** Description of the id. */
  readonly id: string;
  readonly retry: (muster: MusterClient, id: string) => Promise<{ readonly id: string; readonly status: string }>;
  readonly retryFailed: (
    muster: MusterClient,
    failed: Failed,
  ) => Promise<{ readonly retried: number; readonly has_more: boolean }>;
}

/** Returns the command that retries one task or run, or all that failed with one code. */
export function defineRetry({ kind, summary, id, retry, retryFailed }: Retry): Command {
  return defineCommand({
    summary,
    args: {
      id: { type: "positional", required: false, description: id },
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
      ...CONNECTION,
    },
    async run(args) {
      const { muster, out } = openSession(args);
      const target = targetOf(kind, args);
      if ("id" in target) {
        const record = await retry(muster, await resolveId(muster, kind, target.id));
        if (args.json) out.json(record);
        else out.line(`Started ${kind} ${record.id} (${record.status})`);
        return EXIT.ok;
      }
      const answer = await retryFailed(muster, target.failed);
      if (args.json) out.json(answer);
      else out.line(`Started ${answer.retried} ${answer.retried === 1 ? kind : `${kind}s`}`);
      if (answer.has_more) out.note("There are more; run the command again for the next ones.", "dim");
      return EXIT.ok;
    },
  });
}

/**
 * Returns what to retry.
 * @throws UsageError unless exactly one of the id and the code is given, and for an invalid code or time
 */
function targetOf(
  kind: Retry["kind"],
  { id, failed, since }: Readonly<Record<"id" | "failed" | "since", string | undefined>>,
): { readonly id: string } | { readonly failed: Failed } {
  if (id !== undefined && failed === undefined) return { id };
  if (id === undefined && failed !== undefined) {
    const code = RUN_ERROR_CODES.find((each) => each === failed.toUpperCase());
    if (code === undefined)
      throw new UsageError(`--failed must be one of ${RUN_ERROR_CODES.join(", ")}, not "${failed}".`);
    return { failed: { error_code: code, ...(since !== undefined && { since: parseSince("since", since) }) } };
  }
  throw new UsageError(`Give the id of a ${kind}, or --failed with the code of a failure.`);
}
