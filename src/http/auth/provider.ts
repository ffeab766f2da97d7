import { AppError } from "#domain/errors.ts";
import { escapeHtml } from "#lib/text/escape-html.ts";
import { LOGIN_SECONDS, beginProviderSignIn, finishProviderSignIn } from "#operations/accounts/provider-sign-in.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { oneOf, readCookie, removeCookie, writeOneOf } from "../middleware/cookies.ts";
import { originOf } from "../middleware/origin.ts";
import { acceptsHtml, documentWith, respondPage } from "../own-page.ts";
import { clientOf } from "./client.ts";
import { setDeviceCookie, setRefreshCookie } from "./refresh-cookie.ts";

const START = "/auth/oidc";
/** The path of the redirect URI, as registered at the provider. */
const CALLBACK = "/auth/oidc/callback";
/** A sign-in that this browser began. The provider's redirect comes from another site: a strict cookie would not be sent. */
const LOGIN = { name: "muster_oidc_", path: START, sameSite: "Lax" } as const;
/** The sign-ins that one browser may have begun, as in several tabs. */
const MAX_LOGINS = 3;

/** Adds /auth/oidc, which browsers open to sign in at the provider, and where the provider sends them back. */
export default function addProviderSignIn({ app, services }: Api): void {
  app.get(START, (c) => orPage(services, c, () => begin(services, c)));
  app.get(CALLBACK, (c) => orPage(services, c, () => finish(services, c)));
}

async function begin(services: HttpServices, c: HttpContext): Promise<Response> {
  const redirectUri = originOf(c, services) + CALLBACK;
  const { url, state, login } = await beginProviderSignIn(services, { redirectUri, next: c.req.query("next") });
  writeOneOf(c, services, { ...LOGIN, id: state, value: login, seconds: LOGIN_SECONDS, max: MAX_LOGINS });
  return c.redirect(url, 303);
}

async function finish(services: HttpServices, c: HttpContext): Promise<Response> {
  const cookie = oneOf(LOGIN, c.req.query("state") ?? "");
  const login = readCookie(c, services, cookie);
  const { search } = new URL(c.req.url);
  const url = new URL(originOf(c, services) + CALLBACK + search);
  const { session, next } = await finishProviderSignIn(services, { login, url, client: clientOf(c, services) });
  removeCookie(c, services, cookie);
  setRefreshCookie(c, services, session.refreshToken);
  setDeviceCookie(c, services, session.deviceToken);
  return c.redirect(next, 303);
}

/** People get a page that says what went wrong, programs the API's error. */
async function orPage(services: HttpServices, c: HttpContext, respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    services.log.warn({ reason: error.message, requestId: c.get("requestId") }, "sign-in at the provider failed");
    if (!acceptsHtml(c)) throw error;
    return respondPage((nonce) => failedPage(error.message, nonce), error.status);
  }
}

function failedPage(message: string, nonce: string): string {
  const title = "You could not be signed in";
  const body = `<h1>${title}</h1><p>${escapeHtml(message)}</p><p><a href="/sign-in">Back to sign-in</a></p>`;
  return documentWith({ title, body, nonce, refresh: false });
}
