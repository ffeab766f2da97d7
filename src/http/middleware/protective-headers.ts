import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../context.ts";
import { setHeader } from "./set-header.ts";

/**
 * Sets headers that forbid browsers to guess the content type, and caches to store the response: most contain a
 * workspace's data. A cacheable response sets its own Cache-Control.
 */
export function protectiveHeaders(): MiddlewareHandler<HttpEnv> {
  return function protectiveHeaders(c, next) {
    setHeader(c, "X-Content-Type-Options", "nosniff");
    setHeader(c, "Cache-Control", "no-store");
    return next();
  };
}
