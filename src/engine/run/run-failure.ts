import type { Logger } from "pino";
import { storableText } from "#domain/storable.ts";
import type { RunErrorCode } from "#domain/streams/stream-event.ts";
import { UnreadableSecretError } from "#lib/security/secret-box.ts";

/** A run failed; the message says to the task's owner why and what to do. */
export class RunFailure extends Error {
  readonly code: RunErrorCode;

  constructor(code: RunErrorCode, message: string) {
    super(storableText(message));
    this.name = "RunFailure";
    this.code = code;
  }
}

/** Failures that always end the run, because any retry or fallback would fail in the same way. */
const FINAL: ReadonlySet<RunErrorCode> = new Set(["BUDGET_EXCEEDED", "CRASH_LOOP"]);

/** Whether a part of a run may fail with this while the run continues; other errors end the execution. */
export function isStepFailure(error: unknown): error is RunFailure {
  return error instanceof RunFailure && !FINAL.has(error.code);
}

/** Converts any error into a run failure; an internal error is logged with these ids, and its text is not shown. */
export function asRunFailure(error: unknown, log: Logger, ids: Readonly<Record<string, string>>): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error instanceof UnreadableSecretError) return new RunFailure("INTERNAL_ERROR", error.message);
  log.error({ err: error, ...ids }, "run failed because of an internal error");
  return new RunFailure(
    "INTERNAL_ERROR",
    "The run was stopped by an internal error; the server's log has the details.",
  );
}
