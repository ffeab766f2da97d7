import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../context.ts";
import { setHeader } from "./set-header.ts";

const DIGITS = 16;

/** Gives each request an id: in its context, in the header `X-Request-Id`, and in its log lines. */
export function requestId(): MiddlewareHandler<HttpEnv> {
  return function requestId(c, next) {
    const id = `req_${randomUUID().replaceAll("-", "").slice(-DIGITS)}`;
    c.set("requestId", id);
    setHeader(c, "X-Request-Id", id);
    return next();
  };
}
