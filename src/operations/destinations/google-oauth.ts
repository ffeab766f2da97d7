import { z } from "zod";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { GoogleOAuth } from "../ports.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

const granted = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
  id_token: z.string().optional(),
});

/** The response of the token endpoint. */
export type GrantedTokens = z.output<typeof granted>;
const oauthError = z.object({ error: z.string() });

/** The token endpoint rejected the request; `code` is OAuth's, such as `invalid_grant`. */
export class OAuthRejectedError extends Error {
  override readonly name = "OAuthRejectedError";
  readonly code: string;

  constructor(code: string) {
    super(`Google rejected: ${code}.`);
    this.code = code;
  }
}

/**
 * Calls the token endpoint (https://developers.google.com/identity/protocols/oauth2/web-server).
 * @throws OAuthRejectedError; FetchFailedError; Error when the response is not as Google documents it.
 */
export async function requestTokens(
  { clientId, clientSecret, tokenUrl, fetch }: GoogleOAuth,
  grant: Readonly<Record<string, string>>,
): Promise<GrantedTokens> {
  const response = await fetchWhole(fetch, tokenUrl, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret }).toString(),
    // A redirect would forward the client secret in the body.
    maxRedirects: 0,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const body = jsonOf(response.body);
  const tokens = granted.safeParse(body);
  if (response.ok && tokens.success) return tokens.data;
  const rejection = oauthError.safeParse(body);
  if (rejection.success) throw new OAuthRejectedError(rejection.data.error.slice(0, 100));
  throw new Error(`Google's token endpoint replied HTTP ${response.status}.`);
}

/** Returns the e-mail address of an id token. It came directly from Google, so its signature is not checked. */
export function emailOf(idToken: string | undefined): string {
  const [, claims = ""] = (idToken ?? "").split(".");
  return z.object({ email: z.string().max(320) }).safeParse(jsonOf(Buffer.from(claims, "base64url"))).data?.email ?? "";
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
