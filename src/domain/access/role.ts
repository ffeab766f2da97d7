import { AppError } from "../errors.ts";

/** What members of a workspace may do, from least to most. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;

/**
 * One of {@link ROLES}. A viewer reads; a member also defines agents and teams and runs work; an
 * admin also manages keys, members and the workspace; an owner also decides who owns it.
 */
export type Role = (typeof ROLES)[number];

/** In whose workspace, and with which rights, the database is used. */
export interface Tenant {
  readonly workspaceId: string;
  readonly role: Role;
  /** The person who acts, for the record of who changed what; absent for the service itself. */
  readonly userId?: string;
  /** The API key that the person uses, for the same record. */
  readonly keyId?: string | null;
}

/** The service itself at work in a workspace, such as an engine that runs a task. */
export function serviceIn(workspaceId: string): Tenant {
  return { workspaceId, role: "member" };
}

/** Whether a role includes the rights of another. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Lets those pass whose role includes the needed one. @throws AppError `forbidden` naming both roles. */
export function requireRole({ role }: { readonly role: Role }, needed: Role): void {
  if (includesRole(role, needed)) return;
  throw new AppError("forbidden", `This needs the role ${needed}; yours here is ${role}.`);
}
