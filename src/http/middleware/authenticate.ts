import type { MiddlewareHandler } from "hono";
import { kindOfKey } from "#domain/access/api-key.ts";
import type { KeyScope, Surface } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { requireScope } from "#domain/access/principal.ts";
import type { Principal } from "#domain/access/principal.ts";
import { isUnauthorized } from "../bearer-caller.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { clientAddress } from "./client-address.ts";
import { bearerError, setHeader } from "./set-header.ts";

const NO_CREDENTIAL = "Send an API key in X-API-Key, or an access token in Authorization: Bearer.";
const KEY_AS_TOKEN = "An API key belongs in the header X-API-Key; Authorization: Bearer takes an access token.";

/**
 * Authenticates a request by an envelope key in `X-API-Key`, or a person's access token in `Authorization`, and sets
 * the principal. If both headers are present, the key counts.
 * @throws AppError `unauthorized` with `WWW-Authenticate`.
 */
export function envelopeCaller(services: HttpServices): MiddlewareHandler<HttpEnv> {
  return async function envelopeCaller(c, next) {
    try {
      const principal = await envelopePrincipal(services, c);
      c.set("principal", principal);
      c.set("workspaceId", principal.workspaceId);
      tellExpiry(c, principal);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      throw unauthorized(error.message, "Bearer", error);
    }
    await next();
  };
}

async function envelopePrincipal(services: HttpServices, c: HttpContext): Promise<Principal> {
  const key = c.req.header("X-API-Key");
  if (key !== undefined && key !== "") {
    return services.keys.authenticate(key, { surface: "rest", address: clientAddress(c, services) });
  }
  const token = bearerToken(c);
  if (key !== undefined || token === undefined) throw new AppError("unauthorized", NO_CREDENTIAL);
  if (kindOfKey(token) !== undefined) throw new AppError("unauthorized", KEY_AS_TOKEN);
  return principalOfToken(services, token, clientAddress(c, services));
}

/**
 * Returns the caller of an access token: the person of one of ours, or the program of one of the provider's.
 * @throws AppError `unauthorized`, `forbidden` for a program from another network, `unavailable`
 */
export function principalOfToken(
  { sessions, machines }: Pick<HttpServices, "sessions" | "machines">,
  token: string,
  address: string,
): Promise<Principal> {
  return machines?.isForeign(token) === true ? machines.authenticate(token, address) : sessions.authenticate(token);
}

/** Returns the credential that {@link envelopeCaller} has accepted, for a stream that stays open. */
export function credentialOf(services: HttpServices, c: HttpContext): BearerCaller {
  const key = c.req.header("X-API-Key");
  const token = key ?? bearerToken(c) ?? "";
  const address = clientAddress(c, services);
  const recheck = () =>
    key === undefined
      ? principalOfToken(services, token, address)
      : services.keys.authenticate(key, { surface: "rest", address });
  return { principal: c.get("principal"), token, address, recheck };
}

/** Checks that the scopes of the key allow the method. @throws AppError `forbidden`. */
export function keyScope(): MiddlewareHandler<HttpEnv> {
  return function keyScope(c, next) {
    const needed: KeyScope = c.req.method === "GET" || c.req.method === "HEAD" ? "read" : "write";
    requireScope(c.get("principal"), needed);
    return next();
  };
}

/** Which bearer tokens a surface accepts. */
interface BearerOptions {
  readonly surface: Surface;
  /** What an error tells a caller without one. */
  readonly message: string;
  /** Another header for the token, for requests without `Authorization`. */
  readonly header?: string;
  /** How people connect apps to the surface; without it, tokens of apps are rejected. */
  readonly oauth?: {
    /** The surface's URL, for which tokens must be issued. */
    readonly audience: string;
    /** Parameters of `WWW-Authenticate` that lead clients to the authorization server. */
    readonly challenge: string;
  };
}

/**
 * Authenticates a request's bearer token: a key that opens the surface, or a person's access token, which contains dots.
 * @throws AppError `unauthorized` with the given text and `WWW-Authenticate`.
 */
export async function bearerCaller(
  services: HttpServices,
  c: HttpContext,
  options: BearerOptions,
): Promise<BearerCaller> {
  const other = options.header && c.req.header(options.header);
  const token = bearerToken(c) ?? (other || undefined);
  const challenge = options.oauth === undefined ? [] : [options.oauth.challenge];
  if (token === undefined) throw unauthorized(options.message, ["Bearer", ...challenge].join(" "));
  try {
    const caller = await callerOf(services, { token, address: clientAddress(c, services) }, options);
    c.set("workspaceId", caller.principal.workspaceId);
    tellExpiry(c, caller.principal);
    return caller;
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    const reason = [bearerError("invalid_token", error.message), ...challenge];
    throw unauthorized(options.message, `Bearer ${reason.join(", ")}`, error);
  }
}

/** Tells the program that its key expires soon, in the header `Muster-Key-Expires`. */
export function tellExpiry(c: HttpContext, { keyExpiresAt }: Principal): void {
  if (keyExpiresAt !== undefined) setHeader(c, "Muster-Key-Expires", keyExpiresAt);
}

/** Keys have a prefix, access tokens of people and of a provider's programs have dots; those of apps have neither. */
async function callerOf(
  services: HttpServices,
  sent: Pick<BearerCaller, "token" | "address">,
  { surface, oauth }: BearerOptions,
): Promise<BearerCaller> {
  const { token, address } = sent;
  const isToken = token.includes(".");
  if (!isToken && oauth !== undefined && kindOfKey(token) === undefined) {
    return { ...sent, ...(await services.apps.authenticate(token, { audience: oauth.audience, address })) };
  }
  const recheck = () =>
    isToken ? principalOfToken(services, token, address) : services.keys.authenticate(token, { surface, address });
  return { ...sent, principal: await recheck(), recheck };
}

function unauthorized(message: string, challenge: string, cause?: unknown): AppError {
  return new AppError("unauthorized", message, { cause, headers: { "WWW-Authenticate": challenge } });
}

/**
 * Returns the token of the header `Authorization: Bearer …`, a key or an access token; undefined without one. Any number
 * of spaces may stand before it (RFC 9110, 11.4).
 */
export function bearerToken(c: HttpContext): string | undefined {
  return /^bearer +([^ ]+)/i.exec(c.req.header("Authorization") ?? "")?.[1];
}
