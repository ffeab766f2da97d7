import type { SignUpInput } from "#domain/accounts/account.ts";
import { AppError } from "#domain/errors.ts";
import type { Transaction } from "#db/database.ts";
import { insertUser } from "#db/queries/accounts/users.ts";
import type { Credentials, NewUser } from "#db/queries/accounts/users.ts";
import { createWorkspace } from "#db/queries/access/workspaces.ts";
import { newId } from "#lib/ids.ts";
import { hashPassword } from "#lib/security/password.ts";
import type { Services } from "../context.ts";
import { admitAttempt } from "./attempts.ts";
import { requirePasswords } from "./password-sign-in.ts";
import { beginBrowserSession } from "./sign-in.ts";
import type { Client } from "./client.ts";
import type { BrowserSession } from "./sign-in.ts";

/**
 * Creates an account with a workspace of its own, and signs it in.
 * @throws AppError `forbidden` when the instance does not allow sign-ups, `conflict` when the e-mail address has an
 * account, `rate_limit_exceeded`.
 */
export async function signUp(services: Services, input: SignUpInput, client: Client): Promise<BrowserSession> {
  const { db, signUps, defaultPlan } = services;
  if (signUps === "closed") {
    throw new AppError("forbidden", "This instance does not allow sign-ups. Ask an administrator for an invitation.");
  }
  requirePasswords(services);
  await admitAttempt(db, { sign_up: client.address });
  const passwordHash = await hashPassword(input.password);
  const person = await db.transaction(async (tx) => {
    const claimed = { emailProved: true, addressClaimed: true };
    const created = await createUser(tx, { email: input.email, name: input.name, passwordHash, ...claimed });
    await createWorkspace(tx, { id: newId(), name: input.workspace_name, plan: defaultPlan, ownerId: created.id });
    return created;
  });
  return beginBrowserSession(services, person, { workspaceId: undefined, client, openedBy: "password" });
}

/**
 * Creates a person's account, still without a workspace. The default name is the e-mail address.
 * @throws AppError `conflict` when another account claims the e-mail address and this one would claim it too.
 */
export async function createUser(
  tx: Transaction,
  user: Omit<NewUser, "id" | "name" | "addressClaimed"> & {
    readonly name: string | undefined;
    readonly addressClaimed?: boolean;
  },
): Promise<Credentials> {
  const { email, name = email, passwordHash, addressClaimed = false } = user;
  const id = newId();
  if (!(await insertUser(tx, { ...user, id, name, addressClaimed }))) throw emailTaken();
  return { id, email, passwordHash };
}

/** The error for an e-mail address that has an account already. */
export function emailTaken(): AppError {
  return new AppError("conflict", "An account with this e-mail address already exists. Sign in instead.");
}
