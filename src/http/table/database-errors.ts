import type { ContentfulStatusCode } from "hono/utils/http-status";
import { DatabaseError } from "pg";
import { TableError } from "./errors.ts";

/**
 * The HTTP status of a class of SQLSTATE codes, or of one code, as in PostgREST. Missing codes are internal errors,
 * such as an unknown table.
 */
const STATUS: Readonly<Record<string, ContentfulStatusCode>> = {
  "21": 400,
  "22": 400,
  "23": 400,
  "23503": 409,
  "23505": 409,
  "40": 500,
  "42501": 403,
  "42704": 400,
  "42804": 400,
  "42846": 400,
  "42883": 400,
  "57014": 500,
};
/** Errors of a body, not of the query. */
const BODY_ERROR_CODES = new Set(["23502", "23514", "22P02", "22007", "22008", "22003", "22001"]);
const VALIDATION = 422;
const QUERY_ERROR_STATUS = 400;

/**
 * Maps a rejection of PostgreSQL to PostgREST's form; undefined for an internal error, whose text is not shown. `of`
 * says where the values came from.
 */
export function fromDatabaseError(error: unknown, of: "query" | "body"): TableError | undefined {
  if (!(error instanceof DatabaseError) || error.code === undefined) return undefined;
  const { code, message, detail, hint } = error;
  const status = isTextSearchSyntax(error) ? QUERY_ERROR_STATUS : (STATUS[code] ?? STATUS[code.slice(0, 2)]);
  if (status === undefined) return undefined;
  return new TableError(of === "body" && BODY_ERROR_CODES.has(code) ? VALIDATION : status, code, {
    message,
    details: detail,
    hint,
    cause: error,
  });
}

/** PostgreSQL has one code for errors in SQL, which are internal, and in a full-text query, which is a value. */
function isTextSearchSyntax({ code, routine }: DatabaseError): boolean {
  return code === "42601" && routine !== "scanner_yyerror";
}
