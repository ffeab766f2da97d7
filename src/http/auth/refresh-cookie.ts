import { AppError } from "#domain/errors.ts";
import { DEVICE_SECONDS } from "#operations/accounts/device-token.ts";
import { SESSION_SECONDS } from "#operations/accounts/sign-in.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { readCookie, removeCookie, writeCookie } from "../middleware/cookies.ts";

const REFRESH = { name: "muster_refresh", path: "/auth", sameSite: "Strict" } as const;
/** The cookie of the token that marks a browser as known for a person. */
export const DEVICE_COOKIE = { name: "muster_device", path: "/auth", sameSite: "Strict" } as const;

/** Reads the refresh token from the browser's cookie. */
export function readRefreshCookie(c: HttpContext, services: HttpServices): string | undefined {
  return readCookie(c, services, REFRESH);
}

/** Sets the cookie with the refresh token: not readable by scripts, not sent with requests of other sites. */
export function setRefreshCookie(c: HttpContext, services: HttpServices, token: string): void {
  writeCookie(c, services, { ...REFRESH, value: token, seconds: SESSION_SECONDS });
}

/** Sets the cookie that marks the browser as known for the signed-in person; it outlives the session. */
export function setDeviceCookie(c: HttpContext, services: HttpServices, token: string): void {
  writeCookie(c, services, { ...DEVICE_COOKIE, value: token, seconds: DEVICE_SECONDS });
}

/** Deletes the cookie with the refresh token. */
export function clearRefreshCookie(c: HttpContext, services: HttpServices): void {
  removeCookie(c, services, REFRESH);
}

/**
 * Rejects requests from other sites' pages when a cookie is read or set. SameSite=Strict already withholds the cookie
 * from them; this also keeps them from signing a person in under another account. A script of another origin cannot
 * send JSON without a preflight (CORS), which is rejected for cookies. Programs that are not browsers send no `Origin`.
 * @throws AppError `forbidden`, or `bad_request` when the content type is not JSON.
 */
export function requireSameSite(c: HttpContext, { publicUrl }: HttpServices): void {
  if (!/^application\/json\b/i.test(c.req.header("Content-Type") ?? "")) {
    throw new AppError("bad_request", "The header Content-Type: application/json is required.");
  }
  const origin = c.req.header("Origin");
  const own = [publicUrl, `http://${c.req.header("Host")}`, `https://${c.req.header("Host")}`];
  const fromHere = origin === undefined || own.some((url) => url !== undefined && originOf(url) === originOf(origin));
  const site = c.req.header("Sec-Fetch-Site") ?? "same-origin";
  if (fromHere && (site === "same-origin" || site === "none")) return;
  throw new AppError("forbidden", "This works only from the service's own pages. Elsewhere, use POST /auth/token.");
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin;
}
