import type { MiddlewareHandler } from "hono";
import { notFound } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import { openByLink } from "#operations/files/files.ts";
import type { HttpEnv, HttpServices } from "../../context.ts";

/**
 * Answers GET /files/:id with the file's content when the address is signed; others it lets pass. A browser
 * saves what it gets and neither guesses its type nor runs any of it.
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

/** RFC 6266: a name for old clients, in which whatever is not plain ASCII is replaced, and the whole one. */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
