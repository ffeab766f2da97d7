import { z } from "zod";
import { givenTime } from "#domain/given-time.ts";
import {
  KEY_KINDS,
  KEY_SCOPES,
  SURFACES,
  displayPrefix,
  generateKey,
  hashKey,
  surfacesOf,
} from "#domain/access/api-key.ts";
import { allowedNetworks } from "#domain/access/networks.ts";
import { givenId } from "#domain/given-id.ts";
import { invalid } from "#domain/invalid.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Transaction } from "#db/database.ts";
import { insertKey } from "#db/queries/access/first-start.ts";
import type { KeyLimits } from "#db/queries/access/first-start.ts";
import * as rows from "#db/queries/access/keys.ts";
import type { KeyRecord, KeysPage } from "#db/queries/access/keys.ts";
import type { RowPage } from "#db/queries/row-pages.ts";
import { newId } from "#lib/ids.ts";
import type { KeyKind, KeyScope, Surface } from "#domain/access/api-key.ts";
import { displayName } from "#domain/display-name.ts";
import { manageable } from "../accounts/service-accounts.ts";
import type { Workspace } from "../workspace.ts";

const DEFAULT_OVERLAP_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 30 * 86_400;

const label = displayName(100).trim().describe("The purpose of the key.");

/** The maximum number of agents, and of teams, that a key is limited to. */
export const MAX_REACH = 100;

const surfaces = z
  .array(z.enum(SURFACES))
  .min(1)
  .transform((named) => SURFACES.filter((surface) => named.includes(surface)))
  .nullable()
  .describe("The surfaces that it opens, among those of its kind; null for all of them.");
/** Ids of agents or of teams to which a key is limited; null without a limit. */
export const reachable = z
  .array(givenId)
  .min(1)
  .max(MAX_REACH)
  .transform((ids) => [...new Set(ids)])
  .nullable();
const agents = reachable.describe(
  "The agents to which it is limited, with the teams: it starts, reads, follows and answers their runs, and sees nothing else. Null for no limit, or if it is limited to teams.",
);
const teams = reachable.describe(
  "The teams to which it is limited, with the agents; null for no limit, or if it is limited to agents.",
);

/** The body of POST /console/api/keys. */
export const keyInput = z.strictObject({
  label,
  kind: z.enum(KEY_KINDS).describe("The API that it gives access to."),
  scopes: z
    .array(z.enum(KEY_SCOPES))
    .min(1)
    .default([...KEY_SCOPES])
    .transform((scopes) => KEY_SCOPES.filter((scope) => scopes.includes(scope)))
    .describe("The scopes; without write, the key is read-only."),
  surfaces: surfaces.default(null),
  agents: agents.default(null),
  teams: teams.default(null),
  networks: allowedNetworks.default(null),
  expires_at: givenTime.nullable().default(null).describe("The expiry, in the future; null for none."),
  service_account_id: givenId
    .nullable()
    .default(null)
    .describe("The service account that it belongs to; null: it is yours, and ends when you leave the workspace."),
});

/** The body of PATCH /console/api/keys/{id}. */
export const keyPatch = z.strictObject({
  label: label.optional(),
  surfaces: surfaces.optional(),
  agents: agents.optional(),
  teams: teams.optional(),
  networks: allowedNetworks.optional(),
});

/** The body of POST /console/api/keys/{id}/rotate. */
export const rotation = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(MAX_OVERLAP_SECONDS)
    .default(DEFAULT_OVERLAP_SECONDS)
    .describe("How long the old key stays valid, in seconds; 0 revokes it immediately."),
});

/** A key with its secret text, which is shown only once. */
export type ShownKey = KeyRecord & { readonly key: string };

/** Lists the workspace's keys, newest first, without their secret texts. */
export function listKeys(workspace: Workspace, page: KeysPage): Promise<RowPage<KeyRecord>> {
  return rows.listKeys(workspace, page);
}

/**
 * Creates a key in the caller's name, or of a service account. Its rights are theirs, limited to its scopes.
 * @throws AppError `forbidden` for a scope that the caller does not have, and a service account with more rights;
 * `not_found` for an unknown one; `bad_request` for an expiry in the past, a surface
 * that its kind does not open, and an agent or team that the workspace does not have.
 */
