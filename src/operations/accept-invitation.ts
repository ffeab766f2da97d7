import { z } from "zod";
import { hashKey } from "#domain/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { mayGive } from "#domain/membership.ts";
import type { Role } from "#domain/role.ts";
import * as rows from "#db/queries/accept-invitation.ts";
import type { OpenInvitation } from "#db/queries/accept-invitation.ts";
import { hashPassword, verifyPassword } from "#lib/password.ts";
import { admitAttempt } from "./accounts/attempts.ts";
import type { Client } from "./accounts/sign-in.ts";
import { createUser } from "./accounts/sign-up.ts";
import type { Services } from "./context.ts";

/** How often an account's password may be tried with one invitation. */
const MAX_ATTEMPTS = 5;

/** The body of POST /auth/invitations/accept. */
export const acceptance = z.strictObject({
  token: z.string().min(1).max(200),
  password: z.string().min(8).max(200).describe("Of the account with the invited address; a new account gets it."),
  name: z.string().trim().min(1).max(100).optional().describe("Of a new account; the address when left out."),
});

/** What an invitation offers. */
export interface Offer {
  readonly workspace_name: string;
  readonly email: string;
  readonly role: Role;
  /** Whether the address has an account, whose password it takes to accept. */
  readonly has_account: boolean;
}

/** What a token offers. @throws AppError `not_found`, the same for one that was used, has expired or never was. */
export async function readInvitation({ db }: Pick<Services, "db">, token: string): Promise<Offer> {
  const { workspaceName, email, role, userId } = await find(db, token);
  return { workspace_name: workspaceName, email, role, has_account: userId !== null };
}

/** Where somebody is a member now. */
export interface Joined {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly user_id: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * Accepts an invitation, once. A new person gets an account with this password; somebody who has
 * one must give its password.
 * @throws AppError `not_found` as {@link readInvitation}; `unauthorized` for a wrong password;
 * `rate_limit_exceeded` after too many of them; `conflict` when the account was made meanwhile.
 */
export async function acceptInvitation(
  { db }: Pick<Services, "db">,
  { token, password, name }: z.output<typeof acceptance>,
  client: Client,
): Promise<Joined> {
  const invitation = await find(db, token);
  const { workspaceId, workspaceName, email } = invitation;
  const succeeded = await admitAttempt(db, { email, address: client.address });
  if (invitation.userId !== null) await checkPassword(db, token, { password, hash: invitation.passwordHash });
  const passwordHash = invitation.userId === null ? await hashPassword(password) : "";
  const joined = await db.transaction(async (tx) => {
    if (!(await rows.useUpInvitation(tx, hashKey(token)))) throw gone();
    const userId = invitation.userId ?? (await createUser(tx, { email, name, passwordHash })).id;
    const role = await rows.insertMember(tx, { workspaceId, userId, role: invitation.role });
    if (role === undefined) throw new Error("Storing a member gives a role.");
    return { workspace_id: workspaceId, workspace_name: workspaceName, user_id: userId, email, role };
  });
  await succeeded();
  return joined;
}

async function find(db: Services["db"], token: string): Promise<OpenInvitation> {
  const invitation = await rows.findInvitation(db, hashKey(token));
  // Its maker may have lost the right to give this role.
  if (invitation === undefined || !mayGive(invitation.inviterRole, invitation.role)) throw gone();
  return invitation;
}

/** Whoever made the invitation has its token: without a limit it would be a way to guess passwords. */
async function checkPassword(
  db: Services["db"],
  token: string,
  { password, hash }: { readonly password: string; readonly hash: string | null },
): Promise<void> {
  if (!(await rows.countAttempt(db, hashKey(token), MAX_ATTEMPTS))) {
    throw new AppError("rate_limit_exceeded", "Too many wrong passwords. Ask for a new invitation.");
  }
  if (hash === null || !(await verifyPassword(password, hash))) {
    throw new AppError("unauthorized", "This address has an account, and that is not its password.");
  }
}

function gone(): AppError {
  return new AppError("not_found", "This invitation was used, has expired, was withdrawn, or never existed.");
}
