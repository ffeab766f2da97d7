import { AppError } from "../errors.ts";
import { includesRole } from "./role.ts";
import type { Role } from "./role.ts";

/** A person in a workspace. */
export interface Membership {
  readonly userId: string;
  readonly role: Role;
}

/** What is to become of a member. */
export interface MembershipChange {
  /** Who wants it. */
  readonly actor: Membership;
  /** Whose membership changes. */
  readonly member: Membership;
  /** The new role; null when the person is to be a member no more. */
  readonly becomes: Role | null;
  /** How many owners the workspace has now. */
  readonly owners: number;
}

/**
 * Who may change whose membership: an admin that of everybody but owners, an owner that of everybody;
 * only an owner makes owners; everybody may leave. A workspace keeps an owner.
 * @throws AppError `forbidden` when it is not the actor's to change; `conflict` when no owner would be left.
 */
export function checkMembershipChange({ actor, member, becomes, owners }: MembershipChange): void {
  const leaves = becomes === null && actor.userId === member.userId;
  if (!leaves && !mayGive(actor.role, member.role)) throw refused(actor.role, member.role);
  if (becomes !== null && !mayGive(actor.role, becomes)) throw refused(actor.role, becomes);
  if (member.role === "owner" && becomes !== "owner" && owners <= 1) {
    throw new AppError("conflict", "This is the workspace's last owner. Make somebody else an owner first.");
  }
}

/** Whether somebody of a role may give people another one, and take it away: admins do so up to their own. */
export function mayGive(actor: Role, role: Role): boolean {
  return includesRole(actor, "admin") && includesRole(actor, role);
}

/** Lets pass who may invite people to a role. @throws AppError `forbidden`. */
export function checkInvitation(actor: Role, role: Role): void {
  if (!mayGive(actor, role)) throw refused(actor, role);
}

function refused(actor: Role, role: Role): AppError {
  const needed = role === "owner" ? "owner" : "admin";
  return new AppError("forbidden", `Only an ${needed} decides who is ${role}; your role here is ${actor}.`);
}
