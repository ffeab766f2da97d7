import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppError } from "#domain/errors.ts";
import { nearest } from "#lib/text/nearest.ts";

/** As much of a name is compared with the known ones. */
const MAX_COMPARED_LENGTH = 60;

/** The fields of a {@link TableError} besides its code and message. */
export interface TableErrorOptions extends ErrorOptions {
  readonly details?: string | null | undefined;
  readonly hint?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error of the table API: `{code, message, details, hint}` with the codes and messages of PostgREST (PGRST…) and
 * PostgreSQL (SQLSTATE). `PTnnn` is PostgREST's code for a custom status.
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

/** A query string that is invalid or exceeds a limit. */
export function badQuery(message: string, details?: string): TableError {
  return new TableError(400, "PGRST100", { message, details });
}

/** A query that counts or sums. */
export function noAggregates(): TableError {
  return new TableError(400, "PGRST123", { message: "Use of aggregate functions is not allowed" });
}

/** An invalid body. */
export function badBody(message: string, details?: string): TableError {
  return new TableError(400, "PGRST102", { message, details });
}

/** A query's column that its table lacks; the hint is PostgreSQL's. */
export function unknownColumn(table: string, column: string, known: readonly string[]): TableError {
  const near = nearest(column.slice(0, MAX_COMPARED_LENGTH), known);
  return new TableError(400, "42703", {
    message: `column ${table}.${column} does not exist`,
    hint: near === undefined ? null : `Perhaps you meant to reference the column "${table}.${near}".`,
  });
}

/** A path's table that does not exist; the hint is PostgREST's. */
export function unknownTable(name: string, known: readonly string[]): TableError {
  const near = nearest(name.slice(0, MAX_COMPARED_LENGTH), known);
  return new TableError(404, "PGRST205", {
    message: `Could not find the table 'public.${name}' in the schema cache`,
    hint: near === undefined ? null : `Perhaps you meant the table 'public.${near}'`,
  });
}

/** A column of a body, or of `columns`, that its table lacks. */
export function unknownField(table: string, column: string): TableError {
  return new TableError(422, "PGRST204", {
    message: `Could not find the '${column}' column of '${table}' in the schema cache`,
  });
}

/** A missing permission of the caller. */
export function denied(table: string, details?: string): TableError {
  return new TableError(403, "42501", { message: `permission denied for table ${table}`, details });
}

/** A missing or invalid credential. */
export function unauthorized(code: "PGRST301" | "PGRST302", message: string, hint?: string): TableError {
  return new TableError(401, code, { message, hint, headers: { "WWW-Authenticate": "Bearer" } });
}

/** Maps an error of an operation or of the service to the table API's form. */
export function fromAppError(error: AppError): TableError {
  const { message, headers, details } = error;
  const options = { message, headers, details: details?.map((issue) => issue.message).join("; "), cause: error };
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