export async function createKey(workspace: Workspace, input: z.output<typeof keyInput>): Promise<ShownKey> {
  assertHasScopes(workspace.who, input.scopes);
  const expiresAt = input.expires_at === null ? null : new Date(input.expires_at);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    const details = [{ path: "expires_at", message: "must be in the future" }];
    throw new AppError("bad_request", "Invalid body: expires_at: must be in the future", { details });
  }
  checkSurfaces(input.kind, input.surfaces);
  const key = generateKey(input.kind);
  return workspace.transaction(async (tx) => {
    await checkReach(tx, input);
    const account =
      input.service_account_id === null ? null : await manageable(tx, workspace, input.service_account_id);
    const id = newId();
    await insertKey(tx, {
      id,
      workspaceId: workspace.who.workspaceId,
      createdBy: account?.id ?? workspace.who.userId,
      kind: input.kind,
      label: input.label,
      keyHash: hashKey(key),
      prefix: displayPrefix(key),
      scopes: input.scopes,
      expiresAt,
      limits: input,
    });
    return { ...(await read(tx, id)), key };
  });
}

/**
 * Changes a key's label and limits, immediately and in every process. Streams that it opened with another reach end.
 * @throws AppError `not_found`; `bad_request` as {@link createKey}.
 */
export async function changeKey(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: z.output<typeof keyPatch> },
): Promise<KeyRecord> {
  const { changed, keyHash } = await workspace.transaction(async (tx) => {
    const { kind, keyHash } = orNotFound("Key")(await rows.identifyKey(tx, id));
    checkSurfaces(kind, patch.surfaces ?? null);
    await checkReach(tx, patch);
    return { changed: orNotFound("Key")(await rows.changeKey(tx, id, patch)), keyHash };
  });
  workspace.keys.evict(keyHash);
  return changed;
}

/** Revokes a key, immediately and in every process. @throws AppError `not_found`. */
export async function revokeKey(workspace: Workspace, id: string): Promise<void> {
  const hash = orNotFound("Key")(await workspace.transaction((tx) => rows.deleteKey(tx, id)));
  workspace.keys.evict(hash);
}

/**
 * Creates a key that replaces another, with the same label, kind and scopes, in the caller's name or, for a key of a
 * service account, in the account's. The old key stays
 * valid until the overlap ends, but not beyond its own expiry.
 * @throws AppError `not_found`; `forbidden` when the key has a scope that the caller lacks; `conflict` when it was  
 * replaced already or has expired, and when it is a connected app's.
 */
export async function rotateKey(
  workspace: Workspace,
  { id: oldId, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number },
): Promise<ShownKey> {
  const { old, shown } = await workspace.transaction(async (tx) => {
    const old = orNotFound("Key")(await rows.identifyKey(tx, oldId));
    if (old.app !== null) throw new AppError("conflict", "A connected app renews its tokens itself.");
    const { scopes, service_account_id: accountId } = await read(tx, oldId);
    assertHasScopes(workspace.who, scopes);
    if (accountId !== null) await manageable(tx, workspace, accountId);
    const key = generateKey(old.kind);
    const made = { id: newId(), createdBy: workspace.who.userId, keyHash: hashKey(key), prefix: displayPrefix(key) };
    const record = await rows.rotateKey(tx, { oldId, overlapSeconds, ...made });
    if (record === undefined) throw new AppError("conflict", "This key was already replaced or has expired.");
    return { old, shown: { ...record, key } };
  });
  workspace.keys.evict(old.keyHash);
  return shown;
}

function checkSurfaces(kind: KeyKind, wanted: readonly Surface[] | null): void {
  const opened = surfacesOf(kind);
  const others = wanted?.filter((surface) => !opened.includes(surface)) ?? [];
  if (others.length === 0) return;
  const message = `a key of the kind ${kind} opens ${opened.join(", ")}, not ${others.join(", ")}`;
  throw invalid("body", [{ path: "surfaces", message }]);
}

/** Checks that the workspace has these agents and teams. @throws AppError `bad_request`. */
export async function checkReach(tx: Transaction, limits: KeyLimits): Promise<void> {
  const unknown = await rows.findUnknownReach(tx, limits);
  if (unknown.length === 0) return;
  throw invalid(
    "body",
    unknown.map(({ field, id }) => ({ path: field, message: `the workspace has none with the id ${id}` })),
  );
}

/** A key cannot have a scope that its creator lacks. */
function assertHasScopes(who: Principal, scopes: readonly KeyScope[]): void {
  const lacking = scopes.filter((scope) => !who.scopes.includes(scope));
  if (lacking.length > 0)
    throw new AppError("forbidden", `You cannot grant a scope that you do not have: ${lacking.join(", ")}.`);
}

async function read(tx: Transaction, id: string): Promise<KeyRecord> {
  return orNotFound("Key")(await rows.readKey(tx, id));
}
