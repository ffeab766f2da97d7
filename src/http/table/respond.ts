import type { ContentfulStatusCode, StatusCode } from "hono/utils/http-status";
import { DatabaseError } from "pg";
import { AppError } from "#domain/errors.ts";
import { SlotTimeoutError } from "#lib/async/fair-limiter.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { fromDatabaseError } from "./database-errors.ts";
import { fromAppError, TableError } from "./errors.ts";
import { notSatisfiable } from "./parse/range.ts";
import type { TableRequest } from "./request.ts";
import type { Selection } from "./select-rows.ts";

/** The parts of a response besides its body. */
interface Answer<Status extends StatusCode = StatusCode> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Responds to a read: 206 when there are more rows, 416 for a range after the last row. */
export function respondRows(request: TableRequest, rows: Selection): Response {
  const { offset } = request.plan.range;
  const { length, total } = rows;
  if (total !== null && offset > total) {
    throw notSatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, total);
  }
  const range = length === 0 ? "*" : `${offset}-${offset + length - 1}`;
  const headers = { ...applied(request), "Content-Range": `${range}/${total ?? "*"}` };
  return body(request, rows, { status: total !== null && length < total ? 206 : 200, headers });
}

/** Responds to a change with the changed rows. */
export function respondChanged(request: TableRequest, rows: Selection, answer: Answer<ContentfulStatusCode>): Response {
  return body(request, rows, { ...answer, headers: { ...answer.headers, ...applied(request) } });
}

/** Responds to a change without a body. */
export function respondDone(request: TableRequest, answer: Answer): Response {
  return request.c.body(null, answer.status, { ...answer.headers, ...applied(request) });
}

/** Responds with a value that is already JSON. */
export function respondJson(c: HttpContext, json: string): Response {
  return c.body(json, 200, { "Content-Type": JSON_TYPE });
}

/** Checks that a response for one row has exactly one. @throws TableError PGRST116. */
export function checkSingle({ accepted }: TableRequest, length: number): void {
  if (!accepted.single || length === 1) return;
  throw new TableError(406, "PGRST116", {
    message: "Cannot coerce the result to a single JSON object",
    details: `The result contains ${length} rows`,
  });
}

/** Responds with any error in PostgREST's form; an internal error's message is logged, not shown. */
export function respondTableError(services: Pick<HttpServices, "log">, error: Error, c: HttpContext): Response {
  const { status, code, message, details, hint, headers } = asTableError(error) ?? internalError(services, error, c);
  const text = JSON.stringify({ code, details, hint, message });
  return c.body(text, status, { ...headers, "Content-Type": JSON_TYPE });
}

function asTableError(error: Error): TableError | undefined {
  if (error instanceof TableError) return error;
  if (error instanceof AppError) return fromAppError(error);
  if (error instanceof DatabaseError) return fromDatabaseError(error, "query");
  if (!(error instanceof SlotTimeoutError)) return undefined;
  return new TableError(504, "PGRST003", { message: "Timed out acquiring connection from connection pool." });
}

function internalError(services: Pick<HttpServices, "log">, error: Error, c: HttpContext): TableError {
  services.log.error(
    { err: error, requestId: c.get("requestId"), workspaceId: c.get("workspaceId"), path: c.req.path },
    "request failed",
  );
  return new TableError(500, "XX000", { message: "Internal error." });
}

function body(request: TableRequest, rows: Selection, answer: Answer<ContentfulStatusCode>): Response {
  const { accepted, c } = request;
  checkSingle(request, rows.length);
  return c.body(rendered(request, rows), answer.status, { ...answer.headers, "Content-Type": accepted.type });
}

function rendered({ accepted, plan }: TableRequest, { body }: Selection): string {
  if (accepted.form === "csv") return `${plan.fields.map(({ name }) => csvName(name)).join(",")}\n${body}`;
  // Removes the brackets of a list with one row.
  return accepted.single ? body.slice(1, -1) : body;
}

function csvName(name: string): string {
  return /[",\r\n]/u.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

function applied({ prefer }: TableRequest): Readonly<Record<string, string>> {
  return prefer.applied.length === 0 ? {} : { "Preference-Applied": prefer.applied.join(", ") };
}
