import type { MiddlewareHandler } from "hono";
import { AppError } from "#domain/errors.ts";
import { NO_LIMIT } from "#domain/plan.ts";
import type { HttpEnv, HttpServices } from "./context.ts";
import { setHeader } from "./set-header.ts";

/**
 * Counts a request of the envelope API for its workspace and says in headers how the window stands,
 * whatever becomes of the request. It comes after the principal is known.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export function rateLimit(services: HttpServices): MiddlewareHandler<HttpEnv> {
  return async function rateLimit(c, next) {
    const verdict = await services.limits.takeEnvelope(c.get("principal"));
    const { allowed, remaining, resetAt, retryAfter } = verdict;
    if (allowed !== NO_LIMIT) {
      setHeader(c, "X-RateLimit-Limit", String(allowed));
      setHeader(c, "X-RateLimit-Remaining", String(remaining));
      setHeader(c, "X-RateLimit-Reset", String(resetAt));
    }
    if (!verdict.passes) {
      throw new AppError("rate_limit_exceeded", `The workspace has made its ${allowed} requests of this minute.`, {
        headers: { "Retry-After": String(retryAfter) },
      });
    }
    await next();
  };
}
