import type { Role } from "#domain/role.ts";
import type { Transaction } from "../database.ts";

type Querying = Pick<Transaction, "query">;

const INSERT_USER = {
  name: "insert-user",
  text: `
    insert into users (id, email, name, password_hash) values ($1, $2, $3, $4)
    on conflict (lower(email)) do nothing returning id`,
};

/** Stores a person. Returns false when somebody has the e-mail address already, in whatever case. */
export async function insertUser(
  tx: Querying,
  user: { readonly id: string; readonly email: string; readonly name: string; readonly passwordHash: string },
): Promise<boolean> {
  const { id, email, name, passwordHash } = user;
  return (await tx.query(INSERT_USER, [id, email, name, passwordHash])).length === 1;
}

const CREDENTIALS_BY_EMAIL = {
  name: "credentials-by-email",
  text: `select id, email, password_hash as "passwordHash" from users where lower(email) = lower($1)`,
};

const CREDENTIALS = {
  name: "credentials",
  text: `select id, email, password_hash as "passwordHash" from users where id = $1`,
};

/** By what a person proves who they are. */
export interface Credentials {
  readonly id: string;
  readonly email: string;
  /** Null for the owner of the first workspace before set-up. */
  readonly passwordHash: string | null;
}

/** Finds a person by the e-mail address, in whatever case. */
export async function findCredentialsByEmail(tx: Querying, email: string): Promise<Credentials | undefined> {
  return (await tx.query<Credentials & Record<string, unknown>>(CREDENTIALS_BY_EMAIL, [email]))[0];
}

/** Finds a person by id. */
export async function findCredentials(tx: Querying, userId: string): Promise<Credentials | undefined> {
  return (await tx.query<Credentials & Record<string, unknown>>(CREDENTIALS, [userId]))[0];
}

const ACCOUNT = {
  name: "account",
  text: `
    select u.id, u.email, u.name, coalesce((
      select json_agg(json_build_object('id', w.id, 'name', w.name, 'role', m.role) order by m.created_at, w.id)
      from members m join workspaces w on w.id = m.workspace_id where m.user_id = u.id), '[]') as workspaces
    from users u where u.id = $1`,
};

/** A person and their workspaces, the one they joined first in front. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
}

/** Reads a person with their workspaces. */
export async function readAccount(tx: Querying, userId: string): Promise<Account | undefined> {
  return (await tx.query<Account & Record<string, unknown>>(ACCOUNT, [userId]))[0];
}

const REPLACE_PASSWORD = {
  name: "replace-password",
  text: `
    update users set password_hash = $3, updated_at = now()
    where id = $1 and password_hash is not distinct from $2 returning id`,
};

/** Changes a password, provided it is still the one that was read. Returns whether it was. */
export async function replacePassword(
  tx: Querying,
  change: { readonly userId: string; readonly oldHash: string | null; readonly newHash: string },
): Promise<boolean> {
  return (await tx.query(REPLACE_PASSWORD, [change.userId, change.oldHash, change.newHash])).length === 1;
}
