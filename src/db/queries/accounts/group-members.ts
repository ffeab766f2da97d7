import type { Role } from "#domain/access/role.ts";
import type { Transaction } from "../../database.ts";
import { isUuid } from "#lib/ids.ts";
import { statement } from "../../statement.ts";

const FIND = statement({
  name: "find-mapped-workspaces",
  text: `
    with named as (
      select given.name, coalesce(s.workspace_id, given.id) as id
      from unnest($1::text[], $3::uuid[]) as given (name, id) left join workspace_slugs s on s.slug = given.name
    ), mapped as (
      select id from named union select workspace_id from members where user_id = $2 and from_groups
    )
    select w.id as "workspaceId", m.role, coalesce(m.from_groups, false) as "isFromGroups",
      array(select name from named where named.id = w.id) as names
    from mapped join workspaces w on w.id = mapped.id and w.deleted_at is null
    left join members m on m.workspace_id = w.id and m.user_id = $2
    order by w.id`,
});

/** A workspace that rules name, or in which groups have made a person a member, and the membership. */
export interface MappedWorkspace {
  readonly workspaceId: string;
  /** What the rules call it: slugs, also former ones, and its id. None: groups gave the membership earlier. */
  readonly names: readonly string[];
  /** Null without a membership. */
  readonly role: Role | null;
  /** Whether the membership follows the groups. */
  readonly isFromGroups: boolean;
}

/** Finds workspaces by slugs or ids, and those in which groups have made a person a member, each with the membership. */
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
