import type { PasswordInput, ResetInput } from "#domain/accounts/account.ts";
import { generateToken, hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { Database } from "#db/database.ts";
import * as resets from "#db/queries/accounts/password-resets.ts";
import { queueResetMail } from "#db/queries/accounts/personal-mails.ts";
import { endSessions } from "#db/queries/accounts/sessions.ts";
import { findAccountsByEmail, findCredentials, proveEmail, replacePassword } from "#db/queries/accounts/users.ts";
import type { Candidate } from "#db/queries/accounts/users.ts";
import { hashPassword, verifyPassword } from "#lib/security/password.ts";
import type { Services } from "../context.ts";
import { admitAttempt, unlock } from "./attempts.ts";
import { requirePasswords } from "./password-sign-in.ts";
import type { SignedIn } from "./session-ring.ts";
import type { Client } from "./client.ts";

/** The lifetime of a link that sets a new password, in seconds: one day. */
export const RESET_SECONDS = 86_400;

/**
 * Changes a password, given the old one; ends all other sessions and open links.
 * @throws AppError `forbidden` for a wrong old password, and when passwords are off; `rate_limit_exceeded`.
 */
export async function changePassword(
  services: Services,
  who: SignedIn,
  { input, client }: { readonly input: PasswordInput; readonly client: Client },
): Promise<void> {
  requirePasswords(services);
  const { db } = services;
  const person = await findCredentials(db, who.userId);
  if (person === undefined) throw wrongPassword();
  const succeeded = await admitAttempt(db, { session: who.sessionId, address: client.address });
  if (!(await verifyPassword(input.current_password, person.passwordHash))) throw wrongPassword();
  await succeeded();
  const newHash = await hashPassword(input.new_password);
  await db.transaction(async (tx) => {
    const change = { userId: person.id, oldHash: person.passwordHash, newHash };
    if (!(await replacePassword(tx, change))) throw wrongPassword();
    // In a later statement of its own: a sign-in with the old password has failed or is visible by now.
    await endSessions(tx, person.id, who.sessionId);
    await resets.dropPasswordReset(tx, person.id);
  });
}

/**
 * Issues the token of a one-time link that sets a new password, for an operator with database access. It replaces an
 * earlier one.
 * @param workspaceId a workspace of the person, for an address that several accounts have and none claims
 * @throws AppError `not_found` when no account has this e-mail address; `conflict` when several have.
 */
export async function issueReset(db: Database, email: string, workspaceId?: string): Promise<string> {
  const person = await findMeant(db, email, workspaceId);
  const token = generateToken();
  await resets.savePasswordReset(db, { userId: person.id, tokenHash: hashKey(token), seconds: RESET_SECONDS });
  return token;
}

/**
 * Finds the account that an operator means.
 * @param workspaceId a workspace of the person, for an address that several accounts have and none claims
 * @throws AppError `not_found` when no account has this e-mail address; `conflict` when several have.
 */
export async function findMeant(db: Database, email: string, workspaceId?: string): Promise<Candidate> {
  const accounts = await findAccountsByEmail(db, email, workspaceId);
  const fitting = workspaceId === undefined ? accounts : accounts.filter(({ isMember }) => isMember);
  const person = fitting.find(({ emailProved }) => emailProved) ?? fitting[0];
  if (person === undefined) throw new AppError("not_found", `No user with e-mail ${email}.`);
  if (!person.emailProved && fitting.length > 1) {
    throw new AppError(
      "conflict",
      `Several accounts have the address ${email}; name one of the person's workspaces (workspace_id, --workspace).`,
    );
  }
  return person;
}

/**
 * Mails a link that sets a new password to an address, if it has an account with one. Nothing tells whether it has.
 * @throws AppError `forbidden` when passwords are off, or the instance sends no mail; `rate_limit_exceeded`
 */
export async function forgotPassword(services: Services, email: string, client: Client): Promise<void> {
  requirePasswords(services);
  if (!services.sendsMail) {
    throw new AppError("forbidden", "This instance sends no mail. Ask its operator for a link for a new password.");
  }
  await admitAttempt(services.db, { reset_mail: email, reset_client: client.address });
  await queueResetMail(services.db, email);
}

/** Returns whose password a link can set. @throws AppError `not_found`; `forbidden` when passwords are off. */
export async function checkReset(services: Services, token: string): Promise<{ readonly email: string }> {
  requirePasswords(services);
  const email = await resets.findPasswordReset(services.db, hashKey(token));
  if (email === undefined) throw linkAlreadyUsed();
  return { email };
}

/**
 * Sets a new password by a one-time link; ends all sessions of the person, and a lockout by wrong passwords.
 * @throws AppError `not_found` when the link was used, has expired or never existed; `rate_limit_exceeded`.
 */
export async function resetPassword(
  services: Services,
  input: ResetInput,
  client: Client,
): Promise<{ readonly email: string }> {
  requirePasswords(services);
  const succeeded = await admitAttempt(services.db, { address: client.address });
  await checkReset(services, input.token);
  const passwordHash = await hashPassword(input.password);
  const person = await services.db.transaction(async (tx) => {
    const found = await resets.usePasswordReset(tx, { tokenHash: hashKey(input.token), passwordHash });
    if (found === undefined) throw linkAlreadyUsed();
    // The operator issued the link for the owner of the address.
    await proveEmail(tx, found.id);
    // In a later statement of its own: a sign-in with the old password has failed or is visible by now.
    await endSessions(tx, found.id, null);
    return found;
  });
  await succeeded();
  await unlock(services, person.email, client);
  return { email: person.email };
}

function wrongPassword(): AppError {
  return new AppError("forbidden", "The current password is wrong.");
}

function linkAlreadyUsed(): AppError {
  return new AppError("not_found", "This link is invalid, expired or already used.");
}
