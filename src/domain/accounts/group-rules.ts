import { z } from "zod";
import { ROLES } from "../access/role.ts";
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

/** The highest role that the rules give to some groups; undefined where they give none. */
export function roleOfGroups(rules: readonly GroupRule[], groups: readonly string[]): Role | undefined {
  const given = new Set(rules.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  return ROLES.findLast((role) => given.has(role));
}

function workspacesWithoutOwner(rules: readonly GroupRule[]): readonly string[] {
  const owned = new Set(rules.filter(({ role }) => role === "owner").map(({ workspace }) => workspace));
  return [...new Set(rules.map(({ workspace }) => workspace))].filter((workspace) => !owned.has(workspace));
}
