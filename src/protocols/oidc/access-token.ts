import type { JWTVerifyGetKey } from "jose";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { OpenIdRejectedError, OpenIdUnavailableError } from "./explain-failure.ts";
import { providerFetch } from "./provider-fetch.ts";

const CLOCK_TOLERANCE_SECONDS = 60;
/** Between two requests for keys, in milliseconds: tokens with unknown keys must not make us ask all the time. */
const COOLDOWN_MS = 5_000;
/** Signatures by the provider's private keys only: no `none`, and no shared secret. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** The library's code when a response is no list of keys. */
const UNREADABLE = "ERR_JOSE_GENERIC";

/** What verification needs to know of the provider. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly jwks_uri?: string | undefined;
}

/** Verifies access tokens of a provider, for programs. */
export interface AccessTokenVerifier {
  /** Returns the client that a token was issued to. @throws OpenIdRejectedError; errors of the fetch */
  verify(token: string, of: TokenIssuer): Promise<string>;
}

/** Creates a verifier of tokens for an audience. It keeps the provider's keys, and fetches those that it does not know. */
export function createAccessTokenVerifier(audience: string, fetch: SafeFetch): AccessTokenVerifier {
  let known: { readonly uri: string; readonly keys: JWTVerifyGetKey } | undefined;
  return {
    async verify(token, { issuer, jwks_uri: uri }) {
      // Loaded when it is needed: most instances have no provider.
      const jose = await import("jose");
      if (uri === undefined) throw new OpenIdRejectedError("The provider publishes no keys.");
      if (known?.uri !== uri) {
        const send = providerFetch(fetch);
        const options = {
          cooldownDuration: COOLDOWN_MS,
          [jose.customFetch]: (url: string) =>
            send(url, { method: "GET", headers: {}, body: null, redirect: "manual" }),
        };
        known = { uri, keys: jose.createRemoteJWKSet(new URL(uri), options) };
      }
      const checks = {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ["exp"],
      };
      try {
        const { payload } = await jose.jwtVerify(token, known.keys, checks);
        return clientOf(payload);
      } catch (error) {
        if (!(error instanceof jose.errors.JOSEError) || error instanceof jose.errors.JWKSTimeout) throw error;
        if (error.code === UNREADABLE) throw new OpenIdUnavailableError("The keys of the provider cannot be read.");
        throw new OpenIdRejectedError(`The provider's access token is invalid: ${error.message}.`);
      }
    },
  };
}

/** The client by its names in RFC 9068, OpenID Connect, Entra ID and Okta. */
function clientOf(claims: Readonly<Record<string, unknown>>): string {
  const client = ["client_id", "azp", "appid", "cid"].map((name) => claims[name]).find((named) => named !== undefined);
  if (typeof client === "string" && client !== "") return client;
  throw new OpenIdRejectedError("The provider's access token does not name its client.");
}
