import type { MiddlewareHandler } from "hono";
import { areEqual } from "#lib/security/equal-texts.ts";
import { hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { readSetting } from "#db/queries/access/first-start.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import type { Verdict } from "#lib/async/permits.ts";
import { formatWait } from "#lib/text/format-wait.ts";
import { clientAddress } from "../middleware/client-address.ts";
import { bearerToken, principalOfToken, tellExpiry } from "../middleware/authenticate.ts";
import type { HttpContext, HttpEnv, HttpServices, HttpWorkspace } from "../context.ts";
import { TableError, unauthorized } from "./errors.ts";

/** The hint for a request without `apikey`. */
const BOTH_HEADERS = "Send a table key in Authorization: Bearer, and the anon key or the same table key in apikey.";

/**
 * Authenticates a request by two credentials. `apikey` has the instance's anon key, or a table key for clients with one
 * key only. The bearer token is a table key, or a person's access token; it sets the principal.
 * @throws TableError 401, or 403 for a key without the read scope; AppError `forbidden` from another network.
 */
export function tableCaller(services: HttpServices): MiddlewareHandler<HttpEnv> {
  const isAnonKey = createAnonKeyCheck(services.db);
  return async function tableCaller(c, next) {
    const address = clientAddress(c, services);
    const key = c.req.header("apikey");
    if (key === undefined) throw unauthorized("PGRST302", "No API key was found in the header apikey.", BOTH_HEADERS);
    if (!(await isAnonKey(key)) && !(await isTableKey(services, key, address))) {
      throw unauthorized(
        "PGRST301",
        "The header apikey contains neither this instance's anon key nor a valid table key.",
      );
    }
    const principal = await bearerOf(services, c, address);
    c.set("workspaceId", principal.workspaceId);
    tellExpiry(c, principal);
    if (!principal.scopes.includes("read") && (c.req.method === "GET" || c.req.method === "HEAD")) {
      throw new TableError(403, "42501", { message: "This key has no read scope." });
    }
    c.set("principal", principal);
    await next();
  };
}

/**
 * Counts a request against the minute and the month of its key and of its workspace, after authentication.
 * @throws TableError 429 with `Retry-After`.
 */
export function tableLimit(services: HttpServices): MiddlewareHandler<HttpEnv> {
  return async function tableLimit(c, next) {
    checkVerdict(await services.limits.takeTable(c.get("principal")));
    await next();
  };
}

/** Counts the rows that a request inserts or changes against the workspace's plan. @throws TableError 429 with `Retry-After`. */
export async function countRows({ limits, who }: HttpWorkspace, rows: number): Promise<void> {
  if (rows > 0) checkVerdict(await limits.takeShared(who, rows));
}

function checkVerdict({ passes, allowed, retryAfter }: Verdict): void {
  if (passes) return;
  throw new TableError(429, "PT429", {
    message: `All ${allowed} requests are used. Try again in ${formatWait(retryAfter)}.`,
    headers: { "Retry-After": String(retryAfter) },
  });
}

/** Resolves a request's bearer token: a table key, or a person's access token, which contains dots. */
async function bearerOf(services: HttpServices, c: HttpContext, address: string): Promise<Principal> {
  const token = bearerToken(c);
  if (token === undefined) throw unauthorized("PGRST302", "Anonymous access is disabled: a bearer token is required.");
  try {
    if (token.includes(".")) return await principalOfToken(services, token, address);
    return await services.keys.authenticate(token, { surface: "table", address });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
    throw unauthorized("PGRST301", error.message);
  }
}

async function isTableKey({ keys }: HttpServices, key: string, address: string): Promise<boolean> {
  try {
    await keys.authenticate(key, { surface: "table", address });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthorized") return false;
    throw error;
  }
}

/** Compares keys with the stored hash of the anon key, in constant time. */
function createAnonKeyCheck(db: Database): (key: string) => Promise<boolean> {
  const { read } = cachedRead(1, async (setting) => (await readSetting(db, setting)) ?? "");
  return async (key) => areEqual(hashKey(key), await read("anon_key_hash"));
}
