import { LOGIN_SECONDS, beginProviderSignIn, finishProviderSignIn } from "#operations/accounts/provider-sign-in.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { oneOf, readCookie, removeCookie, writeOneOf } from "../middleware/cookies.ts";
import { originOf } from "../middleware/origin.ts";
import { clientOf } from "./client.ts";
import { orFailedPage } from "./failed-page.ts";
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
  app.get(START, (c) => orFailedPage(services, c, () => begin(services, c)));
  app.get(CALLBACK, (c) => orFailedPage(services, c, () => finish(services, c)));
}

async function begin(services: HttpServices, c: HttpContext): Promise<Response> {
  const redirectUri = originOf(c, services) + CALLBACK;
  const { next, prompt } = c.req.query();
  const isAsked = prompt === "login";
  const { url, state, login } = await beginProviderSignIn(services, { redirectUri, next, isAsked });
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
