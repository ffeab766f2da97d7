import type { Role } from "../../api/use-session.ts";

/** The roles, from least to most. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;

/** Those that a service account can have. */
export const GIVEN_ROLES = ["viewer", "member", "admin"] as const satisfies readonly Role[];

/** What each is called. */
export const ROLE_NAMES = {
  viewer: "Viewer",
  member: "Member",
  admin: "Admin",
  owner: "Owner",
} as const satisfies Record<Role, string>;

/** What each may do. */
export const ROLE_LABELS = {
  viewer: "Viewer: reads",
  member: "Member: builds and runs",
  admin: "Admin: manages people, keys, budgets",
  owner: "Owner: everything",
} as const satisfies Record<Role, string>;
