import type { Membership } from "#domain/access/membership.ts";
import type { Role } from "#domain/access/role.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";
import { LAST_ID, pageOf, pageValues } from "../row-pages.ts";
import type { SearchedPage, RowPage } from "../row-pages.ts";

const RECORD = `m.user_id, u.email, u.name, m.role, m.can_answer, iso(m.created_at) as created_at`;

/** A member as lists show it. */
export interface MemberRecord {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Whether the person may answer questions even as a viewer. */
  readonly can_answer: boolean;
  /** When the person joined, in ISO 8601. */
  readonly created_at: string;
}

const LIST = statement({
  name: "list-members",
  text: `
    select ${RECORD} from members m join users u on u.id = m.user_id
    where m.workspace_id = $1 and not exists (select from service_accounts s where s.id = m.user_id)
      and ($2::timestamptz is null or (m.created_at, m.user_id) > ($2, coalesce($3::uuid, ${LAST_ID})))
      and ($5::text is null or strpos(lower(u.name), lower($5)) > 0 or strpos(lower(u.email), lower($5)) > 0)
    order by m.created_at, m.user_id limit $4::integer + 1`,
});

/** Lists the people of a workspace, the longest-serving first. */
export async function listMembers(db: WorkspaceDatabase, page: SearchedPage): Promise<RowPage<MemberRecord>> {
  const values = [db.who.workspaceId, ...pageValues(page), page.q ?? null];
  const rows = await db.query<MemberRecord>(LIST, values);
  return pageOf(rows, page.limit, ({ user_id: id }) => id);
}

const LOCK = statement({
  name: "lock-workspace-members",
  text: `select id from workspaces where id = $1 for no key update`,
});
const OWNERS_AND = statement({
  name: "owners-and-some-members",
  text: `
    select user_id as "userId", role,
      not exists (select from service_accounts s where s.id = user_id) as "isPerson"
    from members where workspace_id = $1 and (role = 'owner' or user_id = any($2))`,
});

/** A member, or a service account. */
export interface LockedMember extends Membership {
  readonly isPerson: boolean;
}

/** Reads a workspace's owners and these members, and locks the membership list until the transaction ends. */
export async function lockMembers(
  tx: Transaction,
  workspaceId: string,
  userIds: readonly string[],
): Promise<LockedMember[]> {
  await tx.query(LOCK, [workspaceId]);
  // A separate statement, to see what was committed while waiting for the lock.
  return tx.query<LockedMember>(OWNERS_AND, [workspaceId, userIds]);
}

const CHANGE = statement({
  name: "change-member",
  text: `
    with changed as (
      update members set role = coalesce($3, role), can_answer = coalesce($4, can_answer)
      where workspace_id = $1 and user_id = $2 returning *
    )
    select ${RECORD} from changed m join users u on u.id = m.user_id`,
});

/** The membership to change. */
export interface MemberId {
  readonly workspaceId: string;
  readonly userId: string;
}

/** The changes to a membership; undefined fields stay. */
export interface MemberChange {
  readonly role?: Role | undefined;
  readonly can_answer?: boolean | undefined;
}

/** Changes a membership; undefined when there is no such member. */
export async function changeMember(
  tx: Transaction,
  { workspaceId, userId }: MemberId,
  { role, can_answer: canAnswer }: MemberChange,
): Promise<MemberRecord | undefined> {
  const values = [workspaceId, userId, role ?? null, canAnswer ?? null];
  const [row] = await tx.query<MemberRecord>(CHANGE, values);
  return row;
}

const END_SESSIONS = statement({
  name: "end-member-sessions",
  text: `select end_member_sessions($1) is null as done`,
});

/** Ends all sessions of a member of the workspace, also those in other workspaces, and records it. */
export async function endMemberSessions(tx: Transaction, userId: string): Promise<void> {
  await tx.query(END_SESSIONS, [userId]);
}

const DELETE = statement({
  name: "delete-member",
  text: `delete from members where workspace_id = $1 and user_id = $2`,
});

/** Ends a membership, with the person's keys and open invitations in this workspace. */
export async function deleteMember(tx: Transaction, { workspaceId, userId }: MemberId): Promise<void> {
  await tx.query(DELETE, [workspaceId, userId]);
}
