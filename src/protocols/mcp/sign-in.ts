import {
  auth,
  computeScopeUnion,
  exchangeAuthorization,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { isRecord } from "#lib/is-record.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { createOAuthFetch } from "./oauth-fetch.ts";
import { toOAuthError } from "./oauth-error.ts";
import { McpServerError } from "./mcp-server-error.ts";
import type { SignInChallenge } from "./sign-in-needed.ts";

/** Our name at authorization servers. */
const CLIENT_NAME = "Muster";

const PAGES: ReadonlySet<string> = new Set(["https:", "http:"]);

/** An OAuth client of ours at an authorization server. */
export const oauthClient = z.custom<StoredOAuthClientInformation>(isRecord);

/** What a token request needs to know of the server that issues the tokens. */
const issuer = {
  authorizationServer: z.string(),
  metadata: z.custom<AuthorizationServerMetadata>(isRecord).optional(),
  client: oauthClient,
  /** The resource indicator (RFC 8707). */
  resource: z.string().optional(),
};

/** A sign-in that waits for the authorization server's answer. */
export const signInFlow = z.object({
  ...issuer,
  /** The URL of the MCP server. */
  url: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  scope: z.string().nullable(),
});

/** See {@link signInFlow}. */
export type SignInFlow = z.output<typeof signInFlow>;

/** The tokens of an account, and where they are renewed. */
export const accountTokens = z.object({
  ...issuer,
  /** The only URL to which the access token is sent. */
  url: z.string(),
  access: z.string(),
  refresh: z.string().optional(),
  /** Whether each refresh token is valid once; true until the server has given the same one again. */
  rotates: z.boolean(),
});

/** See {@link accountTokens}. */
export type AccountTokens = z.output<typeof accountTokens>;

/** Tokens as they were granted. */
export interface Granted {
  readonly tokens: AccountTokens;
  /** Seconds until the access token expires; null when the server did not say. */
  readonly expiresIn: number | null;
  readonly scope: string | null;
}

/** What begins a sign-in. */
export interface SignInStart {
  readonly url: string;
  readonly redirectUri: string;
  /** Where our client's metadata is, for servers that read it there. */
  readonly clientMetadataUrl: string;
  readonly state: string;
  /** The client to use, or the one that was registered last. */
  readonly client: StoredOAuthClientInformation | undefined;
  /** Whether an admin gave the client, so that none is registered. */
  readonly isGiven: boolean;
  readonly scope: string | undefined;
  /** More scopes to ask for, if `scope` is not given. */
  readonly wider: string | undefined;
  readonly challenge: SignInChallenge;
  readonly signal: AbortSignal;
}

/** What our client says of itself. @param redirectUri where it takes answers */
export function clientMetadataOf(redirectUri: string): OAuthClientMetadata {
  return {
    client_name: CLIENT_NAME,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
}

/**
 * Finds the authorization server of an MCP server, registers with it if needed, and returns the page on which a person
 * agrees. @throws McpServerError; the signal's reason
 */
export async function beginSignIn(
  fetch: SafeFetch,
  start: SignInStart,
): Promise<{ readonly url: string; readonly flow: SignInFlow }> {
  const { url, redirectUri, challenge, signal } = start;
  const { resourceMetadataUrl } = challenge;
  const scope = start.scope ?? computeScopeUnion(start.wider, challenge.scope);
  const noted = noteTaker(start);
  try {
    await auth(noted.provider, {
      serverUrl: url,
      fetchFn: createOAuthFetch(fetch, signal),
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw toOAuthError(error);
  }
  const { page, client, verifier, discovery, resource } = noted.notes;
  if (page === undefined || client === undefined || verifier === undefined || discovery === undefined)
    throw new McpServerError("The server asks for no sign-in.");
  // The browser is sent there: another scheme would open a program.
  if (!PAGES.has(page.protocol)) throw new McpServerError("The authorization server's page is no web page.");
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovery;
  const asked = page.searchParams.get("scope");
  const flow = {
    authorizationServer: authorizationServerUrl,
    ...(metadata && { metadata }),
    // A client counts for one issuer only.
    client: { ...client, issuer: client.issuer ?? metadata?.issuer ?? authorizationServerUrl },
    ...(resource !== undefined && { resource }),
    url,
    verifier,
    redirectUri,
    scope: asked,
  };
  return { url: page.href, flow };
}

interface Notes {
  page?: URL;
  client?: StoredOAuthClientInformation;
  verifier?: string;
  discovery?: OAuthDiscoveryState;
  resource?: string;
}

/** A provider for the SDK that only takes notes: what it would keep is stored with the state. */
function noteTaker({ redirectUri, clientMetadataUrl, state, client, isGiven }: SignInStart) {
  const isOurs = client !== undefined && (isGiven || isRegisteredFor(client, redirectUri));
  const notes: Notes = { ...(isOurs && { client }) };
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: clientMetadataOf(redirectUri),
    ...(clientMetadataUrl.startsWith("https:") && { clientMetadataUrl }),
    state: () => state,
    clientInformation: () => notes.client,
    ...(!isGiven && { saveClientInformation: (given) => void (notes.client = given) }),
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: (page) => void (notes.page = page),
    saveCodeVerifier: (verifier) => void (notes.verifier = verifier),
    codeVerifier: () => notes.verifier ?? "",
    saveDiscoveryState: (found) => void (notes.discovery = found),
    saveResourceUrl: (resource) => void (notes.resource = resource),
  };
  return { provider, notes };
}

/** Whether a registered client takes answers at this URL: that of the service may have changed. */
function isRegisteredFor(client: StoredOAuthClientInformation, redirectUri: string): boolean {
  return "redirect_uris" in client && client.redirect_uris.includes(redirectUri);
}

/**
 * Exchanges the authorization server's answer for tokens. The issuer is checked before anything else (RFC 9207).
 * @param answer the query of the URL to which the browser was sent
 * @throws McpServerError; the signal's reason
 */
export async function finishSignIn(
  fetch: SafeFetch,
  flow: SignInFlow,
  { answer, signal }: { readonly answer: URLSearchParams; readonly signal: AbortSignal },
): Promise<Granted> {
  const { authorizationServer, metadata, client, resource, url, verifier, redirectUri, scope } = flow;
  try {
    const iss = answer.get("iss") ?? undefined;
    const issParameterSupported = metadata?.authorization_response_iss_parameter_supported === true;
    validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata?.issuer, issParameterSupported });
    const error = answer.get("error");
    if (error !== null) throw new OAuthError(error, error);
    const code = answer.get("code");
    if (code === null) throw new McpServerError("The authorization server sent no code.");
    const given = await exchangeAuthorization(authorizationServer, {
      ...(metadata && { metadata }),
      clientInformation: client,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
      codeVerifier: verifier,
      redirectUri,
      ...(resource !== undefined && { resource }),
      fetchFn: createOAuthFetch(fetch, signal),
    });
    const tokens = {
      authorizationServer,
      ...(metadata && { metadata }),
      client,
      ...(resource !== undefined && { resource }),
      url,
      access: given.access_token,
      ...(given.refresh_token !== undefined && { refresh: given.refresh_token }),
      rotates: true,
    };
    return { tokens, expiresIn: given.expires_in ?? null, scope: given.scope ?? scope };
  } catch (error) {
    signal.throwIfAborted();
    throw toOAuthError(error);
  }
}

/**
 * Renews the access token. @throws the SDK's errors, unexplained: what follows depends on them
 */
export async function refreshTokens(fetch: SafeFetch, tokens: AccountTokens): Promise<Omit<Granted, "scope">> {
  const { authorizationServer, metadata, client, resource, refresh } = tokens;
  if (refresh === undefined) throw new OAuthError(OAuthErrorCode.InvalidGrant, "no refresh token");
  const given: OAuthTokens = await refreshAuthorization(authorizationServer, {
    ...(metadata && { metadata }),
    clientInformation: client,
    refreshToken: refresh,
    ...(resource !== undefined && { resource }),
    fetchFn: createOAuthFetch(fetch),
  });
  const next = given.refresh_token ?? refresh;
  return {
    tokens: { ...tokens, access: given.access_token, refresh: next, rotates: next !== refresh },
    expiresIn: given.expires_in ?? null,
  };
}

/** Tells the authorization server that an account's tokens are not needed any more (RFC 7009); it need not answer. */
export async function revokeTokens(fetch: SafeFetch, tokens: AccountTokens): Promise<void> {
  const { metadata, client, refresh, access } = tokens;
  const endpoint = metadata && "revocation_endpoint" in metadata ? metadata.revocation_endpoint : undefined;
  if (typeof endpoint !== "string") return;
  const form = new URLSearchParams({ token: refresh ?? access, client_id: client.client_id });
  if (client.client_secret !== undefined) form.set("client_secret", client.client_secret);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  await createOAuthFetch(fetch)(endpoint, { method: "POST", headers, body: form });
}
