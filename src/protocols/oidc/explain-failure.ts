import { z } from "zod";
import { codeOf } from "#lib/error-code.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";

/** The provider does not answer, or not as a provider does. The message is a sentence for people. */
export class OpenIdUnavailableError extends Error {
  override readonly name = "OpenIdUnavailableError";
}

/** The provider refused, or what it sent is not trusted. The message is a sentence for people. */
export class OpenIdRejectedError extends Error {
  override readonly name = "OpenIdRejectedError";
}

/** Why an answer of the provider is not trusted, by the codes of the library, with the attribute where it names one. */
const REASONS: Readonly<Record<string, string>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: "its ID token has expired or is not valid yet",
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: "its ID token is of another issuer, for another service, or for another sign-in",
  OAUTH_KEY_SELECTION_FAILED: "none of its keys has signed the ID token",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED issuer": "its discovery document names another issuer than OIDC_ISSUER",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED sub": "its user info is of another person than its ID token",
  OAUTH_INVALID_RESPONSE: "its response has another state, or an ID token with a wrong signature or algorithm",
};
/** The library wraps the errors of the one below it. */
const attributed = z.looseObject({ cause: z.looseObject({ cause: z.looseObject({ attribute: z.string() }) }) });
const ANY_REASON = "its response is not what OpenID Connect demands";
const UNREADABLE: ReadonlySet<string> = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);

/** Why an answer is not trusted; by default, because it is none of OpenID Connect. */
export function notTrusted(reason = ANY_REASON): OpenIdRejectedError {
  return new OpenIdRejectedError(`The sign-in provider is not trusted: ${reason}.`);
}

/** Runs a call of the library; its errors hold tokens, so only what they are called is passed on. */
export async function explainFailure<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const failed = fetchFailureIn(error);
  if (failed !== undefined) return new OpenIdUnavailableError(`The sign-in provider: ${failed.message}`);
  if ("error" in error && typeof error.error === "string") return refused(error.error);
  const code = codeOf(error);
  if (UNREADABLE.has(code)) return new OpenIdUnavailableError("The sign-in provider responds with an error.");
  if (!code.startsWith("OAUTH_")) return error;
  const attribute = attributed.safeParse(error).data?.cause.cause.attribute;
  return notTrusted(REASONS[attribute === undefined ? code : `${code} ${attribute}`]);
}

/** The library wraps the errors of its fetch. */
function fetchFailureIn(error: unknown): FetchFailedError | undefined {
  if (error instanceof FetchFailedError) return error;
  return error instanceof Error ? fetchFailureIn(error.cause) : undefined;
}

/** An error of OAuth (RFC 6749, 4.1.2.1 and 5.2). */
function refused(code: string): OpenIdRejectedError {
  const shown = code.replaceAll(/[^\w.-]/g, "").slice(0, 60);
  if (shown === "access_denied") return new OpenIdRejectedError("The sign-in provider says: access denied.");
  if (shown === "invalid_grant") return new OpenIdRejectedError("This sign-in was used already, or took too long.");
  if (shown === "invalid_client" || shown === "unauthorized_client") {
    return new OpenIdRejectedError(
      `The sign-in provider rejects this service's client (${shown}): its operator must check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.`,
    );
  }
  return new OpenIdRejectedError(`The sign-in provider reports an error: ${shown}.`);
}
