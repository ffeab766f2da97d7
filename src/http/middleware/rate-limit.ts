import type { MiddlewareHandler } from "hono";
import { AppError } from "#domain/errors.ts";
import type { Verdict } from "#lib/async/permits.ts";
import { NO_LIMIT } from "#domain/access/plan.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { HttpContext, HttpEnv, HttpServices, HttpWorkspace } from "../context.ts";
import { setHeader } from "./set-header.ts";

/** Which count of its workspace a key's request uses: that of the envelope API, or the one of everything else. */
type PlanCount = "envelope" | "shared";

/** What the shared count counts, for errors. */
const SHARED_REQUESTS = "requests outside the envelope API";

/** Counts each request before it is handled; see {@link countRequest}. Runs after authentication. */
export function rateLimit(services: HttpServices, count: PlanCount): MiddlewareHandler<HttpEnv> {
  return async function rateLimit(c, next) {
    await countRequest(services, c, c.get("principal"), count);
    await next();
  };
}

/**
 * Counts a request: a key's against its workspace's plan, a person's against the person's limit, so that an open page
 * does not use up the plan. Sets the rate limit headers for every outcome.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function countRequest(
  { limits }: HttpServices,
  c: HttpContext,
  who: Principal,
  count: PlanCount = "shared",
): Promise<void> {
  const isPerson = who.keyId === null;
  const ofKey = count === "envelope" ? limits.takeEnvelope : limits.takeShared;
  const verdict = await (isPerson ? limits.takePerson(who) : ofKey(who));
  setLimitHeaders(c, verdict);
  if (verdict.passes) return;
  if (isPerson) throw exceeded(verdict, "You have used all", "requests");
  throw exceeded(verdict, "The workspace has used all", count === "envelope" ? "requests" : SHARED_REQUESTS);
}

/**
 * Counts a request that starts work at a surface other than the envelope API.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function countStart(services: HttpServices, c: HttpContext, who: Principal): Promise<void> {
  await countRequest(services, c, who);
  await countStarts({ ...services, who });
}

/**
 * Counts pieces of work that a request starts in addition to the request itself: a person's request counts against the
 * person, so all of them; a key's request is one of them.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function countStarts({ limits, who }: Starter, starts = 1): Promise<void> {
  const count = who.keyId === null ? starts : starts - 1;
  if (count > 0) assertMayStart(await limits.takeShared(who, count));
}

/**
 * Counts a delivery from another system. Sets the rate limit headers for every outcome.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function countDelivery({ limits }: HttpServices, c: HttpContext, to: WorkspaceOf): Promise<void> {
  const verdict = await limits.takeShared(to);
  setLimitHeaders(c, verdict);
  assertMayStart(verdict);
}

type Starter = Pick<HttpWorkspace, "limits" | "who">;
type WorkspaceOf = Pick<Principal, "workspaceId">;

function setLimitHeaders(c: HttpContext, { allowed, remaining, resetAt }: Verdict): void {
  if (allowed === NO_LIMIT) return;
  setHeader(c, "X-RateLimit-Limit", String(allowed));
  setHeader(c, "X-RateLimit-Remaining", String(remaining));
  setHeader(c, "X-RateLimit-Reset", String(resetAt));
}

function assertMayStart(verdict: Verdict): void {
  if (!verdict.passes) throw exceeded(verdict, "The workspace has used all", SHARED_REQUESTS);
}

function exceeded({ allowed, retryAfter }: Verdict, subject: string, what: string): AppError {
  return new AppError(
    "rate_limit_exceeded",
    `${subject} ${allowed} ${what} for this minute. Try again in ${retryAfter} s.`,
    {
      headers: { "Retry-After": String(retryAfter) },
    },
  );
}
