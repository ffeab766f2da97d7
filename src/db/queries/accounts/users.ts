import type { Role } from "#domain/access/role.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

type Querying = Pick<Transaction, "query">;

const INSERT_USER = statement({
  name: "insert-user",
  text: `
    insert into users (id, email, name, password_hash, email_proved, address_claimed) values ($1, $2, $3, $4, $5, $6)
    on conflict (lower(email)) where email_proved do nothing returning id`,
});

/** A person to store. */
export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Null for a person who signs in at a provider. */
  readonly passwordHash: string | null;
  /** Whether this account has verified the address; several unverified accounts may share one. */
  readonly emailProved: boolean;
  /** Whether that rests on the person's word alone. */
  readonly addressClaimed: boolean;
}

/** Stores a person. Returns false when another account has verified the address, ignoring case. */
export async function insertUser(tx: Querying, user: NewUser): Promise<boolean> {
  const { id, email, name, passwordHash, emailProved, addressClaimed } = user;
  const values = [id, email, name, passwordHash, emailProved, addressClaimed];
  return (await tx.query(INSERT_USER, values)).length === 1;
}

const PROVE_EMAIL = statement({
  name: "prove-email",
  text: `
    update users u set email_proved = true, address_claimed = false where id = $1
      and not exists (select from users o where lower(o.email) = lower(u.email) and o.email_proved and o.id <> u.id)`,
});

/** Marks an account's e-mail address as verified, unless another account has it. */
export async function proveEmail(tx: Querying, userId: string): Promise<void> {
  await tx.query(PROVE_EMAIL, [userId]);
}

const CREDENTIALS_BY_EMAIL = statement({
  name: "credentials-by-email",
  text: `
    select u.id, u.email, u.password_hash as "passwordHash", u.email_proved as "emailProved", u.address_claimed as "addressClaimed",
      m.user_id is not null as "isMember"
    from users u left join members m on m.user_id = u.id and m.workspace_id = $2
    where lower(u.email) = lower($1) and (u.email_proved or exists (select from members where user_id = u.id))
    order by u.email_proved desc, "isMember" desc, u.created_at, u.id
    limit 5`,
});

const CREDENTIALS = statement({
  name: "credentials",
  text: `select id, email, password_hash as "passwordHash" from users where id = $1`,
});

/** A person's credentials. */
export interface Credentials {
  readonly id: string;
  readonly email: string;
  /** Null for the owner of the first workspace before set-up, and for people who sign in at a provider. */
  readonly passwordHash: string | null;
}

/** An account with a given e-mail address. */
export interface Candidate extends Credentials {
  /** Whether the address is verified for it. */
  readonly emailProved: boolean;
  /** Whether the person alone says that the address is theirs: by a sign-up, or a change of it. */
  readonly addressClaimed: boolean;
  /** Whether it is a member of the given workspace. */
  readonly isMember: boolean;
}

/**
 * Finds the accounts with an e-mail address, ignoring case: the verified one first, then members of the workspace, then
 * the oldest; at most five.
 */
export function findAccountsByEmail(
  tx: Querying,
  email: string,
  workspaceId: string | undefined,
): Promise<Candidate[]> {
  return tx.query<Candidate>(CREDENTIALS_BY_EMAIL, [email, workspaceId ?? null]);
}

/** Finds the account that has verified an e-mail address, ignoring case. */
export async function findCredentialsByEmail(tx: Querying, email: string): Promise<Credentials | undefined> {
  return (await findAccountsByEmail(tx, email, undefined)).find(({ emailProved }) => emailProved);
}

/** Finds a person by id. */
export async function findCredentials(tx: Querying, userId: string): Promise<Credentials | undefined> {
  return (await tx.query<Credentials>(CREDENTIALS, [userId]))[0];
}

const ACCOUNT = statement({
  name: "account",
  text: `
    select u.id, u.email, u.name, u.password_hash is not null as has_password, u.question_mails, coalesce((
      select json_agg(json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'role', m.role,
        'can_answer', m.can_answer or m.role <> 'viewer', 'require_passkeys', w.require_passkeys) order by m.created_at, w.id)
      from members m join workspaces w on w.id = m.workspace_id where m.user_id = u.id), '[]') as workspaces
    from users u where u.id = $1`,
});

/** A person and their workspaces, in the order of joining. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly has_password: boolean;
  /** The kinds of questions that the person gets by mail. */
  readonly question_mails: readonly string[];
  readonly workspaces: readonly {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly role: Role;
    /** Whether the person may answer questions there. */
    readonly can_answer: boolean;
    /** Whether a password alone does not open it. */
    readonly require_passkeys: boolean;
  }[];
}

/** Reads a person with their workspaces. */
export async function readAccount(tx: Querying, userId: string): Promise<Account | undefined> {
  return (await tx.query<Account>(ACCOUNT, [userId]))[0];
}

const UPDATE_PROFILE = statement({
  name: "update-profile",
  text: `
    update users u set
      name = coalesce($2::text, name), email = coalesce($3::text, email),
      email_proved = email_proved and lower(coalesce($3::text, email)) = lower(email),
      address_claimed = address_claimed or lower(coalesce($3::text, email)) <> lower(email), updated_at = now()
    where id = $1 and not exists (select from users o where lower(o.email) = lower($3::text) and o.id <> u.id)
    returning id`,
});

/**
 * Changes a person's name and e-mail address; undefined fields stay. A new address is unverified.
 * @returns false when another account has the address
 */
export async function updateProfile(
  tx: Querying,
  change: { readonly userId: string; readonly name: string | undefined; readonly email: string | undefined },
): Promise<boolean> {
  return (await tx.query(UPDATE_PROFILE, [change.userId, change.name ?? null, change.email ?? null])).length === 1;
}

const REPLACE_PASSWORD = statement({
  name: "replace-password",
  text: `
    update users set password_hash = $3, updated_at = now()
    where id = $1 and password_hash is not distinct from $2 returning id`,
});

/** Changes a password, if it is still the one that was read. Returns whether it was. */
export async function replacePassword(
  tx: Querying,
  change: { readonly userId: string; readonly oldHash: string | null; readonly newHash: string },
): Promise<boolean> {
  return (await tx.query(REPLACE_PASSWORD, [change.userId, change.oldHash, change.newHash])).length === 1;
}
