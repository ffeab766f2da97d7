import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { UnsafeUrlError } from "#lib/safe-fetch/check-url.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import { McpServerError } from "./mcp-server-error.ts";

const MAX_MESSAGE = 500;
/** Errors that say nothing of the grant, and what a person's refusal is called (RFC 6749, 4.1.2.1). */
const LATER: ReadonlySet<string> = new Set([
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
]);
/** Any other text may repeat what was sent. */
const CODE = /^[a-z_]{1,60}$/;
const ENDED: string = OAuthErrorCode.InvalidGrant;
const DENIED: string = OAuthErrorCode.AccessDenied;
/** The error of a registration (RFC 7591, 3.2.2). */
const rejection = z.object({
  error: z.string().max(100).optional(),
  error_description: z.string().max(200).optional(),
});

/** Explains why a sign-in failed; nothing that a wrong issuer sent is in the message. */
export function toOAuthError(error: unknown): McpServerError {
  if (error instanceof McpServerError) return error;
  return new McpServerError(explain(error).slice(0, MAX_MESSAGE).toWellFormed(), { cause: error });
}

/** Whether an authorization server says that a grant or its client counts no more. */
export function isGrantRejected(error: unknown): boolean {
  if (!OAuthError.isInstance(error)) return false;
  return !LATER.has(error.code);
}

/** Whether an authorization server answered at all, so that it has not granted anything unnoticed. */
export function isAnswer(error: unknown): boolean {
  return OAuthError.isInstance(error);
}

function explain(error: unknown): string {
  if (IssuerMismatchError.isInstance(error)) {
    const what = error.kind === "metadata" ? "The server's authorization server" : "The answer to the sign-in";
    return `${what} names another issuer than ${error.expected ?? "the one expected"}. Nothing was sent to it.`;
  }
  if (AuthorizationServerMismatchError.isInstance(error)) {
    const { recordedIssuer: before, currentIssuer: now } = error;
    return `The client is registered at ${before}, but the server signs people in at ${now}. Set a client_id and client_secret of the latter.`;
  }
  if (RegistrationRejectedError.isInstance(error)) {
    const why = rejection.safeParse(jsonOf(error.body)).data;
    const said = [why?.error, why?.error_description].filter((part) => part !== undefined).join(", ");
    return `The authorization server registers no client (HTTP ${error.status}${said === "" ? "" : `, ${said}`}). Register one there, and set its client_id and client_secret.`;
  }
  if (InsecureTokenEndpointError.isInstance(error)) {
    return "The authorization server's token endpoint has no https, so nothing was sent to it.";
  }
  if (OAuthError.isInstance(error)) {
    const { code } = error;
    if (LATER.has(code)) return "The authorization server failed. Try again later.";
    if (code === ENDED) return "The authorization server does not accept this sign-in any more (invalid_grant).";
    if (code === DENIED) return "You did not agree at the authorization server.";
    return `The authorization server rejected the request: ${CODE.test(code) ? code : "an unknown error"}.`;
  }
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    return "The authorization server's response is not as OAuth describes it.";
  }
  const guarded = guardedCause(error);
  if (guarded !== undefined) return guarded.message;
  return error instanceof Error ? error.message : String(error);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function guardedCause(error: unknown): FetchFailedError | UnsafeUrlError | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof FetchFailedError || inner instanceof UnsafeUrlError) return inner;
    inner = inner.cause;
  }
  return undefined;
}
