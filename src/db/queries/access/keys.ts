import type { ExpiryWarning, KeyKind, KeyScope, Surface } from "#domain/access/api-key.ts";
import type { AppClient } from "#domain/access/connected-app.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";
import type { KeyLimits } from "./first-start.ts";
import { FIRST_ID, pageOf, pageValues } from "../row-pages.ts";
import type { SearchedPage, RowPage } from "../row-pages.ts";

/** SQL: how near the end of a key is, unless another replaces it. */
const EXPIRY_WARNING = `case
    when replaced_by is not null then null
    when expires_at <= now() then 'expired'
    when expires_at <= now() + interval '3 days' then '3_days'
    when expires_at <= now() + interval '14 days' then '14_days'
  end`;

const RECORD = `id, prefix, label, kind, scopes, surfaces, agents, teams, networks, iso(last_used_at) as last_used_at, iso(expires_at) as expires_at,
  ${EXPIRY_WARNING} as expiry_warning, replaced_by, created_by, (select s.id from service_accounts s where s.id = created_by) as service_account_id,
  iso(created_at) as created_at`;

/** A key as lists show it, without its text or hash. Times are ISO 8601. */
export interface KeyRecord {
  readonly id: string;
  readonly prefix: string;
  readonly label: string;
  readonly kind: KeyKind;
  readonly scopes: readonly KeyScope[];
  /** Those to which it is limited; null without a limit. */
  readonly surfaces: readonly Surface[] | null;
  /** The ids of the agents to which it is limited; null without a limit, or if it is limited to teams. */
  readonly agents: readonly string[] | null;
  /** The ids of the teams to which it is limited; null without a limit, or if it is limited to agents. */
  readonly teams: readonly string[] | null;
  /** The networks from which it may be used; null for everywhere. */
  readonly networks: readonly string[] | null;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  /** How near its end is; null when it is not, and for a key that another replaces. */
  readonly expiry_warning: ExpiryWarning | null;
  /** The key that replaces it after a rotation. */
  readonly replaced_by: string | null;
  /** The person or the service account whose rights it has. */
  readonly created_by: string;
  /** The service account that it belongs to; null for a key of a person. */
  readonly service_account_id: string | null;
  readonly created_at: string;
}

const LIST = statement({
  name: "list-api-keys",
  text: `
    select ${RECORD} from api_keys
    where workspace_id = $1 and app is null and ($2::timestamptz is null or (created_at, id) < ($2, coalesce($3::uuid, ${FIRST_ID})))
      and ($5::text is null or strpos(lower(label), lower($5)) > 0 or starts_with(prefix, $5)
        or starts_with(id::text, lower($5)))
      and (not $6::boolean or (replaced_by is null and expires_at > now() and expires_at <= now() + interval '14 days'))
    order by created_at desc, id desc limit $4::integer + 1`,
});

/** A page of keys: those of a search, or those that expire within 14 days and have no replacement. */
export type KeysPage = SearchedPage & { readonly expiring?: boolean | undefined };

/** Lists a workspace's keys, newest first, without those of connected apps. */
export async function listKeys(db: WorkspaceDatabase, page: KeysPage): Promise<RowPage<KeyRecord>> {
  const values = [db.who.workspaceId, ...pageValues(page), page.q ?? null, page.expiring ?? false];
  const rows = await db.query<KeyRecord>(LIST, values);
  return pageOf(rows, page.limit, ({ id }) => id);
}

const READ = statement({ name: "read-api-key", text: `select ${RECORD} from api_keys where id = $1` });

/** Reads one key. */
export async function readKey(tx: Transaction, keyId: string): Promise<KeyRecord | undefined> {
  const [row] = await tx.query<KeyRecord>(READ, [keyId]);
  return row;
}

const CHANGE = statement({
  name: "change-api-key",
  text: `
    update api_keys k set (label, surfaces, agents, teams, networks) =
      (select r.label, r.surfaces, r.agents, r.teams, r.networks from jsonb_populate_record(k, $2) r)
    where id = $1 returning ${RECORD}`,
});

/** Changes a key's label and limits; absent fields stay. Undefined when the workspace has no such key. */
export async function changeKey(
  tx: Transaction,
  keyId: string,
  patch: KeyLimits & { readonly label?: string | undefined },
): Promise<KeyRecord | undefined> {
  const [row] = await tx.query<KeyRecord>(CHANGE, [keyId, JSON.stringify(patch)]);
  return row;
}

