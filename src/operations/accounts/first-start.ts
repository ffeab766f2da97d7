import { KEY_KINDS, KEY_SCOPES, displayPrefix, generateKey, generateToken, hashKey } from "#domain/access/api-key.ts";
import type { KeyKind, KeyScope } from "#domain/access/api-key.ts";
import type { Database, Transaction } from "#db/database.ts";
import * as rows from "#db/queries/access/first-start.ts";
import { newId } from "#lib/ids.ts";
import { hashPassword } from "#lib/security/password.ts";

/** Values that an operator may set in advance; the others are generated. */
export interface FirstStartOptions {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly workspace?: string | undefined;
  readonly plan: string;
  readonly keys: Readonly<Partial<Record<KeyKind | "anon", string | undefined>>>;
}

/** What the first start created. The secrets are shown to the operator once; the database has only their hashes. */
export interface FirstStart {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly ownerEmail: string;
  readonly keys: Readonly<Record<KeyKind | "anon", string>>;
  /** Opens the set-up link; null when a password was given. */
  readonly setupToken: string | null;
}

const DEFAULT_EMAIL = "owner@localhost.localdomain";
const DEFAULT_WORKSPACE = "My workspace";
/** Says in lists and in the audit log which of the first keys it is. */
const FIRST_KEY_LABELS = {
  envelope: "First API key",
  table: "First table API key",
  mcp: "First MCP key",
  a2a: "First A2A key",
  "ag-ui": "First AG-UI key",
} as const satisfies Record<KeyKind, string>;

/**
 * Returns a function that creates the first workspace with its owner and a key of each kind, in one transaction, unless
 * the instance has a workspace already. Called again because its answer was lost, it returns what it created. Call it
 * under the migration lock.
 */
export async function prepareFirstStart(
  options: FirstStartOptions,
): Promise<(db: Database) => Promise<FirstStart | undefined>> {
  const passwordHash = options.password === undefined ? null : await hashPassword(options.password);
  const first: FirstStart = {
    workspaceId: newId(),
    workspaceName: options.workspace ?? DEFAULT_WORKSPACE,
    ownerEmail: options.email ?? DEFAULT_EMAIL,
    keys: {
      envelope: options.keys.envelope ?? generateKey("envelope"),
      table: options.keys.table ?? generateKey("table"),
      mcp: options.keys.mcp ?? generateKey("mcp"),
      a2a: options.keys.a2a ?? generateKey("a2a"),
      "ag-ui": options.keys["ag-ui"] ?? generateKey("ag-ui"),
      anon: options.keys.anon ?? generateKey("anon"),
    },
    setupToken: passwordHash === null ? generateToken() : null,
  };
  return (db) =>
    db.transaction(async (tx) => {
      const existing = await rows.firstWorkspace(tx);
      if (existing !== undefined) return existing.id === first.workspaceId ? first : undefined;
      await insertFirst(tx, first, { plan: options.plan, passwordHash });
      return first;
    });
}

async function insertFirst(
  tx: Transaction,
  { workspaceId, workspaceName, ownerEmail, keys, setupToken }: FirstStart,
  { plan, passwordHash }: { readonly plan: string; readonly passwordHash: string | null },
): Promise<void> {
  const ownerId = newId();
  await rows.createWorkspace(tx, {
    workspaceId,
    name: workspaceName,
    plan,
    ownerId,
    email: ownerEmail,
    ownerName: "Owner",
    passwordHash,
  });
  for (const kind of KEY_KINDS) {
    await insertKey(tx, { workspaceId, createdBy: ownerId, kind, label: FIRST_KEY_LABELS[kind], key: keys[kind] });
  }
  await rows.writeSetting(tx, "anon_key_hash", hashKey(keys.anon));
  if (setupToken !== null) await rows.writeSetting(tx, "setup_token_hash", hashKey(setupToken));
}

/**
 * Creates a key for the oldest workspace in the name of its owner, for an operator with database access.
 * @throws Error when there is no workspace yet.
 */
export async function issueOperatorKey(
  db: Database,
  options: {
    readonly kind: KeyKind;
    readonly label: string;
    readonly scopes?: readonly KeyScope[];
    readonly expiresAt: Date | null;
  },
): Promise<string> {
  const workspace = await rows.firstWorkspace(db);
  const owner = workspace && (await rows.findOwner(db, workspace.id));
  if (workspace === undefined || owner === undefined) throw new Error("There is no workspace yet.");
  const key = generateKey(options.kind);
  await insertKey(db, { ...options, workspaceId: workspace.id, createdBy: owner, key });
  return key;
}

async function insertKey(
  tx: Parameters<typeof rows.insertKey>[0],
  {
    key,
    expiresAt = null,
    scopes = KEY_SCOPES,
    ...row
  }: {
    readonly workspaceId: string;
    readonly createdBy: string;
    readonly kind: KeyKind;
    readonly label: string;
    readonly key: string;
    readonly scopes?: readonly KeyScope[];
    readonly expiresAt?: Date | null;
  },
): Promise<void> {
  await rows.insertKey(tx, {
    ...row,
    id: newId(),
    keyHash: hashKey(key),
    prefix: displayPrefix(key),
    scopes: [...scopes],
    expiresAt,
  });
}
