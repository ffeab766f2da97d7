import { z } from "zod";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { givenId } from "#domain/given-id.ts";
import { AppError } from "#domain/errors.ts";
import { recordFailedSignIn } from "#db/queries/access/audit-log.ts";
import { findPasskey, usePasskey } from "#db/queries/accounts/passkeys.ts";
import type { StoredPasskey } from "#db/queries/accounts/passkeys.ts";
import { assertionInput, challengeIn } from "#protocols/webauthn/responses.ts";
import type { AssertionInput } from "#protocols/webauthn/responses.ts";
import type { Services } from "../context.ts";
import { admitAttempt } from "./attempts.ts";
import type { Client } from "./client.ts";
import { issueChallenge, spendChallenge } from "./passkey-challenge.ts";
import { asAppError, partyAt } from "./passkeys.ts";
import type { Site } from "./passkeys.ts";
import { requirePasswords } from "./password-sign-in.ts";
import { beginBrowserSession, removedPasskey } from "./sign-in.ts";
import type { BrowserSession } from "./sign-in.ts";

/** The body of POST /auth/passkeys/sign-in. */
export const passkeySignInInput = z.strictObject({
  credential: assertionInput.describe("What `navigator.credentials.get` returned, as JSON."),
  workspace_id: givenId.optional().describe("By default the workspace that the person joined first."),
});

/** Returns what the browser needs to sign in with any passkey. @throws AppError `bad_request`, `forbidden` */
export function beginPasskeySignIn(services: Services, site: Site): Promise<PublicKeyCredentialRequestOptionsJSON> {
  requirePasswords(services);
  return partyAt(site).requestOptions(issueChallenge(services, "sign-in"));
}

/**
 * Starts a session that can be refreshed, of the person whose passkey was used.
 * @throws AppError `bad_request` for a response that is not accepted; `unauthorized` for an unknown passkey;
 * `forbidden`, `not_found` as a sign-in with a password; `rate_limit_exceeded`
 */
export async function signInWithPasskey(
  services: Services,
  input: z.output<typeof passkeySignInInput>,
  { site, client }: { readonly site: Site; readonly client: Client },
): Promise<BrowserSession> {
  requirePasswords(services);
  const { db } = services;
  const { credential, workspace_id: workspaceId } = input;
  const succeeded = await admitAttempt(db, { address: client.address });
  await spendChallenge(services, challengeIn(credential.response), "sign-in");
  const passkey = await findPasskey(db, credential.id);
  if (passkey === undefined) throw removedPasskey();
  await checkUse(services, credential, { passkey, site }).catch(async (error: unknown) => {
    await recordFailedSignIn(db, passkey.email);
    throw error;
  });
  const { userId: id, id: passkeyId, email, passwordHash } = passkey;
  const session = await beginBrowserSession(
    services,
    { id, email, passwordHash },
    { workspaceId, client, openedBy: "passkey", passkeyId },
  );
  await succeeded();
  return session;
}

async function checkUse(
  { db }: Services,
  credential: AssertionInput,
  { passkey, site }: { readonly passkey: StoredPasskey; readonly site: Site },
): Promise<void> {
  const named = credential.response.userHandle;
  if (named != null && Buffer.from(named, "base64url").toString() !== passkey.userId) throw anothersPasskey();
  const counter = await asAppError(() => partyAt(site).verifyUse(credential, passkey));
  if (!(await usePasskey(db, passkey.id, counter))) throw removedPasskey();
}

function anothersPasskey(): AppError {
  return new AppError("unauthorized", "This passkey belongs to another person than it names.");
}
