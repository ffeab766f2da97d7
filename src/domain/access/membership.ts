import { AppError } from "../errors.ts";
import { includesRole } from "./role.ts";
import type { Role } from "./role.ts";

/** A person in a workspace. */
export interface Membership {
  readonly userId: string;
  readonly role: Role;
}

/** A change of a membership. */
export interface MembershipChange {
  /** The person who makes the change. */
  readonly actor: Membership;
  /** The member who is changed. */
  readonly member: Membership;
  /** The new role; null to remove the member. */
  readonly becomes: Role | null;
  /** The current number of owners of the workspace. */
  readonly owners: number;
}

/**
 * Checks a change of a membership. An admin may change everyone except owners, an owner may change everyone. Only an
 * owner creates owners; everyone may leave. A workspace keeps an owner.
 * @throws AppError `forbidden` when the actor lacks the right; `conflict` when no owner would remain.
 */
export function checkMembershipChange({ actor, member, becomes, owners }: MembershipChange): void {
  const leaves = becomes === null && actor.userId === member.userId;
  if (!leaves && !canGrant(actor.role, member.role)) throw forbiddenRole(actor.role, member.role);
  if (becomes !== null && !canGrant(actor.role, becomes)) throw forbiddenRole(actor.role, becomes);
  if (member.role === "owner" && becomes !== "owner" && owners <= 1) {
    throw new AppError("conflict", "This is the workspace's last owner. Make another member an owner first.");
  }
}

/** True if a member with one role may give or take another: admins may, up to their own role. */
export function canGrant(actor: Role, role: Role): boolean {
  return includesRole(actor, "admin") && includesRole(actor, role);
}

/** Checks that the caller may invite people to a role. @throws AppError `forbidden`. */
export function checkInvitation(actor: Role, role: Role): void {
  if (!canGrant(actor, role)) throw forbiddenRole(actor, role);
}

function forbiddenRole(actor: Role, role: Role): AppError {
  const needed = role === "owner" ? "owner" : "admin";
  return new AppError("forbidden", `Only an ${needed} can grant or revoke the role ${role}; your role is ${actor}.`);
}
