import { canGrant } from "#domain/access/membership.ts";
import { AppError } from "#domain/errors.ts";
import type { ProviderClaims } from "#protocols/oidc/claims.ts";
import type { Transaction } from "#db/database.ts";
import { createWorkspace } from "#db/queries/access/workspaces.ts";
import { insertMember } from "#db/queries/accounts/accept-invitation.ts";
import * as rows from "#db/queries/accounts/identities.ts";
import { deleteInvitation } from "#db/queries/accounts/invitations.ts";
import { deletePasskeys } from "#db/queries/accounts/passkeys.ts";
import { endSessions } from "#db/queries/accounts/sessions.ts";
import { findAccountsByEmail, readAccount } from "#db/queries/accounts/users.ts";
import type { Candidate, Credentials } from "#db/queries/accounts/users.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "../context.ts";
import { followGroups } from "./follow-groups.ts";
import { createUser } from "./sign-up.ts";

const FIRST_WORKSPACE = "My workspace";

/** What a provider says of a person whose account has to be found: with an address. */
type Addressed = ProviderClaims & { readonly email: string };

/**
 * Returns the account of a person whom a provider has identified. It is matched by issuer and subject. The first time,
 * it is the account with the person's address, if the provider has verified that, else a new one: for a person who was
 * invited, whose groups give a role, or where anyone may sign up. Open invitations to a verified address are accepted.
 * @throws AppError `forbidden` for a person who may not enter; `conflict` when the address is another person's.
 */
export async function accountOfIdentity(
  { db, signUps, defaultPlan: plan, groupRules: rules }: Services,
  claims: ProviderClaims,
): Promise<Credentials> {
  return db.transaction(async (tx) => {
    const known = await rows.useIdentity(tx, claims);
    const account = known ?? (await findOrCreate(tx, claims));
    if (known === undefined && !(await rows.insertIdentity(tx, claims, account.id))) throw tryAgain();
    await acceptInvitations(tx, account.id, claims);
    await followGroups(tx, account.id, { rules, groups: claims.groups });
    if (known !== undefined) return known;
    const { workspaces = [] } = (await readAccount(tx, account.id)) ?? {};
    if (workspaces.length > 0) return account;
    if (signUps === "closed") throw notInvited(claims);
    await createWorkspace(tx, { id: newId(), name: FIRST_WORKSPACE, plan, ownerId: account.id });
    return account;
  });
}

async function findOrCreate(tx: Transaction, { email, ...claims }: ProviderClaims): Promise<Credentials> {
  if (email === undefined) throw withoutAddress();
  const adopted = claims.isEmailVerified ? await adopt(tx, { ...claims, email }) : await refuseOwned(tx, email);
  const created = { email, name: claims.name, passwordHash: null, emailProved: claims.isEmailVerified };
  return adopted ?? createUser(tx, created);
}

/** Returns the existing account with a verified address; undefined when there is none that this person may have. */
async function adopt(tx: Transaction, claims: Addressed): Promise<Credentials | undefined> {
  const accounts = await findAccountsByEmail(tx, claims.email, undefined);
  const owner = accounts.find(({ emailProved }) => emailProved);
  if (owner !== undefined) return adoptOwner(tx, owner, claims);
  // Who changed their address to this one is another person.
  const [only, ...others] = accounts.filter(({ addressClaimed }) => !addressClaimed);
  if (only === undefined) return undefined;
  if (others.length > 0) throw ambiguous(claims.email);
  const { isLinked } = await rows.readClaims(tx, only.id, claims.issuer);
  if (isLinked) return undefined;
  // Who invited the person had the link, too, and may know the password.
  await rows.proveWithoutPassword(tx, only.id);
  await deletePasskeys(tx, only.id);
  await endSessions(tx, only.id, null);
  return { ...only, passwordHash: null };
}

/**
 * A provider may give the address of a person who has left to another one, who must not get the account. Nor does anyone
 * get an account that a stranger may have made for them by a sign-up: its password, keys and workspace stay the stranger's.
 */
async function adoptOwner(tx: Transaction, owner: Candidate, { issuer }: Addressed): Promise<Credentials | undefined> {
  const { isLinked, isMember } = await rows.readClaims(tx, owner.id, issuer);
  if (!isLinked && !owner.addressClaimed) return owner;
  if (isLinked && isMember) throw anothersAddress(owner.email);
  await rows.releaseEmail(tx, owner.id);
  return undefined;
}

/** A person whom the provider lets choose an address must not appear under a colleague's. */
async function refuseOwned(tx: Transaction, email: string): Promise<undefined> {
  const accounts = await findAccountsByEmail(tx, email, undefined);
  if (accounts.some(({ emailProved, addressClaimed }) => emailProved && !addressClaimed)) throw unverified(email);
}

async function acceptInvitations(
  tx: Transaction,
  userId: string,
  { email, isEmailVerified }: ProviderClaims,
): Promise<void> {
  if (email === undefined || !isEmailVerified) return;
  for (const { id, workspaceId, role, inviterRole } of await rows.lockInvitationsTo(tx, email)) {
    // The inviter may have lost the right to give this role.
    if (!canGrant(inviterRole, role)) continue;
    await deleteInvitation(tx, id);
    await insertMember(tx, { workspaceId, userId, role });
  }
}

function notInvited({ email = "", isEmailVerified }: ProviderClaims): AppError {
  if (!isEmailVerified) return unverified(email);
  return new AppError(
    "forbidden",
    `Nobody has invited ${email} to a workspace of this instance. Ask an administrator.`,
  );
}

function unverified(email: string): AppError {
  return new AppError(
    "forbidden",
    `The sign-in provider does not say that ${email} is verified, so neither an invitation to it nor its account counts. Ask an administrator.`,
  );
}

function withoutAddress(): AppError {
  return new AppError(
    "forbidden",
    "The sign-in provider does not tell your e-mail address. Its operator must allow the scope email (OIDC_SCOPES).",
  );
}

function anothersAddress(email: string): AppError {
  return new AppError(
    "conflict",
    `The account of ${email} belongs to another person at the sign-in provider. Ask an administrator to remove it from its workspaces, and to invite you.`,
  );
}

function ambiguous(email: string): AppError {
  return new AppError(
    "conflict",
    `Several accounts have the address ${email}. Ask the operator for a password link to yours (muster reset-password), then sign in again.`,
  );
}

function tryAgain(): AppError {
  return new AppError("conflict", "This account was created by another sign-in just now. Sign in again.");
}
