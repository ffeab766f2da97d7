import type { ExitCode } from "./exit-codes.ts";
import { EXIT } from "./exit-codes.ts";

/** An error for the user: the message says what is wrong and what to do. */
export class CliError extends Error {
  /** The exit code of the process. */
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}

/** The command line is invalid. */
export class UsageError extends CliError {
  constructor(message: string, options?: ErrorOptions) {
    super(EXIT.usage, message, options);
  }
}

/** The service did not respond, or is not a Muster service. */
export class UnreachableError extends CliError {
  constructor(message: string, options?: ErrorOptions) {
    super(EXIT.unreachable, message, options);
  }
}

/** The service rejected the request. */
export class RejectedError extends CliError {
  /** The HTTP status of the response. */
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(status === 401 || (status === 403 && code !== "quota_exceeded") ? EXIT.unauthorized : EXIT.failed, message);
    this.status = status;
  }
}
