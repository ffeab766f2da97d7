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
import { beginBrowserSession } from "./sign-in.ts";
import type { Client } from "./client.ts";
import type { BrowserSession } from "./sign-in.ts";

/**
 * Makes an account with a workspace of its own, and signs it in.
 * @throws AppError `forbidden` where the instance takes no sign-ups, `conflict` when the e-mail
 * address has an account, `rate_limit_exceeded`.
 */
export async function signUp(services: Services, input: SignUpInput, client: Client): Promise<BrowserSession> {
  const { db, signUps, defaultPlan } = services;
  if (signUps === "closed") {
    throw new AppError("forbidden", "This instance takes no sign-ups. Ask an administrator for an invitation.");
  }
  await admitAttempt(db, { sign_up: client.address });
  const passwordHash = await hashPassword(input.password);
  const person = await db.transaction(async (tx) => {
    const created = await createUser(tx, { email: input.email, name: input.name, passwordHash, emailProved: true });
    await createWorkspace(tx, { id: newId(), name: input.workspace_name, plan: defaultPlan, ownerId: created.id });
    return created;
  });
  return beginBrowserSession(services, person, { workspaceId: undefined, client });
}

/**
 * Makes a person's account, without any workspace yet; without a name it is the address.
 * @throws AppError `conflict` when another account claims the e-mail address and this one is to claim it.
 */
export async function createUser(
  tx: Transaction,
  user: Omit<NewUser, "id" | "name"> & { readonly name: string | undefined },
): Promise<Credentials> {
  const { email, name = email, passwordHash } = user;
  const id = newId();
  if (!(await insertUser(tx, { ...user, id, name }))) throw emailTaken();
  return { id, email, passwordHash };
}

/** The rejection when an e-mail address has an account already. */
export function emailTaken(): AppError {
  return new AppError("conflict", "There is an account with this e-mail address already. Sign in instead.");
}
