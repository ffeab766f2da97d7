import type { ExitCode } from "./exit-codes.ts";
import { EXIT } from "./exit-codes.ts";

/** An end of a command that its user is to read: the message says what is wrong and what to do. */
export class CliError extends Error {
  /** With what the process exits. */
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}

/** The command line itself is wrong. */
export class UsageError extends CliError {
  constructor(message: string, options?: ErrorOptions) {
    super(EXIT.usage, message, options);
  }
}

/** No answer came, or not one of a Muster service. */
export class UnreachableError extends CliError {
  constructor(message: string, options?: ErrorOptions) {
    super(EXIT.unreachable, message, options);
  }
}

/** The service answered, and said no. */
export class RejectedError extends CliError {
  /** The HTTP status of the answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(status === 401 || status === 403 ? EXIT.unauthorized : EXIT.failed, message);
    this.status = status;
  }
}
