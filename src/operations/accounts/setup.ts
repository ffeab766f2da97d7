import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { generateToken, hashKey, matchesHash } from "#domain/access/api-key.ts";
import type { Database } from "#db/database.ts";
import * as rows from "#db/queries/access/first-start.ts";
import { findCredentialsByEmail } from "#db/queries/accounts/users.ts";
import { hashPassword } from "#lib/security/password.ts";
import { emailTaken } from "./sign-up.ts";
import type { Services } from "../context.ts";
import { personName } from "#domain/display-name.ts";

/** The body of POST /auth/setup. */
export const setupInput = z.strictObject({
  token: z.string().min(1),
  email: z.email(),
  password: z.string().min(8).max(200),
  name: personName().default("Owner"),
});

/** The owner's account, as entered by the one-time set-up link. */
export type SetupInput = z.output<typeof setupInput>;

/** True if the owner's account still has to be set up. */
export async function isSetupOpen({ db }: Pick<Services, "db">): Promise<boolean> {
  return rows.isSetupOpen(db);
}

/** Issues a token for the set-up link, which replaces the earlier one; undefined when the set-up is finished. */
export async function renewSetupToken(db: Pick<Database, "query">): Promise<string | undefined> {
  const token = generateToken();
  return (await rows.replaceSetupToken(db, hashKey(token))) ? token : undefined;
}

/**
 * Returns the workspace that a set-up link can set up.
 * @throws AppError `not_found` for another link, `conflict` when the owner has got a password in another way.
 */
export async function checkSetup(services: Services, token: string): Promise<{ readonly workspace_name: string }> {
  const expected = await rows.readSetting(services.db, "setup_token_hash");
  const workspace = await rows.firstWorkspace(services.db);
  if (expected === undefined || !matchesHash(token, expected) || workspace === undefined) throw linkAlreadyUsed();
  if (!(await rows.isSetupOpen(services.db))) throw ownerHasPassword();
  return { workspace_name: workspace.name };
}

/**
 * Gives the owner of the first workspace an e-mail address and a password. Works once.
 * @throws AppError `not_found` when the link was used or never existed, `conflict` when the owner has a password or
 * another person has the e-mail address.
 */
export async function setUp(services: Services, input: SetupInput): Promise<{ readonly email: string }> {
  await checkSetup(services, input.token);
  const workspace = await rows.firstWorkspace(services.db);
  const userId = workspace && (await rows.findOwner(services.db, workspace.id));
  if (userId === undefined) throw linkAlreadyUsed();
  const other = await findCredentialsByEmail(services.db, input.email);
  if (other !== undefined && other.id !== userId) throw emailTaken();
  const done = await rows.setUpOwner(services.db, {
    tokenHash: hashKey(input.token),
    userId,
    email: input.email,
    name: input.name,
    passwordHash: await hashPassword(input.password),
  });
  if (!done) throw linkAlreadyUsed();
  return { email: input.email };
}

function linkAlreadyUsed(): AppError {
  return new AppError("not_found", "This set-up link is invalid or already used.");
}

function ownerHasPassword(): AppError {
  return new AppError(
    "conflict",
    "This set-up link is no longer needed: the owner's account has a password. Sign in with it, or get a link for a new one: muster reset-password <email>",
  );
}
