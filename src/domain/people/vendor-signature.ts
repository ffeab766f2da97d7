import { createHmac, createPublicKey, verify } from "node:crypto";
import { areEqual } from "#lib/security/equal-texts.ts";

/** Older calls are replays: both vendors document five minutes. */
const MAX_AGE_SECONDS = 300;
/** The header of an Ed25519 key in DER (RFC 8410). */
const ED25519_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** A call of a vendor with what signs it. */
export interface SignedCall {
  /** The raw body. */
  readonly body: Buffer;
  /** When the vendor says that it signed it, in Unix seconds. */
  readonly timestamp: string;
  readonly signature: string;
  readonly now: Date;
}

/**
 * True if a call is signed by Slack: `v0=` and the hex HMAC-SHA256 of `v0:<timestamp>:<body>`
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export function isSignedBySlack(secret: string, { body, timestamp, signature, now }: SignedCall): boolean {
  const mac = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex");
  return isFresh(timestamp, now) && areEqual(signature, `v0=${mac}`);
}

/**
 * True if a call is signed by Discord: Ed25519 over the timestamp and the body
 * (https://discord.com/developers/docs/interactions/overview#setting-up-an-endpoint-validating-security-request-headers).
 * @param publicKey in hex
 */
export function isSignedByDiscord(publicKey: string, { body, timestamp, signature, now }: SignedCall): boolean {
  if (!isFresh(timestamp, now) || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  const der = Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, "hex")]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, "hex"));
}

function isFresh(timestamp: string, now: Date): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= MAX_AGE_SECONDS;
}
