import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { HOOKS_ROOT } from "#domain/schedules/trigger.ts";

/** Logs and counts each request when its response starts: method, path, status, duration, the request's id, and its workspace once that
 * is known. */
export function logRequests({ log, observe }: Pick<HttpServices, "log" | "observe">): MiddlewareHandler<HttpEnv> {
  return async function logRequests(c, next) {
    const start = performance.now();
    await next();
    const durationMs = performance.now() - start;
    const { status } = c.res;
    const { method } = c.req;
    // Unknown paths match only the catch-all routes, and a client may send any method name.
    const known = METHODS.has(method) ? method : "other";
    observe({ type: "http_request", method: known, route: routePath(c, -1), status, durationMs });
    const level = status === 200 && PROBES.has(c.req.path) ? "debug" : "info";
    if (!log.isLevelEnabled(level)) return;
    const duration_ms = Math.round(durationMs);
    const of = { request_id: c.get("requestId"), workspace_id: c.get("workspaceId") };
    log[level]({ method, path: loggedPath(c), status, duration_ms, ...of }, "request");
  };
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Supervisors and load balancers call these every few seconds: only a failure is news. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** All keys, and the tokens of triggers, begin with this. */
const SECRET = /mst_[^/]*/g;

/** Returns a request's path for the log, without the secret in a trigger's URL, even if the rest of it is wrong. */
export function loggedPath({ req: { path } }: HttpContext): string {
  return path.startsWith(HOOKS_ROOT) ? `${HOOKS_ROOT}…` : path.replaceAll(SECRET, "mst_…");
}
