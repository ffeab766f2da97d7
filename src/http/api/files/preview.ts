import type { MiddlewareHandler } from "hono";
import { AppError, notFound } from "#domain/errors.ts";
import { previewTypeOf } from "#domain/files/media-type.ts";
import { isUuid } from "#lib/ids.ts";
import { openByLink } from "#operations/files/files.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../../context.ts";

/**
 * Untrusted content is shown without scripts, forms, requests, or access to this origin: `sandbox` gives the document
 * an origin of its own. Only pages of this service may frame it.
 */
const POLICY = [
  "sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/**
 * Serves GET /files/:id/preview with a file's content for display in a browser. The signature is that of the download
 * link. HTML is rendered in frames only; opened directly, its source is shown.
 */
export function preview(services: HttpServices): MiddlewareHandler<HttpEnv, "/files/:id/preview"> {
  return async function preview(c) {
    const { expires = "", signature = "" } = c.req.query();
    const fileId = c.req.param("id");
    if (!isUuid(fileId)) throw notFound("File");
    const file = await openByLink(services, { fileId, expires, signature });
    const type = previewTypeOf(file.type);
    if (type === undefined) {
      await file.content.cancel();
      throw new AppError("unsupported_media_type", `Browsers can't show ${file.type} here. Download the file instead.`);
    }
    return c.body(file.content, 200, {
      "Content-Type": contentType(c, type),
      "Content-Length": String(file.size),
      "Content-Disposition": "inline",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": POLICY,
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "private, no-store",
    });
  };
}

function contentType(c: HttpContext, type: string): string {
  if (!type.startsWith("text/")) return type;
  const isFramed = c.req.header("Sec-Fetch-Dest") === "iframe";
  return `${type === "text/html" && !isFramed ? "text/plain" : type}; charset=utf-8`;
}
