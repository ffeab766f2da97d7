/** The roles, from least to most. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;

/** What each may do. */
export const ROLE_LABELS = {
  viewer: "Viewer: reads",
  member: "Member: builds and runs",
  admin: "Admin: manages people, keys, budgets",
  owner: "Owner: everything",
} as const;
