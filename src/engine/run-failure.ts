import type { Logger } from "pino";
import type { RunErrorCode } from "#domain/stream-event.ts";

/** A run cannot end well; the message tells the task's owner why and what to do. */
export class RunFailure extends Error {
  readonly code: RunErrorCode;

  constructor(code: RunErrorCode, message: string) {
    super(message);
    this.name = "RunFailure";
    this.code = code;
  }
}

/** Any error as a run's failure; a fault of the service is logged with these ids and told without its text. */
export function asRunFailure(error: unknown, log: Logger, ids: Readonly<Record<string, string>>): RunFailure {
  if (error instanceof RunFailure) return error;
  log.error({ err: error, ...ids }, "run failed by a fault of the service");
  return new RunFailure(
    "INTERNAL_ERROR",
    "The run was stopped by an internal error; the server's log has the details.",
  );
}
