import type { Logger } from "pino";
import { AppError } from "#domain/errors.ts";
import { UnreadableSecretError } from "#lib/security/secret-box.ts";
import { asUnavailable, exceededTimeLimit } from "#operations/unavailable.ts";
import { isA2aPath, respondA2aError } from "./a2a/a2a.ts";
import type { HttpContext, HttpServices } from "./context.ts";
import { respondError } from "./api/shape/respond.ts";
import { createOutageLog } from "./log-outages.ts";
import { loggedPath } from "./middleware/log-requests.ts";
import { respondOpenAiError } from "./openai/errors.ts";
import { OPENAI_ROOT } from "./openai/openai.ts";
import { TableError } from "./table/errors.ts";
import { respondTableError } from "./table/respond.ts";
import { TABLE_ROOT } from "./table/root.ts";

/**
 * Creates the one function that maps errors to responses: PostgREST's form on the table API, `{error: message}` on
 * AG-UI, else the envelope's form.
 */
export function errorAnswerer({ log }: Pick<HttpServices, "log">): (error: Error, c: HttpContext) => Response {
  const logOutage = createOutageLog(log);
  return (error, c) => {
    const known = knownError(error, c);
    if (known !== undefined && known.status === 503 && known.cause !== undefined) {
      logOutage(known, {
        requestId: c.get("requestId"),
        workspaceId: c.get("workspaceId"),
        path: loggedPath(c),
      });
    }
    return answer({ log, error, known }, c);
  };
}

/** An error, and what is known of it. */
interface Failure {
  readonly log: Logger;
  readonly error: Error;
  readonly known: AppError | undefined;
}

function answer({ log, error, known }: Failure, c: HttpContext): Response {
  if (`${c.req.path}/`.startsWith(`${TABLE_ROOT}/`)) {
    // PostgREST has its own error for a statement time-out.
    return respondTableError({ log }, exceededTimeLimit(error) ? error : (known ?? error), c);
  }
  const shown = known ?? issueOf(error);
  if (shown.code === "internal_error") {
    log.error(
      { err: error, requestId: c.get("requestId"), workspaceId: c.get("workspaceId"), path: loggedPath(c) },
      "request failed",
    );
  }
  return answerAppError(c, shown);
}

/** Returns an error that is not the service's; undefined for any other, and for those of the table API. */
function knownError(error: Error, { env: { incoming } }: HttpContext): AppError | undefined {
  if (error instanceof AppError) return error;
  if (error instanceof TableError) return undefined;
  // Before the outages: the client's connection breaks with the same code as the database's.
  if (incoming.destroyed && !incoming.complete) {
    return new AppError("bad_request", "The request ended before its body was complete.", { cause: error });
  }
  return asUnavailable(error);
}

/** Returns the message for the caller when the error is not known. */
function issueOf(error: Error): AppError {
  if (error instanceof UnreadableSecretError) return new AppError("conflict", error.message, { cause: error });
  return new AppError("internal_error", "Internal error.", { cause: error });
}

function answerAppError(c: HttpContext, error: AppError): Response {
  if (isA2aPath(c.req.path)) return respondA2aError(c, error);
  if (c.req.path.startsWith(`${OPENAI_ROOT}/`)) return respondOpenAiError(c, error);
  if (!c.req.path.startsWith("/ag-ui/")) return respondError(c, error);
  return c.json({ error: error.message }, error.status, { ...error.headers });
}
