import type { Logger } from "pino";
import { storableText } from "#domain/storable.ts";
import type { RunErrorCode } from "#domain/streams/stream-event.ts";
import { UnreadableSecretError } from "#lib/security/secret-box.ts";

/** A run cannot end well; the message tells the task's owner why and what to do. */
export class RunFailure extends Error {
  readonly code: RunErrorCode;

  constructor(code: RunErrorCode, message: string) {
    super(storableText(message));
    this.name = "RunFailure";
    this.code = code;
  }
}

/** These end a run whatever its config says of failures: they would happen again in whatever comes next. */
const FINAL: ReadonlySet<RunErrorCode> = new Set(["BUDGET_EXCEEDED", "CRASH_LOOP"]);

/** Whether a part of a run can fail with this and the run continue; whatever else is thrown is for the run itself. */
export function isStepFailure(error: unknown): error is RunFailure {
  return error instanceof RunFailure && !FINAL.has(error.code);
}

/** Any error as a run's failure; a fault of the service is logged with these ids and told without its text. */
export function asRunFailure(error: unknown, log: Logger, ids: Readonly<Record<string, string>>): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error instanceof UnreadableSecretError) return new RunFailure("INTERNAL_ERROR", error.message);
  log.error({ err: error, ...ids }, "run failed by a fault of the service");
  return new RunFailure(
    "INTERNAL_ERROR",
    "The run was stopped by an internal error; the server's log has the details.",
  );
}
