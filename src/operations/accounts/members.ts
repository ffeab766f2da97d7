import { z } from "zod";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { canGrant, checkMembershipChange } from "#domain/access/membership.ts";
import type { MembershipChange } from "#domain/access/membership.ts";
import type { Principal } from "#domain/access/principal.ts";
import { ROLES, requireRole } from "#domain/access/role.ts";
import type { Role, Tenant } from "#domain/access/role.ts";
import type { Transaction } from "#db/database.ts";
import * as rows from "#db/queries/accounts/members.ts";
import type { MemberRecord } from "#db/queries/accounts/members.ts";
import type { SearchedPage, RowPage } from "#db/queries/row-pages.ts";
import type { Workspace } from "../workspace.ts";

/** The body of PATCH /console/api/members/{userId}. */
export const memberPatch = z
  .strictObject({
    role: z.enum(ROLES).optional().describe("The person's role in the workspace."),
    can_answer: z.boolean().optional().describe("Whether the person may answer questions even as a viewer."),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: "set role or can_answer",
  });

/** Lists the people of the workspace, the earliest first. */
export function listMembers(workspace: Workspace, page: SearchedPage): Promise<RowPage<MemberRecord>> {
  return rows.listMembers(workspace, page);
}

/**
 * Changes a member's role or right to answer. It applies immediately, a role also to the person's keys.
 * @throws AppError `not_found`; `forbidden` and `conflict` as {@link checkMembershipChange} decides.
 */
export async function changeMember(
  workspace: Workspace,
  { userId, ...change }: z.output<typeof memberPatch> & { readonly userId: string },
): Promise<MemberRecord> {
  requireRole(workspace.who, "admin");
  const changed = await workspace.transaction(async (tx) => {
    if (change.role !== undefined) await checkChange(tx, workspace.who, { userId, becomes: change.role });
    return rows.changeMember(tx, { workspaceId: workspace.who.workspaceId, userId }, change);
  });
  if (changed === undefined) throw notFound("Member");
  workspace.keys.invalidateAll();
  return changed;
}

/**
 * Removes a member, possibly the caller; the person's keys of this workspace are revoked immediately.
 * @throws AppError `not_found`; `forbidden` and `conflict` as {@link checkMembershipChange} decides.
 */
export async function removeMember(workspace: Workspace, userId: string): Promise<void> {
  // Every member may leave, which the database policy does not know: after the check, it runs with an admin's rights.
  const { workspaceId, userId: actorId, keyId } = workspace.who;
  const admin: Tenant = { workspaceId, role: "admin", userId: actorId, keyId };
  await workspace.db.inWorkspace(admin).transaction(async (tx) => {
    await checkChange(tx, workspace.who, { userId, becomes: null });
    await rows.deleteMember(tx, { workspaceId: workspace.who.workspaceId, userId });
  });
  workspace.keys.invalidateAll();
}

/**
 * Ends all sessions of a member: their pages and access tokens stop working immediately. Keys stay.
 * @throws AppError `not_found`; `forbidden` for a member whose role the caller may not change.
 */
export async function endMemberSessions(workspace: Workspace, userId: string): Promise<void> {
  requireRole(workspace.who, "admin");
  await workspace.transaction(async (tx) => {
    const { actor, member } = await lockPair(tx, workspace.who, userId);
    if (!canGrant(actor.role, member.role)) {
      throw new AppError("forbidden", `Only an owner can end the sessions of an owner; your role is ${actor.role}.`);
    }
    await rows.endMemberSessions(tx, userId);
  });
}

/** Both roles are read under the lock: the caller's own may have changed since the request arrived. */
async function checkChange(
  tx: Transaction,
  who: Principal,
  { userId, becomes }: { readonly userId: string; readonly becomes: Role | null },
): Promise<void> {
  checkMembershipChange({ ...(await lockPair(tx, who, userId)), becomes });
}

async function lockPair(tx: Transaction, who: Principal, userId: string): Promise<Omit<MembershipChange, "becomes">> {
  const members = await rows.lockMembers(tx, who.workspaceId, [who.userId, userId]);
  const people = members.filter(({ isPerson }) => isPerson);
  const member = orNotFound("Member")(people.find((one) => one.userId === userId));
  const actor = members.find((one) => one.userId === who.userId) ?? { userId: who.userId, role: "viewer" };
  return { actor, member, owners: people.filter(({ role }) => role === "owner").length };
}
