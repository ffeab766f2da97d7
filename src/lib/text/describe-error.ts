import { codeOf } from "../error-code.ts";
/** An error as the log writes it. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Of a system or database error, such as `ECONNREFUSED` or `57P01`. */
  readonly code?: string;
  readonly cause?: unknown;
  /** The errors of an `AggregateError`. */
  readonly errors?: readonly unknown[];
}

/** Causes of causes below this depth are left out. */
const MAX_DEPTH = 4;

/**
 * Describes an error for the log, with its causes. Its other properties are left out: libraries attach clients,
 * requests and responses to their errors, which are long and can contain what users wrote.
 */
export function describeError(error: unknown, depth = 0): LoggedError | string {
  if (!(error instanceof Error)) return String(error);
  const describeNext = (next: unknown) => describeError(next, depth + 1);
  const isDeepest = depth === MAX_DEPTH;
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(codeOf(error) !== "" && { code: codeOf(error) }),
    ...(error.cause !== undefined && !isDeepest && { cause: describeNext(error.cause) }),
    ...(error instanceof AggregateError && !isDeepest && { errors: error.errors.map(describeNext) }),
  };
}
