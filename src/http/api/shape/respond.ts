import type { MiddlewareHandler } from "hono";
import { AppError } from "#domain/errors.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { RenderedPage, RowPage } from "#db/queries/row-pages.ts";
import type { Answer } from "#operations/access/answer-once.ts";
import type { HttpContext, HttpEnv } from "../../context.ts";
import { formatCursor } from "./cursor.ts";
import { asHeaderText, setHeader } from "../../middleware/set-header.ts";

const JSON_TYPE = "application/json; charset=UTF-8";

/**
 * Reads `X-API-Version`: without it or with 1, responses have bare data; with 2, data and meta. @throws AppError
 * `bad_request`.
 */
export function apiVersion(): MiddlewareHandler<HttpEnv> {
  return function apiVersion(c, next) {
    const asked = c.req.header("X-API-Version") ?? "1";
    c.set("apiVersion", asked === "2" ? 2 : 1);
    if (asked !== "1" && asked !== "2") {
      throw new AppError("bad_request", `Unknown API version "${asked}". X-API-Version is 1 or 2.`);
    }
    return next();
  };
}

/** Responds with one record, in the requested version. */
export function respond(c: HttpContext, record: JsonText, status: 200 | 201 = 200): Response {
  const body = c.get("apiVersion") === 2 ? `{"data":${record},"meta":${meta(c)}}` : record;
  return c.body(body, status, { "Content-Type": JSON_TYPE });
}

/** Responds with a record and warnings: they are in the header `X-Warning`, and in version 2 also in `meta`. */
export function respondWarning(
  c: HttpContext,
  record: JsonText | object,
  { status, warnings }: { readonly status: 200 | 201; readonly warnings: readonly string[] },
): Response {
  const isText = typeof record === "string";
  if (warnings.length === 0) return isText ? respond(c, record, status) : respondValue(c, record, status);
  const warning = warnings.join(" ");
  const data = isText ? record : JSON.stringify(record);
  const body = c.get("apiVersion") === 2 ? `{"data":${data},"meta":${meta(c, { warning })}}` : data;
  return c.body(body, status, { "Content-Type": JSON_TYPE, "X-Warning": asHeaderText(warning) });
}

/** Responds with a value that is not serialized yet; an array is a list without further pages. */
export function respondValue(c: HttpContext, value: object, status: 200 | 201 | 202 = 200): Response {
  if (Array.isArray(value)) return respondRows(c, { rows: value, next: null });
  const data = JSON.stringify(value);
  const body = c.get("apiVersion") === 2 ? `{"data":${data},"meta":${meta(c)}}` : data;
  return c.body(body, status, { "Content-Type": JSON_TYPE });
}

/** Responds with a page of a list: a bare array in version 1, items with a cursor in version 2. */
export function respondPage(c: HttpContext, page: RenderedPage): Response {
  return respondItems(c, page.items, page.next === null ? null : formatCursor(page.next));
}

/** Answers with a page of rows that are not yet JSON. */
export function respondRows(c: HttpContext, { rows, next }: RowPage<object>): Response {
  const items = rows.map((row) => JSON.stringify(row)).join(",");
  return respondList(c, items, next === null ? null : formatCursor(next));
}

/** Like {@link respondPage} with an encoded cursor. @param items records separated by commas */
export function respondItems(c: HttpContext, items: JsonText, cursor: string | null): Response {
  return respondList(c, items, cursor);
}

function respondList(c: HttpContext, items: string, cursor: string | null): Response {
  if (cursor !== null) {
    const next = new URL(c.req.url);
    next.searchParams.set("cursor", cursor);
    setHeader(c, "Link", `<${next.pathname}${next.search}>; rel="next"`);
  }
  const body =
    c.get("apiVersion") === 2
      ? `{"data":{"items":[${items}],"next_cursor":${JSON.stringify(cursor)},"has_more":${cursor !== null}},"meta":${meta(c)}}`
      : `[${items}]`;
  return c.body(body, 200, { "Content-Type": JSON_TYPE });
}

/**
 * Responds with a page of a console list: items with a cursor, in both versions. @param items as {@link respondItems}
 */
export function respondConsolePage(c: HttpContext, items: JsonText, cursor: string | null): Response {
  const data = `{"items":[${items}],"next_cursor":${JSON.stringify(cursor)}}`;
  const body = c.get("apiVersion") === 2 ? `{"data":${data},"meta":${meta(c)}}` : data;
  return c.body(body, 200, { "Content-Type": JSON_TYPE });
}

/** Responds with the stored response of an earlier request with the same Idempotency-Key, and its id. */
export function respondStored(c: HttpContext, { status, body, requestId }: Answer): Response {
  c.set("requestId", requestId);
  return c.body(body, status, {
    "Content-Type": JSON_TYPE,
    "X-Request-Id": requestId,
    "Idempotent-Replayed": "true",
  });
}

/** Responds with an error; its body is the same in both versions. */
export function respondError(c: HttpContext, error: AppError): Response {
  const { code, message, details } = error;
  const body = `{"error":${JSON.stringify({ code, message, details })},"meta":${meta(c)}}`;
  return c.body(body, error.status, { ...error.headers, "Content-Type": JSON_TYPE });
}

function meta(c: HttpContext, more: { readonly warning?: string } = {}): string {
  return JSON.stringify({
    // The error may occur before the version was read.
    api_version: c.get("apiVersion") ?? (c.req.header("X-API-Version") === "2" ? 2 : 1),
    request_id: c.get("requestId"),
    timestamp: new Date().toISOString(),
    ...more,
  });
}
