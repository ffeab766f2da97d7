import type { Role } from "#domain/access/role.ts";
import type { Transaction } from "../../database.ts";
import { isUuid } from "#lib/ids.ts";
import { statement } from "../../statement.ts";

const FIND = statement({
  name: "find-mapped-workspaces",
  text: `
    select given.name, w.id as "workspaceId", m.role, coalesce(m.from_groups, false) as "isFromGroups"
    from unnest($1::text[], $3::uuid[]) as given (name, id)
    join workspaces w on (w.slug = given.name or w.id = given.id) and w.deleted_at is null
    left join members m on m.workspace_id = w.id and m.user_id = $2
    order by w.id`,
});

/** A workspace that rules name, and a person's membership there. */
export interface MappedWorkspace {
  /** Its name in the rules. */
  readonly name: string;
  readonly workspaceId: string;
  /** Null without a membership. */
  readonly role: Role | null;
  /** Whether the membership follows the groups. */
  readonly isFromGroups: boolean;
}

/** Finds workspaces by slug or id, with a person's membership in each; leaves out those that do not exist. */
export async function findMappedWorkspaces(
  tx: Pick<Transaction, "query">,
  names: readonly string[],
  userId: string,
): Promise<MappedWorkspace[]> {
  return tx.query<MappedWorkspace>(FIND, [names, userId, names.map((name) => (isUuid(name) ? name : null))]);
}

const INSERT = statement({
  name: "insert-group-member",
  text: `
    insert into members (workspace_id, user_id, role, from_groups) values ($1, $2, $3, true)
    on conflict (workspace_id, user_id) do nothing`,
});

/** Adds a member who follows the groups, unless the person is a member already. */
export async function insertGroupMember(
  tx: Transaction,
  member: { readonly workspaceId: string; readonly userId: string; readonly role: Role },
): Promise<void> {
  await tx.query(INSERT, [member.workspaceId, member.userId, member.role]);
}
