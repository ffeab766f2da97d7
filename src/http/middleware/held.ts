import type { MiddlewareHandler } from "hono";
import { AppError } from "#domain/errors.ts";
import type { HttpEnv, HttpServices } from "../context.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);
/** A read that asks another service, and changes what is stored. */
const CONSENT = "/oauth/google/callback";
/** What a person needs to read in the console. */
const SESSIONS = new Set(["/auth/sign-in", "/auth/refresh", "/auth/token", "/auth/sign-out"]);

/** Rejects everything but reads and sign-ins while the database is a restored copy that was not released. */
export function rejectWhileHeld({ isHeld }: Pick<HttpServices, "isHeld">): MiddlewareHandler<HttpEnv> {
  return async function rejectWhileHeld({ req: { method, path } }, next) {
    const isRead = READS.has(method) ? path !== CONSENT : SESSIONS.has(path);
    if (isHeld() && !isRead) {
      throw new AppError(
        "unavailable",
        "This is a restored copy, which is held: it only serves reads. Its operator releases it with: muster restore --release",
      );
    }
    await next();
  };
}
