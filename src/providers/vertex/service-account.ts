import { sign } from "node:crypto";
import { z } from "zod";

/** Where Google gives access tokens. */
export const GOOGLE_TOKEN_URL = "https://oauth2.googleapis.com/token";
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const LIFETIME_S = 3_600;

const serviceAccount = z
  .object({
    type: z.literal("service_account"),
    project_id: z.string().min(1),
    private_key_id: z.string().optional(),
    private_key: z.string().includes("PRIVATE KEY"),
    client_email: z.string().min(1),
    token_uri: z.url().default(GOOGLE_TOKEN_URL),
  })
  .readonly();

/** A service account of Google Cloud, as in the JSON file of its key. */
export type ServiceAccount = z.output<typeof serviceAccount>;

/** Whether a key is meant to be the file of a service account; any other text is an API key. */
export function isServiceAccount(key: string): boolean {
  return key.startsWith("{");
}

/** Reads the JSON file of a service account's key; undefined if it is none. */
export function parseServiceAccount(key: string): ServiceAccount | undefined {
  try {
    return serviceAccount.safeParse(JSON.parse(key)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Writes the signed assertion for which Google gives an access token:
 * https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests
 * @param now in milliseconds
 * @throws Error when the private key cannot be read
 */
export function assertionOf(
  { private_key_id: kid, private_key: key, ...account }: ServiceAccount,
  now: number,
): string {
  const issuedAt = Math.floor(now / 1_000);
  const header = { alg: "RS256", typ: "JWT", ...(kid !== undefined && { kid }) };
  const claims = {
    iss: account.client_email,
    scope: SCOPE,
    aud: account.token_uri,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_S,
  };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
}
