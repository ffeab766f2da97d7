import type { KeyKind, KeyScope } from "#domain/access/api-key.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";
import { FIRST_ID, pageOf, pageValues } from "../row-pages.ts";
import type { SearchedPage, RowPage } from "../row-pages.ts";

const RECORD = `id, prefix, label, kind, scopes, iso(last_used_at) as last_used_at, iso(expires_at) as expires_at,
  replaced_by, created_by, iso(created_at) as created_at`;

/** A key as lists show it, without its text or hash. Times are ISO 8601. */
export interface KeyRecord {
  readonly id: string;
  readonly prefix: string;
  readonly label: string;
  readonly kind: KeyKind;
  readonly scopes: readonly KeyScope[];
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  /** The key that replaces it after a rotation. */
  readonly replaced_by: string | null;
  readonly created_by: string;
  readonly created_at: string;
}

const LIST = statement({
  name: "list-api-keys",
  text: `
    select ${RECORD} from api_keys
    where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, coalesce($3::uuid, ${FIRST_ID})))
      and ($5::text is null or strpos(lower(label), lower($5)) > 0 or starts_with(prefix, $5)
        or starts_with(id::text, lower($5)))
    order by created_at desc, id desc limit $4::integer + 1`,
});

/** Lists a workspace's keys, newest first. */
export async function listKeys(db: WorkspaceDatabase, page: SearchedPage): Promise<RowPage<KeyRecord>> {
  const values = [db.who.workspaceId, ...pageValues(page), page.q ?? null];
  const rows = await db.query<KeyRecord>(LIST, values);
  return pageOf(rows, page.limit, ({ id }) => id);
}

const READ = statement({ name: "read-api-key", text: `select ${RECORD} from api_keys where id = $1` });

/** Reads one key. */
export async function readKey(tx: Transaction, keyId: string): Promise<KeyRecord | undefined> {
  const [row] = await tx.query<KeyRecord>(READ, [keyId]);
  return row;
}

const RENAME = statement({
  name: "rename-api-key",
  text: `update api_keys set label = $2 where id = $1 returning ${RECORD}`,
});

/** Changes a key's label; undefined when the workspace has no such key. */
export async function renameKey(tx: Transaction, keyId: string, label: string): Promise<KeyRecord | undefined> {
  const [row] = await tx.query<KeyRecord>(RENAME, [keyId, label]);
  return row;
}

const DELETE = statement({ name: "delete-api-key", text: `delete from api_keys where id = $1 returning key_hash` });

/** Deletes a key; returns its hash, or undefined when the workspace has no such key. */
export async function deleteKey(tx: Transaction, keyId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ key_hash: string }>(DELETE, [keyId]);
  return row?.key_hash;
}

// The row lock decides between two concurrent rotations: the second finds replaced_by set. The new key gets the same
// lifetime as the old one had when it was created.
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
    insert into api_keys (id, workspace_id, created_by, kind, label, key_hash, prefix, scopes, expires_at)
    select $2, workspace_id, $3, kind, label, $4, $5, scopes, now() + (expires_at - created_at) from old
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
  text: `select kind, key_hash as "keyHash" from api_keys where id = $1`,
});

/** A key's kind and hash, for key management; undefined when the workspace has no such key. */
export async function identifyKey(
  tx: Transaction,
  keyId: string,
): Promise<{ readonly kind: KeyKind; readonly keyHash: string } | undefined> {
  const [row] = await tx.query<{ kind: KeyKind; keyHash: string }>(IDENTIFY, [keyId]);
  return row;
}
