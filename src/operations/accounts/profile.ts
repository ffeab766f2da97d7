import type { ProfileInput } from "#domain/accounts/account.ts";
import { NOT_A_ROLE, isRoleName } from "#domain/display-name.ts";
import { invalid } from "#domain/invalid.ts";
import { AppError } from "#domain/errors.ts";
import { chooseQuestionMails } from "#db/queries/accounts/personal-mails.ts";
import { findCredentials, readAccount, updateProfile } from "#db/queries/accounts/users.ts";
import type { Account } from "#db/queries/accounts/users.ts";
import { verifyPassword } from "#lib/security/password.ts";
import type { Services } from "../context.ts";
import { admitAttempt } from "./attempts.ts";
import type { Client } from "./client.ts";
import { requirePasswords } from "./password-sign-in.ts";
import type { SignedIn } from "./session-ring.ts";

/**
 * Reads a person with their workspaces. A password that is switched off counts as none.
 * @throws AppError `unauthorized` when the account was deleted.
 */
export async function readProfile(
  { db, passwordSignIn }: Pick<Services, "db" | "passwordSignIn">,
  who: SignedIn,
): Promise<Account> {
  const account = await readAccount(db, who.userId);
  if (account === undefined) throw new AppError("unauthorized", "The session has ended. Sign in again.");
  return { ...account, has_password: account.has_password && passwordSignIn === "on" };
}

/**
 * Changes a person's name and e-mail address. A new address needs the password, since the person signs in with it.
 * Nothing proves the new address: it is claimed like that of an invited account, not against others.
 * @throws AppError `forbidden` for a wrong password; `conflict` when another account has the address;
 * `rate_limit_exceeded`.
 */
export async function changeProfile(
  services: Services,
  who: SignedIn,
  { input, client }: { readonly input: ProfileInput; readonly client: Client },
): Promise<Account> {
  const { db } = services;
  const { name, email, question_mails: mails } = input;
  if (mails !== undefined && mails.length > 0 && !services.sendsMail) {
    throw invalid("body", [{ path: "question_mails", message: "must be []: this instance sends no mail" }]);
  }
  const before = await readProfile(services, who);
  // The owner of a first start is called so until they change it: a form sends the name as it is.
  if (name !== undefined && name !== before.name && isRoleName(name)) {
    throw invalid("body", [{ path: "name", message: NOT_A_ROLE }]);
  }
  const newEmail = email === undefined || email === before.email ? undefined : email;
  if (newEmail !== undefined) await checkPassword(services, who, { password: input.current_password, client });
  const changed = await updateProfile(db, { userId: who.userId, name, email: newEmail });
  if (!changed) throw new AppError("conflict", "Another account has this e-mail address.");
  if (mails !== undefined) await chooseQuestionMails(db, who.userId, mails);
  return readProfile(services, who);
}

async function checkPassword(
  services: Services,
  who: SignedIn,
  { password, client }: { readonly password: string | undefined; readonly client: Client },
): Promise<void> {
  requirePasswords(services);
  const { db } = services;
  if (password === undefined) {
    throw invalid("body", [{ path: "current_password", message: "is required for a new e-mail address" }]);
  }
  const person = await findCredentials(db, who.userId);
  const succeeded = await admitAttempt(db, { session: who.sessionId, address: client.address });
  if (!(await verifyPassword(password, person?.passwordHash))) {
    throw new AppError("forbidden", "The current password is wrong.");
  }
  await succeeded();
}
