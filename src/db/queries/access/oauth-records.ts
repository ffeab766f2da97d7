import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

type Querying = Pick<Transaction, "query">;

/** What identifies a record: its model, and the SHA-256 of its id or secret. */
export interface OAuthRecordId {
  readonly model: string;
  readonly hash: string;
}

/**
 * A refresh token may be used again for half a minute: by another session of the program that shares it, or when the
 * response to its first use was lost.
 */
const IS_REPEATABLE = "model = 'RefreshToken' and consumed_at > clock_timestamp() - interval '30 seconds'";

const FIND = statement({
  name: "find-oauth-record",
  text: `
    select payload,
      case when not (${IS_REPEATABLE}) then extract(epoch from consumed_at)::double precision end as "consumedAt"
    from oauth_records where model = $1 and id_hash = $2`,
});

/** A record of the authorization server. */
export interface OAuthRecord {
  readonly payload: unknown;
  /** When it was used up, in seconds since 1970; null while it may be used. */
  readonly consumedAt: number | null;
}

/** Finds a record, expired or not. */
export async function findOAuthRecord(db: Querying, { model, hash }: OAuthRecordId): Promise<OAuthRecord | undefined> {
  return (await db.query<OAuthRecord>(FIND, [model, hash]))[0];
}

// The lock keeps a key from being revoked between the check and the insertion.
const STORE = statement({
  name: "store-oauth-record",
  text: `
    with held as (select id from api_keys where id = $3 for key share)
    insert into oauth_records (model, id_hash, key_id, payload, expires_at)
    select $1, $2, $3, $4, now() + make_interval(secs => $5)
    where $3::uuid is null or exists (select from held)
    on conflict (model, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at
    returning model`,
});

/** A record to store. */
export interface NewOAuthRecord extends OAuthRecordId {
  /** The key of the connected app; undefined for what belongs to none. */
  readonly keyId: string | undefined;
  readonly payload: object;
  readonly seconds: number;
}

/** Stores or replaces a record; false when its key has been revoked. */
export async function storeOAuthRecord(db: Querying, record: NewOAuthRecord): Promise<boolean> {
  const { model, hash, keyId = null, payload, seconds } = record;
  return (await db.query(STORE, [model, hash, keyId, JSON.stringify(payload), seconds])).length === 1;
}

const CONSUME = statement({
  name: "consume-oauth-record",
  text: `
    update oauth_records set consumed_at = coalesce(consumed_at, clock_timestamp())
    where model = $1 and id_hash = $2 and (consumed_at is null or ${IS_REPEATABLE})
    returning model`,
});

/** Uses up a record; of all requests and processes, only one gets true, but for refresh tokens in their first seconds. */
export async function consumeOAuthRecord(db: Querying, { model, hash }: OAuthRecordId): Promise<boolean> {
  return (await db.query(CONSUME, [model, hash])).length === 1;
}

const DELETE = statement({
  name: "delete-oauth-record",
  text: `delete from oauth_records where model = $1 and id_hash = $2`,
});

/** Deletes a record. */
export async function deleteOAuthRecord(db: Querying, { model, hash }: OAuthRecordId): Promise<void> {
  await db.query(DELETE, [model, hash]);
}

const KEEP_CLIENT = statement({
  name: "keep-oauth-client",
  text: `update oauth_records set expires_at = 'infinity' where model = 'Client' and id_hash = $1`,
});

/** Keeps a registered client for good: a person has connected it. */
export async function keepOAuthClient(db: Querying, hash: string): Promise<void> {
  await db.query(KEEP_CLIENT, [hash]);
}

const REVOKE = statement({
  name: "revoke-app-key",
  text: `delete from api_keys where id = $1 and app is not null returning key_hash`,
});

/** Deletes the key of a connected app, and with it all its codes and tokens; returns its hash. */
export async function revokeAppKey(db: Querying, keyId: string): Promise<string | undefined> {
  return (await db.query<{ key_hash: string }>(REVOKE, [keyId]))[0]?.key_hash;
}

const FIND_TOKEN = statement({
  name: "find-app-token",
  text: `
    select key_id as "keyId", payload->>'aud' as audience, payload->>'scope' as scope,
      extract(epoch from expires_at - now())::double precision * 1000 as "msLeft"
    from oauth_records where model = 'AccessToken' and id_hash = $1 and key_id is not null`,
  narrows: ["keyId"],
});

/** An access token of a connected app. */
export interface AppTokenRow {
  readonly keyId: string;
  /** The URL of the surface for which it was issued. */
  readonly audience: string | null;
  /** Its scopes, separated by spaces: a program may ask for fewer than it was allowed. */
  readonly scope: string | null;
  readonly msLeft: number;
}

/** Finds an access token by the SHA-256 of its text, expired or not. */
export async function findAppToken(db: Querying, hash: string): Promise<AppTokenRow | undefined> {
  return (await db.query<AppTokenRow>(FIND_TOKEN, [hash]))[0];
}
