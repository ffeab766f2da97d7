import { z } from "zod";
import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { displayName } from "#domain/display-name.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import type { Transaction } from "#db/database.ts";
import * as rows from "#db/queries/accounts/passkeys.ts";
import type { PasskeyRecord, PasskeyStanding } from "#db/queries/accounts/passkeys.ts";
import { PasskeyRejectedError } from "#protocols/webauthn/passkey-rejected.ts";
import { relyingPartyOf } from "#protocols/webauthn/relying-party.ts";
import type { RelyingParty } from "#protocols/webauthn/relying-party.ts";
import { challengeIn, registrationInput } from "#protocols/webauthn/responses.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "../context.ts";
import { admitAttempt } from "./attempts.ts";
import type { Client } from "./client.ts";
import { issueChallenge, spendChallenge } from "./passkey-challenge.ts";
import { requirePasswords } from "./password-sign-in.ts";
import type { SignedIn } from "./session-ring.ts";

/** The number of passkeys that a person may have. */
const MAX_PASSKEYS = 20;

const name = displayName(100).trim();

/** The body of POST /auth/passkeys. */
export const passkeyInput = z.strictObject({
  name: name.default("Passkey").describe("By which the person knows it, such as their device."),
  credential: registrationInput.describe("What `navigator.credentials.create` returned, as JSON."),
});

/** The body of PATCH /auth/passkeys/{id}. */
export const passkeyPatch = z.strictObject({ name });

/** The service as browsers see it. */
export interface Site {
  readonly origin: string;
  readonly serviceName: string;
}

/** Lists a person's passkeys, oldest first. */
export function listPasskeys({ db }: Services, who: SignedIn): Promise<PasskeyRecord[]> {
  return rows.listPasskeys(db, who.userId);
}

/** Returns what the browser needs to make a passkey. @throws AppError as {@link addPasskey} */
export async function beginPasskey(
  services: Services,
  who: SignedIn,
  site: Site,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { email, name: fullName, credentialIds } = await checkStanding(services, who, services.db);
  const challenge = issueChallenge(services, `add:${who.userId}`);
  return partyAt(site).creationOptions(challenge, { id: who.userId, email, name: fullName, credentialIds });
}

/**
 * Adds a passkey. The session counts as opened by it from now on.
 * @throws AppError `bad_request` for a response that is not accepted; `forbidden` for an account without a password, and
 * for a session that a password alone opened, where a workspace requires passkeys and the person has one; `conflict`;
 * `rate_limit_exceeded`
 */
export async function addPasskey(
  services: Services,
  who: SignedIn,
  given: { readonly input: z.output<typeof passkeyInput>; readonly site: Site; readonly client: Client },
): Promise<PasskeyRecord> {
  const { input, site, client } = given;
  const succeeded = await admitAttempt(services.db, { session: who.sessionId, address: client.address });
  await spendChallenge(services, challengeIn(input.credential.response), `add:${who.userId}`);
  const made = await asAppError(() => partyAt(site).verifyCreation(input.credential));
  const id = newId();
  const { userId, sessionId } = who;
  await services.db.transaction(async (tx) => {
    await rows.lockPasskeys(tx, userId);
    const { credentialIds } = await checkStanding(services, who, tx);
    if (credentialIds.length >= MAX_PASSKEYS) throw tooMany();
    if (!(await rows.insertPasskey(tx, { ...made, id, userId, sessionId, name: input.name }))) throw known();
  });
  await succeeded();
  return readOne(services, who, id);
}

/** Renames one of a person's passkeys. @throws AppError `not_found` */
export async function renamePasskey(
  services: Services,
  who: SignedIn,
  { id, name: newName }: { readonly id: string; readonly name: string },
): Promise<PasskeyRecord> {
  await rows.renamePasskey(services.db, id, { userId: who.userId, name: newName });
  return readOne(services, who, id);
}

/** Removes one of a person's passkeys; other sessions that it opened end. @throws AppError `not_found`, `forbidden` */
export async function removePasskey({ db }: Services, who: SignedIn, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await rows.lockPasskeys(tx, who.userId);
    refuseWeakSession(await standingOf(tx, who));
    if (!(await rows.deletePasskey(tx, id, who))) throw notFound("Passkey");
  });
}

/** The relying party of the site. @throws AppError `bad_request` where passkeys cannot work */
export function partyAt({ origin, serviceName }: Site): RelyingParty {
  try {
    return relyingPartyOf(origin, serviceName);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Runs a check of the protocol. @throws AppError `bad_request` with its sentence */
export async function asAppError<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw toAppError(error);
  }
}

function toAppError(error: unknown): unknown {
  return error instanceof PasskeyRejectedError ? new AppError("bad_request", error.message, { cause: error }) : error;
}

async function checkStanding(
  services: Services,
  who: SignedIn,
  tx: Pick<Transaction, "query">,
): Promise<PasskeyStanding> {
  requirePasswords(services);
  const standing = await standingOf(tx, who);
  if (!standing.hasPassword) throw withoutPassword(services);
  refuseWeakSession(standing);
  return standing;
}

async function standingOf(tx: Pick<Transaction, "query">, who: SignedIn): Promise<PasskeyStanding> {
  const standing = await rows.readPasskeyStanding(tx, who);
  if (standing === undefined) throw new AppError("unauthorized", "The session has ended. Sign in again.");
  return standing;
}

/** Otherwise who knows the password could get into a workspace that requires a passkey by a new one. */
function refuseWeakSession({ byPassword, isRequired, credentialIds }: PasskeyStanding): void {
  if (!byPassword || !isRequired || credentialIds.length === 0) return;
  throw new AppError(
    "forbidden",
    "A workspace of yours requires passkeys. Sign in with one of yours to change them; if you have lost them all, ask the operator to remove them (muster reset-passkeys).",
  );
}

async function readOne({ db }: Services, who: SignedIn, id: string): Promise<PasskeyRecord> {
  const all = await rows.listPasskeys(db, who.userId);
  return orNotFound("Passkey")(all.find((one) => one.id === id));
}

function withoutPassword({ openId }: Services): AppError {
  return new AppError(
    "forbidden",
    `Passkeys are for accounts with a password. You sign in with ${openId?.name ?? "a provider"}, and need none.`,
  );
}

function tooMany(): AppError {
  return new AppError("conflict", `You have ${MAX_PASSKEYS} passkeys, the most that are allowed. Remove one.`);
}

function known(): AppError {
  return new AppError("conflict", "This passkey is stored already.");
}
