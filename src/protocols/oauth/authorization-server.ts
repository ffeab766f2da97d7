import { createPrivateKey } from "node:crypto";
import { Provider, errors, interactionPolicy } from "oidc-provider";
import type { AdapterFactory, Configuration, JWK, KoaContextWithOIDC } from "oidc-provider";
import { newId } from "#lib/ids.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { providerFetch } from "../oidc/provider-fetch.ts";
import { clientMetadata } from "./client-metadata.ts";

/** The paths of the authorization server. */
export const OAUTH_ROUTES = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  jwks: "/oauth/jwks",
} as const;

/** The lifetimes, in seconds. */
const TTL = {
  /** What ends one before its time is the end of its key, which is checked at each use. */
  AccessToken: 3_600,
  AuthorizationCode: 60,
  /** Counted from its last refresh; then a person connects the app again. */
  RefreshToken: 30 * 86_400,
  /** The key ends a grant, not its age. */
  Grant: 3_650 * 86_400,
  Interaction: 600,
  Session: 600,
  IdToken: 600,
} as const;

/** The version of the draft that the library implements; another one is a change to look at. */
const CIMD_DRAFT = "draft-02";

/** What an authorization server needs. */
export interface AuthorizationServerOptions {
  readonly issuer: string;
  /** The URL of the surface that its tokens open. */
  readonly resource: string;
  /** Each includes those before it. */
  readonly scopes: readonly string[];
  readonly store: AdapterFactory;
  /** Fetches documents of clients. */
  readonly fetch: SafeFetch;
  /** Whether programs may register themselves (RFC 7591). */
  readonly registers: boolean;
  /** Keys for the signatures of its cookies, the newest first. */
  readonly cookieKeys: readonly Buffer[];
  /** 32 bytes for the key that the library requires; it signs nothing, since there are no ID tokens. */
  readonly signingSeed: Buffer;
  /** The path to which the cookie of a request that waits for consent is sent. */
  readonly consentPath: string;
  /** The page where a person consents to a request. */
  readonly consentPage: (uid: string) => string;
  /** Returns a page that shows an error to a person. */
  readonly errorPage: (message: string) => {
    readonly html: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/**
 * Creates an OAuth 2.1 authorization server: authorization codes with PKCE, refresh tokens that rotate, opaque tokens
 * for one resource (RFC 8707), client id metadata documents, metadata (RFC 8414), revocation (RFC 7009).
 */
export function createAuthorizationServer(options: AuthorizationServerOptions): Provider {
  const server = new Provider(options.issuer, configuration(options));
  // Errors of the library reach the caller by its event.
  server.silent = true;
  server.on("authorization.error", keepHere);
  // Its URLs follow the headers that the caller sets to the issuer's.
  server.proxy = true;
  server.use(async (ctx, next) => {
    if (ctx.path === OAUTH_ROUTES.authorization) ctx.query = completeQuery(ctx.query, options.scopes);
    await next();
    const { location: page, "set-cookie": cookies } = ctx.response.headers;
    if (ctx.path === OAUTH_ROUTES.authorization && page !== undefined && Array.isArray(cookies)) {
      ctx.set("Set-Cookie", ownCookies(cookies, { page, path: options.consentPath }));
    }
    // The library adds the scope of ID tokens, which this server has none of.
    if (ctx.path.startsWith("/.well-known/")) Object.assign(ctx.body ?? {}, { scopes_supported: options.scopes });
  });
  return server;
}

/**
 * The cookies of a request that waits for consent. Those of several tabs must not replace each other: the library has one
 * path for all, the consent page's URL ends with the request's id.
 */
function ownCookies(
  cookies: readonly string[],
  { page, path }: { readonly page: string; readonly path: string },
): string[] {
  const own = `path=${path}/${page.slice(page.lastIndexOf("/") + 1)};`;
  return cookies.map((cookie) => cookie.replace(`path=${path};`, own));
}

/**
 * Shows an error to the person instead of leading the browser to a site, or to what opens a scheme: anybody can register
 * one, and a link to this service would lead there without a question (RFC 9700, 4.11.2). Programs that listen on a
 * loopback address, the only one with http, are told. After a decision, browsers return to any program.
 */
function keepHere(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  if (ctx.path !== OAUTH_ROUTES.authorization || ctx.accepts("json", "html") !== "html") return;
  if (/^http:/i.test(String(ctx.query["redirect_uri"]))) return;
  Object.assign(error, { allow_redirect: false });
  // Some have the status of a redirect.
  ctx.status = 400;
}

type Query = KoaContextWithOIDC["query"];

/**
 * Each request is put before a person, so `prompt` adds nothing. Who asks for a scope asks for those before it, too; a
 * program that names none asks for all of them.
 */
function completeQuery({ prompt, scope, ...query }: Query, scopes: readonly string[]): Query {
  const named = String(scope ?? "").split(" ");
  const last = scopes.findLastIndex((each) => named.includes(each));
  return {
    ...query,
    ...(prompt === "none" && { prompt }),
    scope: (last === -1 ? scopes : scopes.slice(0, last + 1)).join(" "),
  };
}

function configuration(options: AuthorizationServerOptions): Configuration {
  const { scopes, store, fetch, cookieKeys, consentPath, consentPage, errorPage } = options;
  const fetchOfClient = providerFetch(fetch);
  return {
    adapter: store,
    routes: OAUTH_ROUTES,
    scopes: [...scopes],
    claims: {},
    ttl: TTL,
    responseTypes: ["code"],
    pkce: { required: () => true },
    clientAuthMethods: ["none", "private_key_jwt"],
    clientDefaults: { token_endpoint_auth_method: "none", id_token_signed_response_alg: "EdDSA" },
    enabledJWA: { idTokenSigningAlgValues: ["EdDSA"] },
    extraClientMetadata: clientMetadata,
    jwks: { keys: [signingKey(options.signingSeed)] },
    cookies: {
      keys: cookieKeys.map((key) => key.toString("base64url")),
      short: { path: consentPath, httpOnly: true, sameSite: "lax", overwrite: true },
      long: { httpOnly: true, sameSite: "lax", overwrite: true },
    },
    interactions: { policy: [consentEachTime()], url: (_ctx, { uid }) => consentPage(uid) },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: grantOfConsent,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => true,
    fetch: async (url, { headers, signal } = {}) =>
      fetchOfClient(url instanceof Request ? url.url : url.toString(), {
        method: "GET",
        headers: Object.fromEntries(new Headers(headers)),
        redirect: "manual",
        body: undefined,
        ...(signal != null && { signal }),
      }),
    renderError(ctx, { error, error_description: description }) {
      if (ctx.accepts("json", "html") !== "html") {
        ctx.body = { error, error_description: description };
        return;
      }
      const { html, headers } = errorPage(description ?? error);
      ctx.set({ ...headers });
      ctx.body = html;
    },
    features: features(options),
  };
}

function features({ resource, scopes, registers }: AuthorizationServerOptions): Configuration["features"] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    clientIdMetadataDocument: { enabled: true, ack: CIMD_DRAFT, cacheDuration: { min: 60, max: 3_600 } },
    registration: { enabled: registers, issueRegistrationAccessToken: false, idFactory: () => newId() },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, indicator) {
        if (indicator.replace(/\/$/, "") !== resource) {
          throw new errors.InvalidTarget(`resource must be ${resource}`);
        }
        return { audience: resource, scope: scopes.join(" "), accessTokenFormat: "opaque" };
      },
    },
  };
}

/** A program gets nothing without a person who consents to this very request. */
function consentEachTime(): interactionPolicy.Prompt {
  const check = new interactionPolicy.Check("consent_required", "a person must consent", (ctx) => {
    return ctx.oidc.result?.consent?.grantId === undefined;
  });
  return new interactionPolicy.Prompt({ name: "consent", requestable: true }, check);
}

async function grantOfConsent({ oidc }: KoaContextWithOIDC) {
  const grantId = oidc.result?.consent?.grantId;
  return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
}

const ED25519_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

function signingKey(seed: Buffer): JWK {
  const key = createPrivateKey({ key: Buffer.concat([ED25519_PREFIX, seed]), format: "der", type: "pkcs8" });
  return { ...key.export({ format: "jwk" }), kty: "OKP", use: "sig", alg: "EdDSA" };
}
