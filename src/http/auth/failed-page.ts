import { AppError } from "#domain/errors.ts";
import { escapeHtml } from "#lib/text/escape-html.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { acceptsHtml, documentWith, respondPage } from "../own-page.ts";

/** At which the provider asks who signs in, also where it knows someone. */
const ANOTHER_PERSON = "/auth/oidc?prompt=login";

/** Runs a sign-in that a browser has opened. If it fails, people get a page that says why, programs the API's error. */
export async function orFailedPage(
  services: HttpServices,
  c: HttpContext,
  signIn: () => Promise<Response>,
): Promise<Response> {
  try {
    return await signIn();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    services.log.warn({ reason: error.message, requestId: c.get("requestId") }, "sign-in failed");
    if (!acceptsHtml(c)) throw error;
    return respondPage((nonce) => failedPage(error, nonce), error.status);
  }
}

function failedPage({ code, message }: AppError, nonce: string): string {
  const title = "You could not be signed in";
  // The provider would otherwise sign the same person in again.
  const another =
    code === "forbidden" || code === "conflict" ? `<p><a href="${ANOTHER_PERSON}">Sign in as someone else</a></p>` : "";
  const body = `<h1>${title}</h1><p>${escapeHtml(message)}</p>${another}<p><a href="/sign-in">Back to sign-in</a></p>`;
  return documentWith({ title, body, nonce, refresh: false });
}
