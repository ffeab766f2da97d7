/** The errors of operations, with the HTTP status of the REST APIs. Other surfaces map the code, never the status. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  internal_error: 500,
  unavailable: 503,
  storage_full: 503,
} as const;

/** The machine-readable code of an {@link AppError}. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** One issue of a caller's input: its path (`tools.0`, `` for the whole body) and the reason. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** The first words of a message that continues a sentence whose subject is the field. */
const PREDICATE = /^(?:is|are|must|may|cannot|contains|lists|needs|has|have|does)\b/;

/** Returns an issue as one sentence: `title is required`, or `title: unknown field`. */
export function describeIssue({ path, message }: FieldIssue): string {
  if (path === "") return message;
  return PREDICATE.test(message) ? `${path} ${message}` : `${path}: ${message}`;
}

/** Optional data of an {@link AppError}. */
export interface AppErrorOptions extends ErrorOptions {
  /** The issues of a validation error, shown to the caller. */
  readonly details?: readonly FieldIssue[];
  /** Response headers of the error, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error whose message is safe and useful for the caller. Operations throw it; each surface converts it to its own
 * format in one place. Any other error is internal and is shown as `internal_error` without its message.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly FieldIssue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  /** The HTTP status of this error's code. */
  get status(): (typeof ERROR_STATUS)[ErrorCode] {
    return ERROR_STATUS[this.code];
  }
}

/** Returns `not_found` for an id that is unknown or belongs to another workspace, without a difference. */
export function notFound(what: string): AppError {
  return new AppError("not_found", `${what} not found`);
}

/** For a record that may be missing: `orNotFound("Task")(record)` returns it. @throws AppError `not_found` */
export function orNotFound(what: string): <T>(record: T | undefined) => T {
  return (record) => {
    if (record === undefined) throw notFound(what);
    return record;
  };
}
