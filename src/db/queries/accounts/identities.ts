import type { Role } from "#domain/access/role.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

type Querying = Pick<Transaction, "query">;

/** A person as a provider knows them. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

const SPEND = statement({
  name: "spend-sign-in",
  text: `
    insert into spent_sign_ins (state_hash, expires_at) values ($1, now() + make_interval(secs => $2))
    on conflict (state_hash) do nothing returning state_hash`,
});

/** Uses up the state of a sign-in; of all requests and processes, only one gets true. */
export async function spendSignIn(tx: Querying, stateHash: string, seconds: number): Promise<boolean> {
  return (await tx.query(SPEND, [stateHash, seconds])).length === 1;
}

const USE = statement({
  name: "use-identity",
  text: `
    with used as (
      update identities set last_used_at = now() where issuer = $1 and subject = $2 returning user_id
    )
    select u.id, u.email, u.password_hash as "passwordHash" from users u join used on used.user_id = u.id`,
});

/** An account that an identity opens. */
export interface IdentityAccount {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
}

/** Finds the account of an identity, and records its use. */
export async function useIdentity(tx: Querying, { issuer, subject }: Identity): Promise<IdentityAccount | undefined> {
  return (await tx.query<IdentityAccount>(USE, [issuer, subject]))[0];
}

const INSERT = statement({
  name: "insert-identity",
  text: `
    insert into identities (issuer, subject, user_id) values ($1, $2, $3)
    on conflict (issuer, subject) do nothing returning user_id`,
});

/** Links an identity to an account; false when it is linked already. */
export async function insertIdentity(tx: Querying, { issuer, subject }: Identity, userId: string): Promise<boolean> {
  return (await tx.query(INSERT, [issuer, subject, userId])).length === 1;
}

const CLAIMS = statement({
  name: "claims-on-account",
  text: `
    select exists (select from identities where user_id = $1 and issuer = $2) as "isLinked",
      exists (select from members where user_id = $1) as "isMember"`,
});

/** Whether an account has an identity at the issuer, and whether it is a member of any workspace. */
export async function readClaims(
  tx: Querying,
  userId: string,
  issuer: string,
): Promise<{ readonly isLinked: boolean; readonly isMember: boolean }> {
  const [row] = await tx.query<{ isLinked: boolean; isMember: boolean }>(CLAIMS, [userId, issuer]);
  if (row === undefined) throw new Error("A select without a table returns one row.");
  return row;
}

const RELEASE = statement({
  name: "release-email",
  text: `update users set email_proved = false, updated_at = now() where id = $1`,
});

/** Ends an account's ownership of its address. */
export async function releaseEmail(tx: Querying, userId: string): Promise<void> {
  await tx.query(RELEASE, [userId]);
}

const DROP_PASSWORD = statement({
  name: "drop-password",
  text: `update users set password_hash = null, email_proved = true, updated_at = now() where id = $1`,
});

/** Gives the address to an account that nobody had verified, and takes its password: its holder is not known. */
export async function proveWithoutPassword(tx: Querying, userId: string): Promise<void> {
  await tx.query(DROP_PASSWORD, [userId]);
}

const INVITATIONS = statement({
  name: "invitations-to-address",
  text: `
    select i.id, i.workspace_id as "workspaceId", i.role, m.role as "inviterRole"
    from (
      select * from invitations where lower(email) = lower($1) and expires_at > now()
      order by created_at, id limit 100 for update
    ) i
    join members m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
    order by i.created_at, i.id`,
});

/** An open invitation to an address. */
export interface AddressedInvitation {
  readonly id: string;
  readonly workspaceId: string;
  readonly role: Role;
  /** The current role of its creator. */
  readonly inviterRole: Role;
}

/** Finds and locks the open invitations to an address, ignoring case, the oldest first. */
export async function lockInvitationsTo(tx: Querying, email: string): Promise<AddressedInvitation[]> {
  return tx.query<AddressedInvitation>(INVITATIONS, [email]);
}
