import type { MiddlewareHandler } from "hono";
import { notFound } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import { openByLink } from "#operations/files/files.ts";
import type { HttpEnv, HttpServices } from "../../context.ts";

/**
 * Serves GET /files/:id with the file's content if the URL is signed; passes other requests on. A browser saves the
 * file; it neither guesses the type nor executes any of it.
 */
export function download(services: HttpServices): MiddlewareHandler<HttpEnv, "/files/:id"> {
  return async function download(c, next) {
    const { expires, signature } = c.req.query();
    if (expires === undefined && signature === undefined) return next();
    const fileId = c.req.param("id");
    if (!isUuid(fileId)) throw notFound("File");
    const file = await openByLink(services, { fileId, expires: expires ?? "", signature: signature ?? "" });
    return c.body(file.content, 200, {
      "Content-Type": file.type.startsWith("text/") ? `${file.type}; charset=utf-8` : file.type,
      "Content-Length": String(file.size),
      "Content-Disposition": disposition(file.name),
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cache-Control": "private, no-store",
    });
  };
}

/** RFC 6266: a name for old clients, with non-ASCII characters replaced, and the complete one. */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
