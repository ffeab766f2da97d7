import { z } from "zod";
import { ROLES, includesRole } from "../access/role.ts";
import type { Role } from "../access/role.ts";

/** A group of the provider, and the role that it gives in a workspace. */
export const groupRules = z
  .array(
    z.strictObject({
      group: z.string().min(1).max(500),
      workspace: z.string().min(1).max(200).describe("Its slug or id."),
      role: z.enum(ROLES),
    }),
  )
  .max(1_000)
  .superRefine((rules, context) => {
    for (const workspace of workspacesWithoutOwner(rules)) {
      context.addIssue({
        code: "custom",
        message: `gives nobody the role owner in ${workspace}: add a rule with it, so that nobody is locked out`,
      });
    }
  });

/** A group of the provider, and the role that it gives in a workspace. */
export type GroupRule = z.output<typeof groupRules>[number];

/** The highest role that some groups give, by the workspace of the rules; undefined where they give none. */
export function rolesOfGroups(
  rules: readonly GroupRule[],
  groups: readonly string[],
): ReadonlyMap<string, Role | undefined> {
  const roles = new Map<string, Role | undefined>();
  for (const { group, workspace, role } of rules) {
    const before = roles.get(workspace);
    const given = groups.includes(group) ? role : undefined;
    const isHigher = before === undefined || (given !== undefined && includesRole(given, before));
    roles.set(workspace, isHigher ? given : before);
  }
  return roles;
}

function workspacesWithoutOwner(rules: readonly GroupRule[]): readonly string[] {
  const owned = new Set(rules.filter(({ role }) => role === "owner").map(({ workspace }) => workspace));
  return [...new Set(rules.map(({ workspace }) => workspace))].filter((workspace) => !owned.has(workspace));
}
