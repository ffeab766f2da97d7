import type { KeyKind, KeyScope, Surface } from "#domain/access/api-key.ts";
import type { Role, Tenant } from "#domain/access/role.ts";
import type { Database, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const FIND_KEY = statement({
  name: "find-api-key",
  text: `
    select k.id as "keyId", k.workspace_id as "workspaceId", k.created_by as "userId", m.role, k.kind, k.scopes, k.surfaces,
      k.agents || k.teams as reach, k.networks, s.networks as "accountNetworks", k.app is not null as "isApp",
      iso(k.expires_at) as "expiresAt", extract(epoch from k.expires_at - now())::double precision * 1000 as "msLeft"
    from api_keys k join members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    left join service_accounts s on s.id = k.created_by
    where k.key_hash = $1`,
});

/** A key found by its hash. */
export interface KeyRow {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly userId: string;
  /** The current role of the key's creator in the workspace. */
  readonly role: Role;
  readonly kind: KeyKind;
  readonly scopes: readonly KeyScope[];
  /** The surfaces to which the key is limited; null without a limit. */
  readonly surfaces: readonly Surface[] | null;
  /** The ids of the agents and teams to which it is limited; null without a limit. */
  readonly reach: readonly string[] | null;
  /** The networks from which it may be used; null for everywhere. */
  readonly networks: readonly string[] | null;
  /** Those from which all keys of its service account may be used. */
  readonly accountNetworks: readonly string[] | null;
  /** Whether it is a connected app's. */
  readonly isApp: boolean;
  /** ISO 8601; null without expiry. */
  readonly expiresAt: string | null;
  /** The remaining lifetime, in milliseconds by the database's clock; null without expiry. */
  readonly msLeft: number | null;
}

/** Finds a key by the SHA-256 of its text, expired or not; undefined also when its creator has left the workspace. */
export async function findKey(db: Database, keyHash: string): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(FIND_KEY, [keyHash]);
  return row;
}

const TOUCH_KEY = statement({
  name: "touch-api-key",
  text: `
    update api_keys set last_used_at = now()
    where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
});

/** Records the use of a key; written at most once a minute across all processes. */
export async function touchKey(db: Database, keyId: string): Promise<void> {
  await db.query(TOUCH_KEY, [keyId]);
}

const IDENTITY = statement({
  name: "identity",
  text: `
    select u.id, u.email, u.name, w.id as workspace_id, w.name as workspace_name, w.plan
    from users u cross join workspaces w where u.id = $1 and w.id = $2`,
});

/** A member of a workspace. */
export interface Identity {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly plan: string;
}

/** Reads a user's role and rights in a workspace; undefined when the user is not a member. */
export async function readIdentity(
  db: WorkspaceDatabase<Tenant & { readonly userId: string }>,
): Promise<Identity | undefined> {
  const [row] = await db.query<Identity>(IDENTITY, [db.who.userId, db.who.workspaceId]);
  return row;
}
