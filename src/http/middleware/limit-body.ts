import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { HttpEnv } from "../context.ts";

/**
 * Rejects bodies longer than `maxSize` bytes. A declared length is checked directly, and no more is read. Other bodies
 * go through Hono's middleware, which makes Node build the whole request object first.
 * @param onError called for a body that is too long; it throws
 */
export function limitBody(maxSize: number, onError: () => never): MiddlewareHandler<HttpEnv> {
  const counted = bodyLimit({ maxSize, onError });
  return async function limitBody(c, next) {
    const length = c.req.header("Content-Length");
    if (length === undefined || c.req.header("Transfer-Encoding") !== undefined) return counted(c, next);
    if (Number(length) > maxSize) onError();
    await next();
  };
}
