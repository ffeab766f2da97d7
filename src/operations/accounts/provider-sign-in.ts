import { z } from "zod";
import { hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { OpenIdRejectedError, OpenIdUnavailableError } from "#protocols/oidc/explain-failure.ts";
import type { OpenIdProvider } from "#protocols/oidc/openid-provider.ts";
import { spendSignIn } from "#db/queries/accounts/identities.ts";
import type { Services } from "../context.ts";
import { admitAttempt } from "./attempts.ts";
import type { Client } from "./client.ts";
import { accountOfIdentity } from "./identity.ts";
import { beginBrowserSession } from "./sign-in.ts";
import type { BrowserSession } from "./sign-in.ts";

/** How long a person may take at the provider, in seconds. */
export const LOGIN_SECONDS = 600;
/** What the encrypted login is for: no other secret can be put in its place. */
const CONTEXT = "provider-login";
const SIGN_IN_PAGE = "/sign-in";
/** A longer one counts as the first page: a cookie holds 4,096 bytes. */
const MAX_NEXT = 1_000;

const loginShape = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  expires: z.number(),
});

/** A sign-in that has begun. */
export interface BegunSignIn {
  /** By which the provider's answer names it. */
  readonly state: string;
  /** The provider's page, to open in the browser. */
  readonly url: string;
  /** What the browser keeps until it comes back, encrypted: only the browser that began can finish. */
  readonly login: string;
}

/**
 * Begins a sign-in at the provider.
 * @param next the page to show afterwards: a path of this service; anything else counts as the first page
 * @param isAsked whether the provider asks who signs in, also where it knows someone
 * @throws AppError `not_found` without a provider; `unavailable` when it does not answer; `unauthorized`
 */
export async function beginProviderSignIn(
  services: Services,
  {
    redirectUri,
    next,
    isAsked,
  }: { readonly redirectUri: string; readonly next: string | undefined; readonly isAsked: boolean },
): Promise<BegunSignIn> {
  const { url, login } = await asAppError(() => providerOf(services).begin({ redirectUri, isAsked }));
  const kept: z.input<typeof loginShape> = {
    ...login,
    next: ownPath(next, redirectUri),
    expires: Date.now() + LOGIN_SECONDS * 1_000,
  };
  return { url, state: login.state, login: services.secrets.encrypt(JSON.stringify(kept), CONTEXT) };
}

/**
 * Finishes a sign-in: starts a session of the person that the provider names.
 * @param login that the browser kept
 * @param url to which the provider sent the browser
 * @throws AppError `bad_request` for a sign-in that was begun elsewhere, has expired or was finished before;
 * `unauthorized` when the provider refuses or is not trusted; `forbidden` for a person who may not enter;
 * `unavailable`, `conflict`, `rate_limit_exceeded`.
 */
export async function finishProviderSignIn(
  services: Services,
  given: { readonly login: string | undefined; readonly url: URL; readonly client: Client },
): Promise<{ readonly session: BrowserSession; readonly next: string }> {
  const { url, client } = given;
  const provider = providerOf(services);
  const { next, ...login } = openLogin(services, given.login);
  const takeBack = await admitAttempt(services.db, { provider_sign_in: client.address });
  // Before the provider is asked: a copy of the request has no effect, on any process.
  if (!(await spendSignIn(services.db, hashKey(login.state), LOGIN_SECONDS))) throw usedOrExpired();
  const claims = await asAppError(() => provider.finish(url, login)).catch(async (error: unknown) => {
    // An outage must not lock an office out.
    if (error instanceof AppError && error.code === "unavailable") await takeBack();
    throw error;
  });
  const person = await accountOfIdentity(services, claims);
  const session = await beginBrowserSession(services, person, {
    workspaceId: undefined,
    client,
    openedBy: "provider",
    endsAfter: services.providerSessionSeconds,
  });
  await takeBack();
  return { session, next };
}

function providerOf({ openId }: Services): OpenIdProvider {
  if (openId !== undefined) return openId;
  throw new AppError("not_found", "This instance has no sign-in provider. Sign in with e-mail address and password.");
}

function openLogin({ secrets }: Services, login: string | undefined): z.output<typeof loginShape> {
  const opened = login === undefined ? undefined : attempt(() => JSON.parse(secrets.open(login, CONTEXT)));
  const { data } = loginShape.safeParse(opened);
  if (data === undefined || data.expires <= Date.now()) throw usedOrExpired();
  return data;
}

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** A path of this service: a sign-in must not lead to another site. From the sign-in page, the page that it leads to. */
function ownPath(next: string | null | undefined, ownUrl: string): string {
  const { origin } = new URL(ownUrl);
  const url = next == null || next.length > MAX_NEXT ? null : URL.parse(next, origin);
  if (url === null || url.origin !== origin) return "/";
  if (url.pathname === SIGN_IN_PAGE) return ownPath(url.searchParams.get("next"), ownUrl);
  return url.pathname + url.search + url.hash;
}

async function asAppError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OpenIdUnavailableError) throw new AppError("unavailable", error.message, { cause: error });
    if (error instanceof OpenIdRejectedError) throw new AppError("unauthorized", error.message, { cause: error });
    throw error;
  }
}

function usedOrExpired(): AppError {
  return new AppError(
    "bad_request",
    "This sign-in was finished before, took longer than ten minutes, or was begun in another browser. Sign in again.",
  );
}
