import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

type Querying = Pick<Transaction, "query">;

const LIST = statement({
  name: "list-passkeys",
  text: `
    select id, name, iso(created_at) as created_at, iso(last_used_at) as last_used_at
    from passkeys where user_id = $1 order by created_at, id`,
});

/** A passkey as its owner sees it. */
export interface PasskeyRecord {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  /** Null until a sign-in with it. */
  readonly last_used_at: string | null;
}

/** Lists a person's passkeys, oldest first. */
export function listPasskeys(tx: Querying, userId: string): Promise<PasskeyRecord[]> {
  return tx.query<PasskeyRecord>(LIST, [userId]);
}

const LOCK_OWNER = statement({ name: "lock-owner-of-passkeys", text: `select from users where id = $1 for update` });
const STANDING = statement({
  name: "passkey-standing",
  text: `
    select u.email, u.name, u.password_hash is not null as "hasPassword", s.opened_by = 'password' as "byPassword",
      array(select credential_id from passkeys where user_id = u.id) as "credentialIds",
      exists (
        select from members m join workspaces w on w.id = m.workspace_id where m.user_id = u.id and w.require_passkeys
      ) as "isRequired"
    from sessions s join users u on u.id = s.user_id
    where s.id = $2 and u.id = $1 and s.expires_at > now()`,
});

/** What decides whether a session may change its person's passkeys. */
export interface PasskeyStanding {
  readonly email: string;
  readonly name: string;
  readonly hasPassword: boolean;
  /** Whether the session was opened by a password alone. */
  readonly byPassword: boolean;
  /** The ids of the person's passkeys. */
  readonly credentialIds: readonly string[];
  /** Whether a workspace of the person requires passkeys. */
  readonly isRequired: boolean;
}

/** A session and its person. */
interface InSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** Reads what decides about changes of passkeys; undefined when the session has ended. */
export async function readPasskeyStanding(tx: Querying, who: InSession): Promise<PasskeyStanding | undefined> {
  return (await tx.query<PasskeyStanding>(STANDING, [who.userId, who.sessionId]))[0];
}

/** Keeps others from changing a person's passkeys until the transaction ends. */
export async function lockPasskeys(tx: Transaction, userId: string): Promise<void> {
  await tx.query(LOCK_OWNER, [userId]);
}

const INSERT = statement({
  name: "insert-passkey",
  text: `
    with stored as (
      insert into passkeys (id, user_id, credential_id, public_key, counter, name) values ($1, $2, $3, $4, $5, $6)
      on conflict (credential_id) do nothing returning *
    ), raised as (
      update sessions set opened_by = 'passkey', passkey_id = $1
      where id = $7 and opened_by = 'password' and exists (select from stored)
    )
    select audit_passkey(s.user_id, 'passkey.created', s.id, s.name, s.user_id) is null as done from stored s`,
});

/** A passkey to store. */
export interface NewPasskey extends InSession {
  readonly id: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly name: string;
}

/** Stores a passkey, by which its session counts as opened from now on; false when it is stored already. */
export async function insertPasskey(tx: Transaction, passkey: NewPasskey): Promise<boolean> {
  const { id, userId, credentialId, publicKey, counter, name, sessionId } = passkey;
  return (await tx.query(INSERT, [id, userId, credentialId, publicKey, counter, name, sessionId])).length === 1;
}

const RENAME = statement({
  name: "rename-passkey",
  text: `
    with renamed as (update passkeys set name = $3 where id = $1 and user_id = $2 returning *)
    select audit_passkey(r.user_id, 'passkey.changed', r.id, r.name, r.user_id) is null as done from renamed r`,
});

/** Renames a passkey of a person; false when there is none. */
export async function renamePasskey(db: Database, id: string, of: { userId: string; name: string }): Promise<boolean> {
  return (await db.query(RENAME, [id, of.userId, of.name])).length === 1;
}

const DELETE = statement({
  name: "delete-passkey",
  text: `
    with removed as (delete from passkeys where id = $1 and user_id = $2 returning *)
    select audit_passkey(r.user_id, 'passkey.deleted', r.id, r.name, r.user_id) is null as done from removed r`,
});
const END_SESSIONS = statement({
  name: "end-sessions-of-passkey",
  text: `delete from sessions where passkey_id = $1 and user_id = $2 and id <> $3`,
});

/** Deletes a passkey of a person, and ends the other sessions that it opened; false when there is none. */
export async function deletePasskey(tx: Transaction, id: string, who: InSession): Promise<boolean> {
  const isDone = (await tx.query(DELETE, [id, who.userId])).length === 1;
  // In a later statement of its own: a sign-in with the passkey has failed or is visible by now.
  await tx.query(END_SESSIONS, [id, who.userId, who.sessionId]);
  return isDone;
}

const DELETE_ALL = statement({
  name: "delete-passkeys-of-person",
  text: `
    with removed as (delete from passkeys where user_id = $1 returning *)
    select audit_passkey(r.user_id, 'passkey.deleted', r.id, r.name, null) is null as done from removed r`,
});

/** Deletes all passkeys of a person, for an operator or because the account changes hands; returns how many. */
export async function deletePasskeys(tx: Transaction, userId: string): Promise<number> {
  return (await tx.query(DELETE_ALL, [userId])).length;
}

const FIND = statement({
  name: "find-passkey",
  text: `
    select p.id, p.user_id as "userId", p.credential_id as "credentialId", p.public_key as "publicKey",
      p.counter::double precision as counter, u.email, u.password_hash as "passwordHash"
    from passkeys p join users u on u.id = p.user_id where p.credential_id = $1`,
});

/** A stored passkey with its person. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly email: string;
  readonly passwordHash: string | null;
}

/** Finds a passkey by the id that the browser names. */
export async function findPasskey(db: Database, credentialId: string): Promise<StoredPasskey | undefined> {
  return (await db.query<StoredPasskey>(FIND, [credentialId]))[0];
}

const USE = statement({
  name: "use-passkey",
  text: `
    update passkeys set counter = $2, last_used_at = now()
    where id = $1 and (counter < $2 or counter = 0 and $2 = 0) returning id`,
});

/** Notes a use; false when the counter has risen meanwhile, or the passkey was removed. */
export async function usePasskey(db: Database, id: string, counter: number): Promise<boolean> {
  return (await db.query(USE, [id, counter])).length === 1;
}
