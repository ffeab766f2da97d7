import type { MusterError } from "#client/index.ts";
import { codeOf } from "#lib/error-code.ts";
import { CliError, RejectedError, UnreachableError } from "./cli-error.ts";
import { rejectionMessage } from "./service-rejection.ts";

const HOW_TO_REACH = 'Start it with "npm start" (or "muster serve"), or choose another one with --url or MUSTER_URL.';

/** Converts a failed request to an error with a message for the user and an exit code. */
export function explainFailure(failure: MusterError): CliError {
  const { cause, code, url = "", status, message, details, requestId, retryAfterMs } = failure;
  if (cause instanceof CliError) return cause;
  if (code === "invalid_response") return new UnreachableError(`${message} Check --url or MUSTER_URL.`, { cause });
  if (status === undefined) {
    const reason = code === "timeout" ? "no answer in time" : reasonOf(cause);
    return new UnreachableError(`Cannot reach the service at ${new URL(url).origin}: ${reason}.\n${HOW_TO_REACH}`, {
      cause: failure,
    });
  }
  return new RejectedError(status, code, rejectionMessage({ status, message, details, requestId, retryAfterMs, url }));
}

/** The message of fetch is "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = codeOf(cause);
  if (code === "ECONNREFUSED") return "the connection was refused";
  if (code === "ENOTFOUND") return "its host name is unknown";
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) return "it does not speak https; try http:// in the URL";
  if (code === "HPE_INVALID_CONSTANT" || code === "UND_ERR_SOCKET" || code === "ECONNRESET") {
    return "it closed the connection without an HTTP response; try https:// in the URL";
  }
  return cause.message.replace(/\.$/, "") || code;
}
