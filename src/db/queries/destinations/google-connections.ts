import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT_STATE = statement({
  name: "insert-oauth-state",
  text: `
    insert into oauth_states (id, workspace_id, state_hash, user_id, redirect_uri, expires_at)
    values ($1, $2, $3, $4, $5, clock_timestamp() + interval '10 minutes')`,
});

/** A connection started by a person. */
export interface OAuthState {
  readonly workspaceId: string;
  readonly userId: string;
  readonly redirectUri: string;
}

/** Records the start of a connection; it expires after ten minutes. */
export async function insertState(
  tx: Transaction,
  state: OAuthState & { readonly id: string; readonly stateHash: string },
): Promise<void> {
  const { id, workspaceId, stateHash, userId, redirectUri } = state;
  await tx.query(INSERT_STATE, [id, workspaceId, stateHash, userId, redirectUri]);
}

const TAKE_STATE = statement({
  name: "take-oauth-state",
  text: `
    with taken as (
      delete from oauth_states
      where (state_hash = $1 and ($2::uuid is null or workspace_id = $2)) or expires_at < clock_timestamp()
      returning state_hash, workspace_id, user_id, redirect_uri, expires_at
    )
    select workspace_id as "workspaceId", user_id as "userId", redirect_uri as "redirectUri"
    from taken where state_hash = $1 and expires_at >= clock_timestamp()`,
});

/** Uses up a state, of this workspace if one is given; undefined when it is unknown, used or expired. */
export async function takeState(
  db: Database,
  { stateHash, workspaceId = null }: { readonly stateHash: string; readonly workspaceId?: string | null },
): Promise<OAuthState | undefined> {
  const [row] = await db.query<OAuthState>(TAKE_STATE, [stateHash, workspaceId]);
  return row;
}

const UPSERT = statement({
  name: "upsert-google-connection",
  text: `
    insert into google_connections (id, workspace_id, email, tokens_ciphertext, expires_at, status, connected_by)
    values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 second', 'active', $6)
    on conflict (workspace_id) do update set
      email = excluded.email, tokens_ciphertext = excluded.tokens_ciphertext, expires_at = excluded.expires_at,
      status = 'active', error = null, refreshing_until = null, connected_by = excluded.connected_by,
      updated_at = clock_timestamp()`,
});

/** Stores a connected account, replacing the previous one. */
export async function upsertConnection(
  db: Database,
  connection: {
    readonly id: string;
    readonly workspaceId: string;
    readonly email: string;
    readonly tokensCiphertext: string;
    readonly expiresIn: number;
    readonly userId: string;
  },
): Promise<void> {
  const { id, workspaceId, email, tokensCiphertext, expiresIn, userId } = connection;
  await db.query(UPSERT, [id, workspaceId, email, tokensCiphertext, expiresIn, userId]);
}

const READ = statement({
  name: "read-google-connection",
  text: `
    select tokens_ciphertext as "tokensCiphertext", status, error,
      (extract(epoch from expires_at - clock_timestamp()))::double precision as "expiresIn"
    from google_connections where workspace_id = $1`,
});

/** A connected account. */
export interface GoogleConnection {
  readonly tokensCiphertext: string;
  readonly status: "active" | "disabled";
  readonly error: string | null;
  /** Seconds until the access token expires. */
  readonly expiresIn: number;
}

/** Reads a workspace's account, as the service itself. */
export async function readConnection(db: Database, workspaceId: string): Promise<GoogleConnection | undefined> {
  const [row] = await db.query<GoogleConnection>(READ, [workspaceId]);
  return row;
}

// The expiry is checked again, because another process may have refreshed the token since it was read.
const CLAIM_REFRESH = statement({
  name: "claim-google-refresh",
  text: `
    update google_connections set refreshing_until = clock_timestamp() + $2 * interval '1 millisecond'
    where workspace_id = $1 and status = 'active' and expires_at <= clock_timestamp() + $3 * interval '1 second'
      and (refreshing_until is null or refreshing_until < clock_timestamp())
    returning id`,
});

/**
 * Locks the refresh of a workspace's tokens; false while another process refreshes them, or when they are valid for
 * more than `aheadSeconds`.
 */
export async function claimRefresh(
  db: Database,
  workspaceId: string,
  { forMs, aheadSeconds }: { readonly forMs: number; readonly aheadSeconds: number },
): Promise<boolean> {
  return (await db.query(CLAIM_REFRESH, [workspaceId, forMs, aheadSeconds])).length === 1;
}

const REFRESHED = statement({
  name: "write-google-tokens",
  text: `
    update google_connections set tokens_ciphertext = $2, expires_at = clock_timestamp() + $3 * interval '1 second',
      refreshing_until = null, updated_at = clock_timestamp()
    where workspace_id = $1`,
});

/** Stores refreshed tokens. */
export async function writeTokens(
  db: Database,
  workspaceId: string,
  tokens: { readonly tokensCiphertext: string; readonly expiresIn: number },
): Promise<void> {
  await db.query(REFRESHED, [workspaceId, tokens.tokensCiphertext, tokens.expiresIn]);
}

const RELEASE = statement({
  name: "release-google-refresh",
  text: `update google_connections set refreshing_until = null where workspace_id = $1`,
});

/** Releases the refresh lock. */
export async function releaseRefresh(db: Database, workspaceId: string): Promise<void> {
  await db.query(RELEASE, [workspaceId]);
}

const DISABLE = statement({
  name: "disable-google-connection",
  text: `
    update google_connections set status = 'disabled', error = $2, refreshing_until = null,
      updated_at = clock_timestamp()
    where workspace_id = $1`,
});

/** Disables an account whose tokens were revoked. */
export async function disableConnection(db: Database, workspaceId: string, error: string): Promise<void> {
  await db.query(DISABLE, [workspaceId, error]);
}

const RECORD = statement({
  name: "google-connection-record",
  text: `
    select to_json(r)::text as record from google_connection_records r where r.workspace_id = current_workspace_id()`,
});

/** A workspace's account as the API shows it. */
export async function connectionRecord(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.query<{ record: string }>(RECORD);
  return row?.record;
}

const DELETE = statement({
  name: "delete-google-connection",
  text: `delete from google_connections where workspace_id = current_workspace_id() returning id`,
});

/** Deletes a workspace's account; returns whether there was one. */
export async function deleteConnection(tx: Transaction): Promise<boolean> {
  return (await tx.query(DELETE)).length > 0;
}
