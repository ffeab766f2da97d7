import { roleOfGroups } from "#domain/accounts/group-rules.ts";
import type { GroupRule } from "#domain/accounts/group-rules.ts";
import type { Role } from "#domain/access/role.ts";
import type { Transaction } from "#db/database.ts";
import { findMappedWorkspaces, insertGroupMember } from "#db/queries/accounts/group-members.ts";
import type { MappedWorkspace } from "#db/queries/accounts/group-members.ts";
import { changeMember, deleteMember, lockMembers } from "#db/queries/accounts/members.ts";

/**
 * Makes a person's memberships in the workspaces of the rules those that their groups give, and ends those that groups
 * gave where no rule is left. Memberships by invitation or by hand stay as they are, and a workspace keeps its last owner.
 */
export async function followGroups(
  tx: Transaction,
  userId: string,
  { rules, groups }: { readonly rules: readonly GroupRule[]; readonly groups: readonly string[] },
): Promise<void> {
  if (rules.length === 0) return;
  const names = [...new Set(rules.map(({ workspace }) => workspace))];
  for (const workspace of await findMappedWorkspaces(tx, names, userId)) {
    const own = rules.filter((rule) => workspace.names.includes(rule.workspace));
    await followIn(tx, userId, { workspace, role: roleOfGroups(own, groups) });
  }
}

async function followIn(
  tx: Transaction,
  userId: string,
  { workspace, role }: { readonly workspace: MappedWorkspace; readonly role: Role | undefined },
): Promise<void> {
  const { workspaceId, role: before, isFromGroups } = workspace;
  if (before === null) {
    if (role !== undefined) await insertGroupMember(tx, { workspaceId, userId, role });
    return;
  }
  if (!isFromGroups || before === role) return;
  const owners = (await lockMembers(tx, workspaceId, [])).filter(({ isPerson }) => isPerson);
  if (owners.length === 1 && owners[0]?.userId === userId) return;
  if (role === undefined) await deleteMember(tx, { workspaceId, userId });
  else await changeMember(tx, { workspaceId, userId }, { role });
}
