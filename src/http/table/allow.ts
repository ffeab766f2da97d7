import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../context.ts";
import { setHeader } from "../middleware/set-header.ts";
import { TABLES } from "./tables.ts";
import { WRITERS } from "./writes/index.ts";

/** The methods of the API's root document. */
export const ROOT_ALLOW = "GET, HEAD, OPTIONS";
/** The methods of a function. */
export const FUNCTION_ALLOW = "POST, OPTIONS";

/** The methods of a table, for the header `Allow`. */
export function allowOfTable(name: string): string {
  const { insert, update, remove } = WRITERS.get(name) ?? {};
  const writes = [
    ...(insert === undefined ? [] : ["POST"]),
    ...(update === undefined ? [] : ["PATCH"]),
    ...(remove === undefined ? [] : ["DELETE"]),
  ];
  return ["GET", "HEAD", ...writes, "OPTIONS"].join(", ");
}

/** Responds to `OPTIONS` with `Allow`; later middleware adds the rest. */
export function tableOptions(): MiddlewareHandler<HttpEnv> {
  return function tableOptions(c, next) {
    const [name = "", called] = c.req.path.split("/").slice(3);
    const allow = pathAllow(name, called);
    if (allow !== undefined) setHeader(c, "Allow", allow);
    return next();
  };
}

function pathAllow(name: string, called: string | undefined): string | undefined {
  if (name === "") return ROOT_ALLOW;
  if (name === "rpc") return called === undefined ? undefined : FUNCTION_ALLOW;
  return called === undefined && TABLES.has(name) ? allowOfTable(name) : undefined;
}
