import { AppError } from "../errors.ts";

/** The roles of members, from fewest to most rights. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;

/**
 * One of {@link ROLES}. A viewer reads; a member also defines agents and teams and runs work; an admin also manages
 * keys, members and the workspace; an owner also manages owners.
 */
export type Role = (typeof ROLES)[number];

/** The workspace and the rights with which the database is accessed. */
export interface Tenant {
  readonly workspaceId: string;
  readonly role: Role;
  /** The acting person, for the audit log; absent for the service itself. */
  readonly userId?: string;
  /** The API key of the person, for the audit log. */
  readonly keyId?: string | null;
  /** The agents and teams, by id, to which the key is limited; absent without a limit. */
  readonly reach?: readonly string[] | undefined;
  /** The `traceparent` of the request, for the runs that it creates. */
  readonly traceparent?: string | undefined;
}

/** Returns the service itself as the actor in a workspace, as when the engine runs a task. */
export function serviceIn(workspaceId: string): Tenant {
  return { workspaceId, role: "member" };
}

/** True if a role includes the rights of another. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Checks that a role includes the needed one. @throws AppError `forbidden` naming both roles. */
export function requireRole({ role }: { readonly role: Role }, needed: Role): void {
  if (includesRole(role, needed)) return;
  throw new AppError("forbidden", `This needs the role ${needed}; yours here is ${role}.`);
}
