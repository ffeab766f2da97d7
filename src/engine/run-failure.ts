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
