import type { MiddlewareHandler } from "hono";
import type { KeyKind, KeyScope } from "#domain/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { HttpContext, HttpEnv, HttpServices } from "./context.ts";

/**
 * Lets a request pass when its header `X-API-Key` holds an envelope key; sets the principal.
 * @throws AppError `unauthorized`.
 */
export function envelopeKey(services: HttpServices): MiddlewareHandler<HttpEnv> {
  return async function envelopeKey(c, next) {
    c.set("principal", await services.keys.authenticate(c.req.header("X-API-Key"), ["envelope"]));
    await next();
  };
}

/** Lets a request pass when the scopes of its key allow what the method does. @throws AppError `forbidden`. */
export function keyScope(): MiddlewareHandler<HttpEnv> {
  return async function keyScope(c, next) {
    const needed: KeyScope = c.req.method === "GET" || c.req.method === "HEAD" ? "read" : "write";
    if (!c.get("principal").scopes.includes(needed)) {
      throw new AppError("forbidden", `This key has no ${needed} scope.`);
    }
    await next();
  };
}

/**
 * The principal behind a request's bearer token, a key of one of these kinds.
 * @throws AppError `unauthorized` with the given text when there is no such key.
 */
export async function bearerKey(
  services: HttpServices,
  c: HttpContext,
  options: { readonly kinds: readonly KeyKind[]; readonly refusal: string },
) {
  const [scheme, token] = (c.req.header("Authorization") ?? "").split(" ");
  try {
    return await services.keys.authenticate(scheme?.toLowerCase() === "bearer" ? token : undefined, options.kinds);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
    throw new AppError("unauthorized", options.refusal, { cause: error });
  }
}
