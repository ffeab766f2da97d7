import { createHmac } from "node:crypto";
import { areEqual } from "./equal-texts.ts";

/** The header of all our tokens; one with another header, such as another algorithm, is rejected. */
const HEADER = encode({ alg: "HS256", typ: "JWT" });

/** Signs claims as a JSON Web Token (RFC 7519) with HMAC-SHA256. */
export function signJwt(claims: object, key: Buffer): string {
  const signed = `${HEADER}.${encode(claims)}`;
  return `${signed}.${signature(signed, key)}`;
}

/**
 * The claims of a token from {@link signJwt} with this key; undefined for any other text. The caller checks their
 * meaning, such as the expiry.
 */
export function verifyJwt(token: string, key: Buffer): unknown {
  const [header, payload = "", given = "", ...rest] = token.split(".");
  if (header !== HEADER || rest.length > 0) return undefined;
  if (!areEqual(given, signature(`${header}.${payload}`, key))) return undefined;
  const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  return claims;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function signature(text: string, key: Buffer): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
