import type { MiddlewareHandler } from "hono";
import { AppError } from "#domain/errors.ts";
import type { Verdict } from "#lib/async/permits.ts";
import { NO_LIMIT } from "#domain/access/plan.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { setHeader } from "./set-header.ts";

/** Counts each request before it is handled; see {@link countRequest}. Runs after authentication. */
export function rateLimit(services: HttpServices): MiddlewareHandler<HttpEnv> {
  return async function rateLimit(c, next) {
    await countRequest(services, c, c.get("principal"));
    await next();
  };
}

/**
 * Counts a request: a key's against its workspace's plan, a person's against the person's limit. Sets the rate limit
 * headers for every outcome.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function countRequest(services: HttpServices, c: HttpContext, who: Principal): Promise<void> {
  const verdict = await services.limits.takeEnvelope(who);
  setLimitHeaders(c, verdict);
  assertPasses(verdict, who);
}

/** A trigger or a Trello channel: what other systems deliver to. */
interface Receiver {
  readonly id: string;
  readonly workspaceId: string;
  /** As an error names it, such as `trigger`. */
  readonly kind: string;
}

/**
 * Counts a delivery from another system against the receiver's own limit. Sets the rate limit headers for every outcome.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function countDelivery({ limits }: HttpServices, c: HttpContext, receiver: Receiver): Promise<void> {
  const verdict = await limits.takeDelivery(receiver);
  setLimitHeaders(c, verdict);
  if (!verdict.passes) throw exceeded(verdict, `The ${receiver.kind} has used all ${verdict.allowed} deliveries`);
}

/**
 * Counts a start of work without an HTTP response of its own, such as a call in a JSON-RPC message.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function countStart(services: HttpServices, who: Principal): Promise<void> {
  assertPasses(await services.limits.takeEnvelope(who), who);
}

function setLimitHeaders(c: HttpContext, { allowed, remaining, resetAt }: Verdict): void {
  if (allowed === NO_LIMIT) return;
  setHeader(c, "X-RateLimit-Limit", String(allowed));
  setHeader(c, "X-RateLimit-Remaining", String(remaining));
  setHeader(c, "X-RateLimit-Reset", String(resetAt));
}

function assertPasses(verdict: Verdict, { keyId }: Principal): void {
  if (verdict.passes) return;
  const subject = keyId === null ? "You have used all" : "The workspace has used all";
  throw exceeded(verdict, `${subject} ${verdict.allowed} requests`);
}

function exceeded({ retryAfter }: Verdict, what: string): AppError {
  return new AppError("rate_limit_exceeded", `${what} for this minute. Try again in ${retryAfter} s.`, {
    headers: { "Retry-After": String(retryAfter) },
  });
}
