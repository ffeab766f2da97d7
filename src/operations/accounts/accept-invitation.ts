import { z } from "zod";
import { hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { canGrant } from "#domain/access/membership.ts";
import type { Role } from "#domain/access/role.ts";
import * as rows from "#db/queries/accounts/accept-invitation.ts";
import type { OpenInvitation } from "#db/queries/accounts/accept-invitation.ts";
import { findAccountsByEmail, proveEmail } from "#db/queries/accounts/users.ts";
import { hashPassword } from "#lib/security/password.ts";
import { admitAttempt, attemptFrom } from "./attempts.ts";
import { requirePasswords } from "./password-sign-in.ts";
import { findByPassword } from "./sign-in.ts";
import type { Client } from "./client.ts";
import { createUser } from "./sign-up.ts";
import type { Services } from "../context.ts";
import { personName } from "#domain/display-name.ts";

/** Password attempts per account with one invitation. */
const MAX_ATTEMPTS = 5;

/** The body of POST /auth/invitations/accept. */
export const acceptInvitationBody = z.strictObject({
  token: z.string().min(1).max(200),
  password: z
    .string()
    .min(8)
    .max(200)
    .describe("The password of the account with the invited address, or of the new account."),
  name: personName().optional().describe("The name of a new account; by default the e-mail address."),
});

/** What an invitation offers. */
export interface InvitationPreview {
  readonly workspace_name: string;
  readonly email: string;
  readonly role: Role;
  /** True if the e-mail address has an account; accepting then needs its password. */
  readonly has_account: boolean;
}

/** Returns what a token offers. @throws AppError `not_found`, the same for a used, an expired and an unknown token. */
export async function readInvitation({ db }: Pick<Services, "db">, token: string): Promise<InvitationPreview> {
  const { workspaceName, email, role, hasAccount } = await find(db, token);
  return { workspace_name: workspaceName, email, role, has_account: hasAccount };
}

/** The membership that was created. */
export interface NewMembership {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly user_id: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * Accepts an invitation, once. A new person gets an account with this password. An account that claims the e-mail
 * address needs its own password. Accounts from other invitations do not claim the address: one of them joins if the
 * password matches. An invitation can therefore never block the address's owner.
 * @throws AppError `not_found` as {@link readInvitation}; `unauthorized` for a wrong password; `rate_limit_exceeded`
 * after too many of them; `conflict` when the account was created meanwhile.
 */
export async function acceptInvitation(
  services: Pick<Services, "db" | "secrets" | "passwordSignIn" | "openId">,
  { token, password, name }: z.output<typeof acceptInvitationBody>,
  client: Client,
): Promise<NewMembership> {
  requirePasswords(services);
  const { db } = services;
  const invitation = await find(db, token);
  const { workspaceId, workspaceName, email } = invitation;
  const succeeded = await admitAttempt(db, attemptFrom(services, email, client));
  const accounts = await findAccountsByEmail(db, email, workspaceId);
  const claims = accounts.filter((account) => account.emailProved);
  if (claims.length > 0) await countTry(db, token);
  const account = await findByPassword(claims.length > 0 ? claims : accounts, password);
  if (account === undefined && claims.length > 0) throw wrongPassword();
  const passwordHash = account === undefined ? await hashPassword(password) : "";
  // The operator vouches for people whom an owner of the first workspace invites.
  const emailProved = invitation.isOperators;
  const joined = await db.transaction(async (tx) => {
    if (!(await rows.useUpInvitation(tx, hashKey(token)))) throw invalidInvitation();
    const userId = account?.id ?? (await createUser(tx, { email, name, passwordHash, emailProved })).id;
    if (account !== undefined && emailProved) await proveEmail(tx, userId);
    const role = await rows.insertMember(tx, { workspaceId, userId, role: invitation.role });
    if (role === undefined) throw new Error("Storing a member must return a role.");
    return { workspace_id: workspaceId, workspace_name: workspaceName, user_id: userId, email, role };
  });
  // A password that matched no account counts as a guess, although a new account was created.
  if (account !== undefined || accounts.length === 0) await succeeded();
  return joined;
}

async function find(db: Services["db"], token: string): Promise<OpenInvitation> {
  const invitation = await rows.findInvitation(db, hashKey(token));
  // The inviter may have lost the right to give this role.
  if (invitation === undefined || !canGrant(invitation.inviterRole, invitation.role)) throw invalidInvitation();
  return invitation;
}

/** The inviter has the token too: without a limit, it would allow guessing passwords. */
async function countTry(db: Services["db"], token: string): Promise<void> {
  if (await rows.countAttempt(db, hashKey(token), MAX_ATTEMPTS)) return;
  throw new AppError("rate_limit_exceeded", "Too many wrong passwords. Ask for a new invitation.");
}

function wrongPassword(): AppError {
  return new AppError("unauthorized", "This e-mail address has an account with another password.");
}

function invalidInvitation(): AppError {
  return new AppError("not_found", "This invitation was used, has expired, was withdrawn, or never existed.");
}
