import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { HttpContext, HttpEnv } from "../context.ts";
import { HOOKS_ROOT } from "../api/schedules/hooks-in.ts";

/** Logs each request when its answer begins: method, path, status, duration in milliseconds, and the request's id. */
export function logRequests(log: Logger): MiddlewareHandler<HttpEnv> {
  return async function logRequests(c, next) {
    if (!log.isLevelEnabled("info")) return next();
    const start = performance.now();
    await next();
    const duration_ms = Math.round(performance.now() - start);
    log.info(
      { method: c.req.method, path: loggedPath(c), status: c.res.status, duration_ms, request_id: c.get("requestId") },
      "request",
    );
  };
}

/** A request's path as it may are in a log: without the secret that the address of a trigger holds. */
export function loggedPath({ req: { path } }: HttpContext): string {
  return path.startsWith(HOOKS_ROOT) ? `${HOOKS_ROOT}…` : path;
}