const FIND_UNKNOWN = statement({
  name: "find-unknown-reach",
  text: `
    select 'agents' as field, g.id from unnest($1::uuid[]) g (id)
    where not exists (select from agents a where a.id = g.id)
    union all
    select 'teams', g.id from unnest($2::uuid[]) g (id) where not exists (select from teams t where t.id = g.id)`,
});

/** Returns which of these agents and teams the workspace does not have. */
export function findUnknownReach(
  tx: Transaction,
  { agents, teams }: KeyLimits,
): Promise<readonly { readonly field: string; readonly id: string }[]> {
  return tx.query(FIND_UNKNOWN, [agents ?? [], teams ?? []]);
}

const DELETE = statement({ name: "delete-api-key", text: `delete from api_keys where id = $1 returning key_hash` });

/** Deletes a key; returns its hash, or undefined when the workspace has no such key. */
export async function deleteKey(tx: Transaction, keyId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ key_hash: string }>(DELETE, [keyId]);
  return row?.key_hash;
}

const REVOKE_LEAKED = statement({
  name: "revoke-leaked-keys",
  text: `select revoked as hash from revoke_leaked_keys($1) revoked`,
});

/** Deletes keys of any workspace that were found by others; returns the hashes of those that existed. */
export async function revokeLeakedKeys(tx: Transaction, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ hash: string }>(REVOKE_LEAKED, [hashes]);
  return rows.map(({ hash }) => hash);
}

const WARN = statement({ name: "warn-of-expiring-keys", text: `select warn_of_expiring_keys($1) as warned` });

/** Records which keys expire soon, at most `most` of those that are due to be told; returns their number. */
export async function warnOfKeys(tx: Transaction, most: number): Promise<number> {
  const [row] = await tx.query<{ warned: number }>(WARN, [most]);
  return row?.warned ?? 0;
}

// The row lock decides between two concurrent rotations: the second finds replaced_by set. The new key gets the same
// lifetime as the old one had when it was created. A key of a service account stays the account's.
const ROTATE = statement({
  name: "rotate-api-key",
  text: `
    with old as (
      select * from api_keys where id = $1 and replaced_by is null and (expires_at is null or expires_at > now())
      for no key update
    ),
    replaced as (
      update api_keys k set replaced_by = $2, expires_at = least(k.expires_at, now() + make_interval(secs => $6))
      from old where k.id = old.id
    )
    insert into api_keys (id, workspace_id, created_by, kind, label, key_hash, prefix, scopes, expires_at, surfaces, agents,
      teams, networks)
    select $2, workspace_id, coalesce((select s.id from service_accounts s where s.id = old.created_by), $3), kind, label, $4, $5, scopes, now() + (expires_at - created_at), surfaces, agents, teams,
      networks
    from old
    returning ${RECORD}`,
});

/** The new key of a rotation, without its text. */
export interface Replacement {
  readonly oldId: string;
  readonly id: string;
  readonly createdBy: string;
  readonly keyHash: string;
  readonly prefix: string;
  /** How long the old key remains valid; 0 ends it immediately. */
  readonly overlapSeconds: number;
}

/**
 * Stores a copy of a key with a new secret and ends the old one after the given time; undefined when the key does not
 * exist, was already replaced, or has expired.
 */
export async function rotateKey(tx: Transaction, replacement: Replacement): Promise<KeyRecord | undefined> {
  const { oldId, id, createdBy, keyHash, prefix, overlapSeconds } = replacement;
  const values = [oldId, id, createdBy, keyHash, prefix, overlapSeconds];
  const [row] = await tx.query<KeyRecord>(ROTATE, values);
  return row;
}

const IDENTIFY = statement({
  name: "identify-api-key",
  text: `select kind, key_hash as "keyHash", app from api_keys where id = $1`,
});

/** What key management needs to know of a key. */
export interface IdentifiedKey {
  readonly kind: KeyKind;
  readonly keyHash: string;
  readonly app: AppClient | null;
}

/** A key's kind and hash, for key management; undefined when the workspace has no such key. */
export async function identifyKey(tx: Transaction, keyId: string): Promise<IdentifiedKey | undefined> {
  const [row] = await tx.query<IdentifiedKey>(IDENTIFY, [keyId]);
  return row;
}
