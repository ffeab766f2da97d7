import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppError } from "#domain/errors.ts";

/** What a {@link TableError} says besides its code and message. */
export interface TableErrorOptions extends ErrorOptions {
  readonly details?: string | null | undefined;
  readonly hint?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A rejection of the table API: `{code, message, details, hint}` in the codes and words of PostgREST
 * (PGRST…) and PostgreSQL (SQLSTATE). `PTnnn` is PostgREST's code for a custom status.
 */
export class TableError extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    { message, ...options }: TableErrorOptions & { readonly message: string },
  ) {
    super(message, options);
    this.name = "TableError";
    this.status = status;
    this.code = code;
    this.details = options.details ?? null;
    this.hint = options.hint ?? null;
    this.headers = options.headers ?? {};
  }
}

/** A query string that cannot be read, or that asks for more than is allowed. */
export function badQuery(message: string, details?: string): TableError {
  return new TableError(400, "PGRST100", { message, details });
}

/** A query that counts or sums. */
export function noAggregates(): TableError {
  return new TableError(400, "PGRST123", { message: "Use of aggregate functions is not allowed" });
}

/** A body that cannot be read. */
export function badBody(message: string, details?: string): TableError {
  return new TableError(400, "PGRST102", { message, details });
}

/** A column in a query that its table does not have. */
export function unknownColumn(table: string, column: string): TableError {
  return new TableError(400, "42703", { message: `column ${table}.${column} does not exist` });
}

/** A column in a body, or in `columns`, that its table does not have. */
export function unknownField(table: string, column: string): TableError {
  return new TableError(422, "PGRST204", {
    message: `Could not find the '${column}' column of '${table}' in the schema cache`,
  });
}

/** A right that the caller does not have. */
export function denied(table: string, details?: string): TableError {
  return new TableError(403, "42501", { message: `permission denied for table ${table}`, details });
}

/** A credential that is missing or not valid. */
export function unauthorized(code: "PGRST301" | "PGRST302", message: string): TableError {
  return new TableError(401, code, { message, headers: { "WWW-Authenticate": "Bearer" } });
}

/** A rejection of an operation or of the service around it, as the table API tells it. */
export function fromAppError(error: AppError): TableError {
  const { message, headers, details } = error;
  const options = { message, headers, details: details?.map((fault) => fault.message).join("; "), cause: error };
  switch (error.code) {
    case "unauthorized":
      return unauthorized("PGRST301", message);
    case "forbidden":
      return new TableError(403, "42501", options);
    case "unavailable":
      return new TableError(503, "PGRST000", options);
    case "storage_full":
      return new TableError(503, "53100", options);
    case "internal_error":
      return new TableError(500, "XX000", options);
    default:
      return new TableError(error.status, `PT${error.status}`, options);
  }
}
