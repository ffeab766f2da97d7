import { AISDKError, APICallError, TypeValidationError } from "@ai-sdk/provider";
import {
  ModelError,
  type ExchangedBodies,
  type ModelErrorKind,
  type ReportedUsage,
} from "#domain/models/model-call.ts";
import { redact, withoutSecrets } from "./redact.ts";
import { retryAfterMs } from "#lib/http/retry-after.ts";
import { codeOf } from "#lib/error-code.ts";
import { parseProviderMessage, parseProviderReport } from "./provider-message.ts";
import { ProviderStreamError, hasError } from "./provider-stream-error.ts";

/** The characters recorded of each request and response body. */
const MAX_BODY = 128 * 1024;

/** The context of a failed call for {@link toModelError}. */
export interface FailedCall {
  /** The connection's key, to remove it from messages. */
  readonly secret: string | undefined;
  readonly signal: AbortSignal;
  /** See `AiSdkConnection`. */
  readonly keyRejected: RegExp | undefined;
  /** The media type of the response, if one began. */
  readonly contentType?: string | undefined;
  /** What the provider had reported of the call's usage. */
  readonly usage?: ReportedUsage | undefined;
}

/**
 * Converts any error of an AI SDK model into a ModelError. The original is not kept as the cause, because it contains
 * the prompt and the provider's raw response, which must not be logged.
 */
export function toModelError(error: unknown, call: FailedCall): ModelError {
  const { secret, signal, contentType, usage } = call;
  if (signal.aborted) {
    return new ModelError("aborted", "The model call was aborted.", { usage });
  }
  const known = findModelError(error);
  if (known !== undefined) {
    if (known.kind === "cut" && isDocument(contentType)) return unreadable(contentType);
    return new ModelError(known.kind, redact(known.message, secret), { usage, wasSent: known.wasSent });
  }
  if (APICallError.isInstance(error)) {
    return fromApiCallError(error, call);
  }
  if (error instanceof ProviderStreamError) {
    return fromStreamReport(error.report, call);
  }
  // All others of a response that has begun are about its form.
  const kind = AISDKError.isInstance(error) || contentType !== undefined ? "cut" : "request";
  return new ModelError(kind, redact(textOf(error), secret), { usage });
}

/** Finds a ModelError of the response body; the packages wrap it when they read a whole body. */
function findModelError(error: unknown): ModelError | undefined {
  if (error instanceof ModelError) return error;
  return error instanceof Error ? findModelError(error.cause) : undefined;
}

function fromApiCallError(error: APICallError, { secret, keyRejected, usage }: FailedCall): ModelError {
  const { statusCode: status, responseBody } = error;
  if (status === undefined) {
    return new ModelError("unavailable", redact(error.message, secret), { wasSent: !isUnconnected(error) });
  }
  if (status < 400) {
    return new ModelError("cut", "The connection broke off in the middle of the answer.", { usage });
  }
  const message = parseProviderMessage(responseBody) ?? (error.message || `HTTP status ${status}`);
  const wait = retryAfterMs(error.responseHeaders ?? {}, Date.now());
  return new ModelError(kindOf(status, responseBody ?? message, keyRejected), redact(message, secret), {
    status,
    bodies: bodiesOf(error, secret),
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

function bodiesOf({ requestBodyValues, responseBody = "" }: APICallError, secret: string | undefined): ExchangedBodies {
  const cut = (text: string) => withoutSecrets(text.slice(0, MAX_BODY), secret);
  return { request: cut(JSON.stringify(requestBodyValues) ?? ""), response: cut(responseBody) };
}

/** Error codes of connections that failed before the request was sent. */
const UNCONNECTED = /^(ERR_PROXY|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

function isUnconnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return UNCONNECTED.test(codeOf(error)) || isUnconnected(error.cause);
}

/** A page or a document at status 200, as a portal or a wrong base URL gives it. */
const DOCUMENT = /^(?:text\/html|application\/json)\b/i;

function isDocument(contentType: string | undefined): contentType is string {
  return DOCUMENT.test(contentType ?? "");
}

function unreadable(contentType: string | undefined): ModelError {
  const [type = ""] = DOCUMENT.exec(contentType ?? "") ?? [];
  const reason = type === "" ? "" : `: ${type.toLowerCase()} instead of a stream of events. Is its base URL right?`;
  return new ModelError("cut", `The provider sent an answer that cannot be read${reason || "."}`);
}

function fromStreamReport(given: unknown, { secret, keyRejected, contentType, usage }: FailedCall): ModelError {
  // What the package could not read may still be the provider's error.
  const report = TypeValidationError.isInstance(given) ? given.value : given;
  if (AISDKError.isInstance(report) || (given !== report && !hasError(report))) return unreadable(contentType);
  const { message, statusCode } = parseProviderReport(report);
  const kind = statusCode === undefined ? "unavailable" : kindOf(statusCode, message, keyRejected);
  return new ModelError(kind, redact(message, secret), {
    ...(statusCode !== undefined && { status: statusCode }),
    usage,
  });
}

/** Compatible servers answer 400 to an unknown model. */
const MODEL_REJECTED = /model_not_found|(?:invalid|unknown) model/i;
const MODEL_NAMED = /\bmodel\b/i;
const MISSING = /does not exist|not found/i;

/** Groq rejects what its model wrote, which may write better next time: https://console.groq.com/docs/tool-use */
const MALFORMED_CALL = /tool_use_failed/;

function kindOf(status: number, text: string, keyRejected: RegExp | undefined): ModelErrorKind {
  switch (status) {
    case 401:
    case 403:
      return "auth";
    case 404:
      return "model";
    case 408:
    case 424: // the model behind Bedrock failed
      return "unavailable";
    case 429:
      return "rate_limit";
    case 400:
      if (keyRejected?.test(text) === true) {
        return "auth";
      }
      if (MALFORMED_CALL.test(text)) return "cut";
      return isModelRejected(text) ? "model" : "request";
    default:
      return status >= 500 ? "unavailable" : "request";
  }
}

function isModelRejected(text: string): boolean {
  return MODEL_REJECTED.test(text) || (MODEL_NAMED.test(text) && MISSING.test(text));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
