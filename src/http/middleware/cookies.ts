import { hashKey } from "#domain/access/api-key.ts";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { HttpContext, HttpServices } from "../context.ts";
import { isHttps } from "./origin.ts";

/** A cookie of the service: not readable by scripts. */
export interface OwnCookie {
  readonly name: string;
  /** The paths to which it is sent over http. Over https it has the prefix `__Host-`, which requires all of them. */
  readonly path: string;
  readonly sameSite: "Strict" | "Lax";
}

type Services = Pick<HttpServices, "publicUrl">;

/**
 * Reads a cookie. Over https its name has the prefix `__Host-`: browsers then take it from this host only, by https, so
 * no page of a sibling domain can plant one
 * (https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes).
 */
export function readCookie(c: HttpContext, services: Services, { name }: Pick<OwnCookie, "name">): string | undefined {
  return isHttps(c, services) ? getCookie(c, name, "host") : getCookie(c, name);
}

/** The names of the cookies that begin with a text, the oldest first (RFC 6265, 5.4). */
function cookieNames(c: HttpContext, services: Services, beginning: string): string[] {
  const prefix = isHttps(c, services) ? "__Host-" : "";
  const names = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix + beginning));
  return names.map((name) => name.slice(prefix.length));
}

/** Sets a cookie for a number of seconds. */
export function writeCookie(
  c: HttpContext,
  services: Services,
  { value, seconds, ...cookie }: OwnCookie & { readonly value: string; readonly seconds: number },
): void {
  setCookie(c, cookie.name, value, { ...attributesOf(c, services, cookie), maxAge: seconds });
}

/**
 * Sets one of several cookies of a kind, such as those of sign-ins in several tabs. Of more than `max` the oldest go: over
 * https all requests carry them. @param cookie with the beginning of the name
 */
export function writeOneOf(
  c: HttpContext,
  services: Services,
  { id, max, ...cookie }: Parameters<typeof writeCookie>[2] & { readonly id: string; readonly max: number },
): void {
  const oldest = cookieNames(c, services, cookie.name).slice(0, 1 - max);
  for (const name of oldest) removeCookie(c, services, { ...cookie, name });
  writeCookie(c, services, { ...cookie, ...oneOf(cookie, id) });
}

/** The cookie of a kind with an id, which its name does not tell. */
export function oneOf(cookie: OwnCookie, id: string): OwnCookie {
  return { ...cookie, name: cookie.name + hashKey(id).slice(0, 16) };
}

/** Deletes a cookie. */
export function removeCookie(c: HttpContext, services: Services, cookie: OwnCookie): void {
  deleteCookie(c, cookie.name, attributesOf(c, services, cookie));
}

function attributesOf(c: HttpContext, services: Services, { path, sameSite }: OwnCookie) {
  const prefixed = isHttps(c, services) ? ({ path: "/", secure: true, prefix: "host" } as const) : { path };
  return { ...prefixed, httpOnly: true, sameSite };
}
