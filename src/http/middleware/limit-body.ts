import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { HttpEnv } from "../context.ts";

/**
 * Rejects bodies that are longer than so many bytes. One whose length the request tells is judged by that (no more of it
 * is read); only for others is Hono's own middleware asked, which makes Node build the whole request object first.
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
