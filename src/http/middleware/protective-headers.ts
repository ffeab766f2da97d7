import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../context.ts";
import { setHeader } from "./set-header.ts";

/**
 * Keeps browsers from guessing the type of an answer, and everything in between from storing it: most answers hold
 * data of a workspace. An answer that may be stored brings its own Cache-Control.
 */
export function protectiveHeaders(): MiddlewareHandler<HttpEnv> {
  return function protectiveHeaders(c, next) {
    setHeader(c, "X-Content-Type-Options", "nosniff");
    setHeader(c, "Cache-Control", "no-store");
    return next();
  };
}
