import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { HttpEnv } from "./context.ts";

/** Logs each request when its answer begins: method, path, status, duration in milliseconds, and the request's id. */
export function logRequests(log: Logger): MiddlewareHandler<HttpEnv> {
  return async function logRequests(c, next) {
    if (!log.isLevelEnabled("info")) return next();
    const start = performance.now();
    await next();
    const duration_ms = Math.round(performance.now() - start);
    const { method, path } = c.req;
    log.info({ method, path, status: c.res.status, duration_ms, request_id: c.get("requestId") }, "request");
  };
}
