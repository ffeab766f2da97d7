import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { AppError } from "#domain/errors.ts";
import { includesRole } from "#domain/role.ts";
import { answerOnce } from "#operations/answer-once.ts";
import type { Answer } from "#operations/answer-once.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { respondStored } from "./respond.ts";

const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Answers a POST with an `Idempotency-Key` that was answered before with that answer, byte by byte
 * and under its request id. Keys belong to the workspace; only answers of success are kept.
 * @param hash SHA-256 of all that makes a request this one, in hex; by default its path, version and body
 * @throws AppError `bad_request` for a key of another form; `conflict` when it was used for another request.
 */
export function idempotency(
  services: HttpServices,
  hash: (c: HttpContext) => Promise<string> = hashOf,
): MiddlewareHandler<HttpEnv> {
  return async function idempotency(c, next) {
    const key = c.req.method === "POST" ? c.req.header("Idempotency-Key") : undefined;
    if (key === undefined) return next();
    if (!KEY.test(key)) throw new AppError("bad_request", "An Idempotency-Key is 1 to 255 printable characters.");
    const who = c.get("principal");
    // Whoever may only read is refused anyway, and could store nothing.
    if (!includesRole(who.role, "member")) return next();
    const stored = await answerOnce(services, { who, key, hash: await hash(c) }, async () => {
      await next();
      return answerOf(c);
    });
    if (stored !== undefined) return respondStored(c, stored);
  };
}

async function hashOf(c: HttpContext): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  const body = await c.req.arrayBuffer();
  return createHash("sha256")
    .update(`${pathname}${search}\nversion ${c.get("apiVersion")}\n`)
    .update(new Uint8Array(body))
    .digest("hex");
}

async function answerOf(c: HttpContext): Promise<Answer | undefined> {
  const { status } = c.res;
  if (status !== 200 && status !== 201) return undefined;
  return { requestId: c.get("requestId"), status, body: await c.res.clone().text() };
}
