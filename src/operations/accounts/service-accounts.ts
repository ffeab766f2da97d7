import { z } from "zod";
import { canGrant, checkInvitation } from "#domain/access/membership.ts";
import { ROLES } from "#domain/access/role.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import { personName } from "#domain/display-name.ts";
import { allowedNetworks } from "#domain/access/networks.ts";
import type { Transaction } from "#db/database.ts";
import { changeMember } from "#db/queries/accounts/members.ts";
import * as rows from "#db/queries/accounts/service-accounts.ts";
import type { ServiceAccountRecord } from "#db/queries/accounts/service-accounts.ts";
import type { RowPage, SearchedPage } from "#db/queries/row-pages.ts";
import { newId } from "#lib/ids.ts";
import type { Workspace } from "../workspace.ts";

const name = personName().describe("What acts, such as a server or a pipeline.");
const role = z.enum(ROLES).exclude(["owner"]).describe("Its role in the workspace.");

/** The body of POST /console/api/service-accounts. */
export const serviceAccountInput = z.strictObject({
  name,
  role: role.default("member"),
  networks: allowedNetworks.default(null),
});

/** The body of PATCH /console/api/service-accounts/{id}. */
export const serviceAccountPatch = z.strictObject({
  name: name.optional(),
  role: role.optional(),
  networks: allowedNetworks.optional(),
});

/** Lists the workspace's service accounts, the earliest first. */
export function listServiceAccounts(workspace: Workspace, page: SearchedPage): Promise<RowPage<ServiceAccountRecord>> {
  return rows.listServiceAccounts(workspace, page);
}

/** Creates an account for programs. @throws AppError `forbidden` for a role that the caller may not give. */
export async function createServiceAccount(
  workspace: Workspace,
  input: z.output<typeof serviceAccountInput>,
): Promise<ServiceAccountRecord> {
  checkInvitation(workspace.who.role, input.role);
  const id = newId();
  return workspace.transaction(async (tx) => {
    await rows.createServiceAccount(tx, { id, workspaceId: workspace.who.workspaceId, ...input, client: null });
    if (input.networks !== null) await rows.changeServiceAccount(tx, id, { networks: input.networks });
    return orNotFound("Service account")(await rows.readServiceAccount(tx, id));
  });
}

/**
 * Changes an account's name, role or networks, immediately also for its keys.
 * @throws AppError `not_found`; `forbidden` for a role that the caller may not give or take; `conflict` for what the
 * settings decide.
 */
export async function changeServiceAccount(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: z.output<typeof serviceAccountPatch> },
): Promise<ServiceAccountRecord> {
  const changed = await workspace.transaction(async (tx) => {
    const { client } = await manageable(tx, workspace, id);
    if (client !== null && (patch.name ?? patch.role) !== undefined) {
      throw new AppError("conflict", `OIDC_CLIENTS decides the name and the role of the client ${client}.`);
    }
    if (patch.role !== undefined) {
      checkInvitation(workspace.who.role, patch.role);
      await changeMember(tx, { workspaceId: workspace.who.workspaceId, userId: id }, { role: patch.role });
    }
    await rows.changeServiceAccount(tx, id, patch);
    return orNotFound("Service account")(await rows.readServiceAccount(tx, id));
  });
  workspace.keys.invalidateAll();
  return changed;
}

/** Removes an account; its keys are revoked immediately. @throws AppError as {@link changeServiceAccount}. */
export async function removeServiceAccount(workspace: Workspace, id: string): Promise<void> {
  await workspace.transaction(async (tx) => {
    await manageable(tx, workspace, id);
    await rows.removeServiceAccount(tx, id);
  });
  workspace.keys.invalidateAll();
}

/**
 * Reads an account whose rights the caller may give, by managing it or its keys.
 * @throws AppError `not_found`; `forbidden` for an account with more rights than the caller.
 */
export async function manageable(tx: Transaction, { who }: Workspace, id: string): Promise<ServiceAccountRecord> {
  const account = orNotFound("Service account")(await rows.readServiceAccount(tx, id));
  if (canGrant(who.role, account.role)) return account;
  throw new AppError("forbidden", `This service account has the role ${account.role}; yours is ${who.role}.`);
}
