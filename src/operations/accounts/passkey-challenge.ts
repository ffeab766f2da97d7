import { createHmac, randomBytes } from "node:crypto";
import { hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { spendSignIn } from "#db/queries/accounts/identities.ts";
import { CEREMONY_SECONDS } from "#protocols/webauthn/relying-party.ts";
import { areEqual } from "#lib/security/equal-texts.ts";
import type { Services } from "../context.ts";

// A challenge proves itself, so that requests of strangers store nothing: a random part, its end, and a signature.

const KEY_PURPOSE = "passkey-challenge";
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const SIGNED_BYTES = RANDOM_BYTES + TIME_BYTES;

/** What a challenge is for: a sign-in, or a new passkey of this person. */
export type ChallengeUse = "sign-in" | `add:${string}`;

/** Makes a challenge. */
export function issueChallenge({ secrets }: Pick<Services, "secrets">, use: ChallengeUse): Uint8Array<ArrayBuffer> {
  const signed = Buffer.alloc(SIGNED_BYTES);
  randomBytes(RANDOM_BYTES).copy(signed);
  signed.writeUIntBE(Date.now() + CEREMONY_SECONDS * 1_000, RANDOM_BYTES, TIME_BYTES);
  return new Uint8Array([...signed, ...signatureOf(signed, use, secrets.derive(KEY_PURPOSE))]);
}

/**
 * Uses up a challenge: of all requests and processes, one succeeds.
 * @throws AppError `bad_request` for one that was used, has expired, or was made for another use or elsewhere
 */
export async function spendChallenge(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  challenge: string | undefined,
  use: ChallengeUse,
): Promise<void> {
  const bytes = Buffer.from(challenge ?? "", "base64url");
  const signed = bytes.subarray(0, SIGNED_BYTES);
  const given = bytes.subarray(SIGNED_BYTES).toString("base64url");
  const isOurs = secrets
    .deriveAll(KEY_PURPOSE)
    .some((key) => areEqual(given, signatureOf(signed, use, key).toString("base64url")));
  if (!isOurs || signed.readUIntBE(RANDOM_BYTES, TIME_BYTES) <= Date.now()) throw usedOrExpired();
  if (!(await spendSignIn(db, hashKey(`passkey:${signed.toString("base64url")}`), CEREMONY_SECONDS)))
    throw usedOrExpired();
}

function signatureOf(signed: Buffer, use: ChallengeUse, key: Buffer): Buffer {
  return createHmac("sha256", key).update(`${use}:`).update(signed).digest();
}

function usedOrExpired(): AppError {
  return new AppError(
    "bad_request",
    "This request for a passkey was used before, took longer than five minutes, or was made for something else. Try again.",
  );
}
