import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { AppError } from "#domain/errors.ts";
import { DEVICE_SECONDS } from "#operations/accounts/device-token.ts";
import { SESSION_SECONDS } from "#operations/accounts/sign-in.ts";
import type { HttpContext, HttpServices } from "../context.ts";

const NAME = "muster_refresh";
/** Under which name a browser keeps what says that a person has signed in there before. */
export const DEVICE_COOKIE = "muster_device";
const PATH = "/auth";

/** The refresh token that a browser has kept for us. */
export function readRefreshCookie(c: HttpContext): string | undefined {
  return getCookie(c, NAME);
}

/** Gives the browser a refresh token to keep: out of reach of scripts and of other sites' requests. */
export function setRefreshCookie(c: HttpContext, services: HttpServices, token: string): void {
  setCookie(c, NAME, token, { ...attributes(c, services), maxAge: SESSION_SECONDS });
}

/** Lets the browser be known as one of the person who has signed in; it stays so when the session ends. */
export function setDeviceCookie(c: HttpContext, services: HttpServices, token: string): void {
  setCookie(c, DEVICE_COOKIE, token, { ...attributes(c, services), maxAge: DEVICE_SECONDS });
}

/** Takes the refresh token from the browser. */
export function clearRefreshCookie(c: HttpContext, services: HttpServices): void {
  deleteCookie(c, NAME, attributes(c, services));
}

/**
 * Lets a request pass whose cookie is read or set only when it cannot come from another site's
 * page. SameSite=Strict keeps the cookie from those already; this also keeps them from signing
 * somebody in as somebody else. A script elsewhere cannot send JSON without asking (CORS), and is
 * rejected then for the cookie; programs that are no browsers send no `Origin`.
 * @throws AppError `forbidden`, or `bad_request` when the content type is not JSON.
 */
export function requireSameSite(c: HttpContext, { publicUrl }: HttpServices): void {
  if (!/^application\/json\b/i.test(c.req.header("Content-Type") ?? "")) {
    throw new AppError("bad_request", "This needs the header Content-Type: application/json.");
  }
  const origin = c.req.header("Origin");
  const own = [publicUrl, `http://${c.req.header("Host")}`, `https://${c.req.header("Host")}`];
  const fromHere = origin === undefined || own.some((url) => url !== undefined && originOf(url) === originOf(origin));
  const site = c.req.header("Sec-Fetch-Site") ?? "same-origin";
  if (fromHere && (site === "same-origin" || site === "none")) return;
  throw new AppError("forbidden", "This works from the service's own pages only. Elsewhere, use POST /auth/token.");
}

function attributes(c: HttpContext, { publicUrl }: HttpServices) {
  const secure = (publicUrl ?? c.req.url).startsWith("https:");
  return { path: PATH, httpOnly: true, sameSite: "Strict", secure } as const;
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin;
}
