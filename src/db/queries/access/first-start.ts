import type { KeyKind, Surface } from "#domain/access/api-key.ts";
import type { AppClient } from "#domain/access/connected-app.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const ANY_WORKSPACE = statement({
  name: "any-workspace",
  text: `
    select id, name, require_passkeys as "requirePasskeys" from workspaces
    where deleted_at is null order by created_at limit 1`,
});

/** The oldest workspace of an instance. */
interface FirstWorkspace {
  readonly id: string;
  readonly name: string;
  readonly requirePasskeys: boolean;
}

/** Finds the oldest workspace of the instance, if any. */
export async function firstWorkspace(tx: Pick<Transaction, "query">): Promise<FirstWorkspace | undefined> {
  return (await tx.query<FirstWorkspace>(ANY_WORKSPACE))[0];
}

const CREATE_WORKSPACE = statement({
  name: "create-first-workspace",
  text: `
    with workspace as (insert into workspaces (id, name, plan) values ($1, $2, $3) returning id),
    owner as (insert into users (id, email, name, password_hash) values ($4, $5, $6, $7) returning id)
    insert into members (workspace_id, user_id, role)
    select workspace.id, owner.id, 'owner' from workspace, owner`,
});

/** A workspace and its owner. */
export interface NewWorkspace {
  readonly workspaceId: string;
  readonly name: string;
  readonly plan: string;
  readonly ownerId: string;
  readonly email: string;
  readonly ownerName: string;
  readonly passwordHash: string | null;
}

/** Creates a workspace together with its owner. */
export async function createWorkspace(tx: Pick<Transaction, "query">, workspace: NewWorkspace): Promise<void> {
  const { workspaceId, name, plan, ownerId, email, ownerName, passwordHash } = workspace;
  await tx.query(CREATE_WORKSPACE, [workspaceId, name, plan, ownerId, email, ownerName, passwordHash]);
}

/** The first person who owns a workspace: programs may, too. */
const firstOwnerOf = (workspace: string) => `
  select user_id from members where workspace_id = ${workspace} and role = 'owner'
    and not exists (select from service_accounts s where s.id = user_id)
  order by created_at limit 1`;

const OWNER = statement({ name: "workspace-owner", text: firstOwnerOf("$1") });

/** The first person who owns a workspace. */
export async function findOwner(tx: Pick<Transaction, "query">, workspaceId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ user_id: string }>(OWNER, [workspaceId]);
  return row?.user_id;
}

const INSERT_KEY = statement({
  name: "insert-api-key",
  text: `
    insert into api_keys (id, workspace_id, created_by, kind, label, key_hash, prefix, scopes, expires_at, surfaces, agents, teams,
      networks, app)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
});

/** A key to store, without its text. */
export interface NewKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdBy: string;
  readonly kind: KeyKind;
  readonly label: string;
  readonly keyHash: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly limits?: KeyLimits;
  /** The program for which it is, if it belongs to a connected app. */
  readonly app?: AppClient;
}

/** To what a key is limited, besides its scopes; null or absent: not limited. */
export interface KeyLimits {
  readonly surfaces?: readonly Surface[] | null | undefined;
  /** The ids of agents. A key for some teams only has no agents, and vice versa. */
  readonly agents?: readonly string[] | null | undefined;
  /** The ids of teams. */
  readonly teams?: readonly string[] | null | undefined;
  readonly networks?: readonly string[] | null | undefined;
}

/** Stores a key. */
export async function insertKey(tx: Pick<Transaction, "query">, key: NewKey): Promise<void> {
  await tx.query(INSERT_KEY, [
    key.id,
    key.workspaceId,
    key.createdBy,
    key.kind,
    key.label,
    key.keyHash,
    key.prefix,
    key.scopes,
    key.expiresAt,
    key.limits?.surfaces ?? null,
    key.limits?.agents ?? null,
    key.limits?.teams ?? null,
    key.limits?.networks ?? null,
    key.app === undefined ? null : JSON.stringify(key.app),
  ]);
}

/** The setting that identifies the encryption key of the stored secrets. */
export const ENCRYPTION_KEY_FINGERPRINT = "encryption_key_fingerprint";

/** The setting that holds the URL of the process that started last, for links that an operator's command prints. */
export const SERVICE_URL = "service_url";
/** When the snapshot of the last complete backup was taken, in ISO 8601. */
export const LAST_BACKUP_AT = "last_backup_at";

const READ_SETTING = statement({ name: "read-setting", text: `select value from instance_settings where key = $1` });

/** Reads an instance setting from the database. */
export async function readSetting(tx: Pick<Transaction, "query">, key: string): Promise<string | undefined> {
  const [row] = await tx.query<{ value: string }>(READ_SETTING, [key]);
  return row?.value;
}

const WRITE_SETTING = statement({
  name: "write-setting",
  text: `
    insert into instance_settings (key, value) values ($1, $2)
    on conflict (key) do update set value = excluded.value, updated_at = now()`,
});

/** Writes an instance setting to the database. */
export async function writeSetting(tx: Pick<Transaction, "query">, key: string, value: string): Promise<void> {
  await tx.query(WRITE_SETTING, [key, value]);
}

/** The set-up link was not used, and the first owner did not get a password in another way. */
const IS_SETUP_OPEN = `
  key = 'setup_token_hash' and exists (
    select from users where password_hash is null and id = (
      ${firstOwnerOf("(select id from workspaces where deleted_at is null order by created_at limit 1)")}))`;

const FIND_OPEN_SETUP = statement({
  name: "find-open-setup",
  text: `select key from instance_settings where ${IS_SETUP_OPEN}`,
});

/** True if the first owner's account still has to be set up. */
export async function isSetupOpen(tx: Pick<Transaction, "query">): Promise<boolean> {
  return (await tx.query(FIND_OPEN_SETUP)).length === 1;
}

const REPLACE_SETUP_TOKEN = statement({
  name: "replace-setup-token",
  text: `update instance_settings set value = $1, updated_at = now() where ${IS_SETUP_OPEN} returning key`,
});

/** Replaces the token of the set-up link; returns false when the set-up is finished, which is never reopened. */
export async function replaceSetupToken(tx: Pick<Transaction, "query">, tokenHash: string): Promise<boolean> {
  return (await tx.query(REPLACE_SETUP_TOKEN, [tokenHash])).length === 1;
}

const SET_UP_OWNER = statement({
  name: "set-up-owner",
  text: `
    with used as (delete from instance_settings where key = 'setup_token_hash' and value = $1 returning key)
    update users set email = $3, name = $4, password_hash = $5, updated_at = now()
    where id = $2 and password_hash is null and exists (select from used)
    returning id`,
});

/**
 * Sets the first owner's name and password if there is no password yet, which uses up the set-up link. Returns whether
 * the link was still valid.
 */
export async function setUpOwner(
  tx: Pick<Transaction, "query">,
  owner: {
    readonly tokenHash: string;
    readonly userId: string;
    readonly email: string;
    readonly name: string;
    readonly passwordHash: string;
  },
): Promise<boolean> {
  const { tokenHash, userId, email, name, passwordHash } = owner;
  return (await tx.query(SET_UP_OWNER, [tokenHash, userId, email, name, passwordHash])).length === 1;
}
