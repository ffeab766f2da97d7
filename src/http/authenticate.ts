import type { MiddlewareHandler } from "hono";
import type { KeyKind, KeyScope } from "#domain/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { HttpContext, HttpEnv, HttpServices } from "./context.ts";

/**
 * Lets a request pass when its header `X-API-Key` holds an envelope key that allows what the
 * method does; sets the principal.
 * @throws AppError `unauthorized` or `forbidden`.
 */
export function envelopeKey(services: HttpServices): MiddlewareHandler<HttpEnv> {
  return async function envelopeKey(c, next) {
    const principal = await services.keys.authenticate(c.req.header("X-API-Key"), ["envelope"]);
    const needed: KeyScope = c.req.method === "GET" || c.req.method === "HEAD" ? "read" : "write";
    if (!principal.scopes.includes(needed)) {
      throw new AppError("forbidden", `This key has no ${needed} scope.`);
    }
    c.set("principal", principal);
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
