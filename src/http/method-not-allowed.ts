import type { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import type { HttpEnv } from "./context.ts";

/** The methods that endpoints have, in the order in which `Allow` lists them. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Returns the error for a method that a path does not have. `Allow` lists those that it has, and OPTIONS. */
export function methodNotAllowed(method: string, has: readonly string[]): AppError {
  const allow = [...has, "OPTIONS"].join(", ");
  return new AppError("method_not_allowed", `${method} is not supported here. Allowed: ${allow}.`, {
    headers: { Allow: allow },
  });
}

/** Returns the methods of an application's endpoints at a path; middleware is none. */
export function methodsAt({ router }: Pick<Hono<HttpEnv>, "router">, path: string): readonly string[] {
  return METHODS.filter((method) => {
    const routed = method === "HEAD" ? "GET" : method;
    return router.match(routed, path)[0].some(([[, route]]) => route.method === routed);
  });
}
