import { AppError } from "#domain/errors.ts";
import { UnreadableSecretError } from "#lib/security/secret-box.ts";
import { asUnavailable, exceededTimeLimit } from "#operations/unavailable.ts";
import { isA2aPath, respondA2aError } from "./a2a/a2a.ts";
import type { HttpContext, HttpServices } from "./context.ts";
import { respondError } from "./api/shape/respond.ts";
import { loggedPath } from "./middleware/log-requests.ts";
import { respondOpenAiError } from "./openai/errors.ts";
import { OPENAI_ROOT } from "./openai/openai.ts";
import { TableError } from "./table/errors.ts";
import { respondTableError } from "./table/respond.ts";
import { TABLE_ROOT } from "./table/root.ts";

/**
 * The one place that maps errors to responses: PostgREST's form on the table API, `{error: message}` on AG-UI, else the
 * envelope's form.
 */
export function answerError({ log }: Pick<HttpServices, "log">, error: Error, c: HttpContext): Response {
  const refusal = error instanceof AppError ? error : error instanceof TableError ? undefined : asUnavailable(error);
  if (refusal !== undefined && refusal.status === 503 && refusal.cause !== undefined) {
    log.warn({ err: refusal.cause, requestId: c.get("requestId"), path: loggedPath(c) }, refusal.message);
  }
  if (`${c.req.path}/`.startsWith(`${TABLE_ROOT}/`)) {
    // PostgREST has its own error for a statement time-out.
    return respondTableError({ log }, exceededTimeLimit(error) ? error : (refusal ?? error), c);
  }
  const told = refusal ?? issueOf(error, c);
  if (told.code === "internal_error") {
    log.error({ err: error, requestId: c.get("requestId"), path: loggedPath(c) }, "request failed");
  }
  return answerAppError(c, told);
}

/** Returns the message for the caller when the error is not an AppError. */
function issueOf(error: Error, c: HttpContext): AppError {
  if (error instanceof UnreadableSecretError) return new AppError("conflict", error.message, { cause: error });
  const { incoming } = c.env;
  if (incoming.destroyed && !incoming.complete) {
    return new AppError("bad_request", "The request ended before its body was complete.", { cause: error });
  }
  return new AppError("internal_error", "Internal error.", { cause: error });
}

function answerAppError(c: HttpContext, refusal: AppError): Response {
  if (isA2aPath(c.req.path)) return respondA2aError(c, refusal);
  if (c.req.path.startsWith(`${OPENAI_ROOT}/`)) return respondOpenAiError(c, refusal);
  if (!c.req.path.startsWith("/ag-ui/")) return respondError(c, refusal);
  return c.json({ error: refusal.message }, refusal.status, { ...refusal.headers });
}
