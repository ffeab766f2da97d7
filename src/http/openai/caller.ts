import { createHash } from "node:crypto";
import type { KeyScope } from "#domain/access/api-key.ts";
import { requireScope } from "#domain/access/principal.ts";
import { AppError } from "#domain/errors.ts";
import type { KeyedRequest } from "#operations/access/answer-once.ts";
import { bearerCaller } from "../middleware/authenticate.ts";
import { requestWorkspace } from "../request-workspace.ts";
import type { HttpContext, HttpServices, WorkspaceCaller } from "../context.ts";
import { countRequest, countStart } from "../middleware/rate-limit.ts";

const NO_VALID_KEY = "An API key of the workspace is required: Authorization: Bearer mst_…, or api-key: mst_…";
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Authenticates a caller by an envelope key or an access token, as bearer or in `api-key` as Azure's clients send it; counts the request against the workspace's
 * plan.
 * @throws AppError `unauthorized`, `forbidden` without the scope, `rate_limit_exceeded`.
 */
export async function openAiCaller(services: HttpServices, c: HttpContext, scope: KeyScope): Promise<WorkspaceCaller> {
  const caller = await bearerCaller(services, c, {
    surface: "openai",
    message: NO_VALID_KEY,
    header: "api-key",
  });
  requireScope(caller.principal, scope);
  await (scope === "write" ? countStart : countRequest)(services, c, caller.principal);
  return { ...caller, workspace: requestWorkspace(services, c, caller.principal) };
}

/**
 * Returns the `Idempotency-Key` of a request, and a hash of everything else in it.
 * @throws AppError `bad_request` for an invalid key.
 */
export async function repeatableBy(c: HttpContext): Promise<KeyedRequest | undefined> {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new AppError("bad_request", "An Idempotency-Key is 1 to 255 printable characters.");
  }
  const body = new Uint8Array(await c.req.arrayBuffer());
  return { key, hash: createHash("sha256").update(`${c.req.path}\n`).update(body).digest("hex") };
}
