import type * as OpenIdClient from "openid-client";
import { cachedRead } from "#lib/async/cached-read.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { createAccessTokenVerifier } from "./access-token.ts";
import { readClaims } from "./claims.ts";
import type { ProviderClaims } from "./claims.ts";
import { OpenIdRejectedError, explainFailure } from "./explain-failure.ts";
import { providerFetch } from "./provider-fetch.ts";

/** How far the provider's clock may be from ours, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Longer than a fetch may take: its own error says what happened. */
const TIMEOUT_SECONDS = 10;

/** Where people sign in, and as which client. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** Separated by spaces. */
  readonly scopes: string;
  /** The provider's name on pages. */
  readonly name: string;
  /** The claim with a person's groups, which is asked for where the ID token has none; undefined: groups do not count. */
  readonly groupsClaim: string | undefined;
  /** The audience of access tokens of programs; undefined: none is accepted. */
  readonly audience: string | undefined;
  /** Not guarded: the operator sets the issuer. */
  readonly fetch: SafeFetch;
}

/** What a sign-in keeps until the provider sends the person back. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** An OpenID provider at which people sign in (OpenID Connect Core, code flow with PKCE). */
export interface OpenIdProvider {
  readonly name: string;
  readonly issuer: string;
  /**
   * Starts a sign-in: the URL to open in the browser, and what {@link finish} needs.
   * @throws OpenIdUnavailableError, OpenIdRejectedError
   */
  begin(asked: {
    readonly redirectUri: string;
    /** Whether the provider asks who signs in, also where it knows someone. */
    readonly isAsked: boolean;
  }): Promise<{ readonly url: string; readonly login: PendingLogin }>;
  /**
   * Exchanges the code for what the provider says of the person. State, issuer, audience, nonce, times and the signature
   * of the ID token are checked.
   * @param url to which the provider sent the browser
   * @throws OpenIdUnavailableError, OpenIdRejectedError
   */
  finish(url: URL, login: PendingLogin): Promise<ProviderClaims>;
  /**
   * Returns the page at which a person signs out (RP-initiated logout); undefined when the provider has none.
   * @throws OpenIdUnavailableError, OpenIdRejectedError
   */
  findSignOut(returnTo: string): Promise<string | undefined>;
  /**
   * Returns the client id of an access token that was issued to a program for our audience.
   * @throws OpenIdUnavailableError, OpenIdRejectedError
   */
  verifyAccessToken(token: string): Promise<string>;
}

/** Creates a client of a provider; nothing is fetched before it is used. */
export function createOpenIdProvider(settings: OpenIdSettings): OpenIdProvider {
  const metadata = cachedRead(1, () => discover(settings));

  /** Fresh for each use, without known keys: a key that the provider has just changed is fetched. */
  async function configure() {
    const { openid, server } = await metadata.read(settings.issuer);
    const config = new openid.Configuration(
      server,
      settings.clientId,
      clientOf(openid),
      authenticationOf(openid, settings),
    );
    config[openid.customFetch] = providerFetch(settings.fetch);
    config.timeout = TIMEOUT_SECONDS;
    openid.enableNonRepudiationChecks(config);
    if (isLocal(settings)) openid.allowInsecureRequests(config);
    return { openid, config };
  }

  const verifier =
    settings.audience === undefined ? undefined : createAccessTokenVerifier(settings.audience, settings.fetch);

  return {
    name: settings.name,
    issuer: settings.issuer,
    verifyAccessToken: (token) =>
      explainFailure(async () => {
        if (verifier === undefined) throw new OpenIdRejectedError("Access tokens of the provider are not accepted.");
        const { server } = await metadata.read(settings.issuer);
        return verifier.verify(token, server);
      }),
    begin: ({ redirectUri, isAsked }) =>
      explainFailure(async () => {
        const { openid, config } = await configure();
        const login = {
          state: openid.randomState(),
          nonce: openid.randomNonce(),
          verifier: openid.randomPKCECodeVerifier(),
        };
        const url = openid.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: settings.scopes,
          state: login.state,
          nonce: login.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(login.verifier),
          code_challenge_method: "S256",
          ...(isAsked && { prompt: "login" }),
        });
        return { url: url.href, login };
      }),
    finish: (url, { state, nonce, verifier }) =>
      explainFailure(async () => {
        const { openid, config } = await configure();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await openid.authorizationCodeGrant(config, url, checks);
        const idToken = tokens.claims();
        if (idToken === undefined) throw new Error("A grant with a nonce has an ID token.");
        const needed = ["email", settings.groupsClaim ?? "email"];
        const isComplete = needed.every((claim) => idToken[claim] !== undefined);
        const hasMore = !isComplete && config.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasMore ? await openid.fetchUserInfo(config, tokens.access_token, idToken.sub) : {};
        return readClaims({ ...more, ...idToken }, settings.groupsClaim);
      }),
    findSignOut: (returnTo) =>
      explainFailure(async () => {
        const { openid, config } = await configure();
        if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
        return openid.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
      }),
  };
}

type Library = typeof OpenIdClient;

/** The library is loaded when someone signs in: most instances have no provider. */
async function discover(settings: OpenIdSettings) {
  const openid = await import("openid-client");
  const config = await openid.discovery(new URL(settings.issuer), settings.clientId, undefined, openid.None(), {
    [openid.customFetch]: providerFetch(settings.fetch),
    timeout: TIMEOUT_SECONDS,
    execute: isLocal(settings) ? [openid.allowInsecureRequests] : [],
  });
  return { openid, server: config.serverMetadata() };
}

function clientOf(openid: Library) {
  return { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
}

/** The secret in the header, as OpenID Connect does by default, unless the provider accepts it in the body alone. */
function authenticationOf(openid: Library, { clientSecret: secret }: OpenIdSettings): ReturnType<Library["None"]> {
  if (secret === undefined) return openid.None();
  const inHeader = openid.ClientSecretBasic(secret);
  const inBody = openid.ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const isBodyOnly = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
    return (isBodyOnly ? inBody : inHeader)(server, client, body, headers);
  };
}

/** The settings allow http for this machine only. */
function isLocal({ issuer }: OpenIdSettings): boolean {
  return issuer.startsWith("http:");
}
