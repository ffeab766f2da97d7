import type { Role } from "#domain/access/role.ts";
import type { Database, Transaction } from "../../database.ts";

const FIND = {
  name: "find-invitation",
  text: `
    select i.workspace_id as "workspaceId", w.name as "workspaceName", i.email, i.role, m.role as "inviterRole",
      u.id is not null as "hasAccount",
      w.id = (select id from workspaces order by created_at, id limit 1) as "isOperators"
    from invitations i
    join workspaces w on w.id = i.workspace_id
    join members m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
    left join users u on lower(u.email) = lower(i.email) and u.email_proved
    where i.token_hash = $1 and i.expires_at > now()`,
};

/** An open invitation. */
export interface OpenInvitation {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly email: string;
  readonly role: Role;
  /** The role that its maker has now. */
  readonly inviterRole: Role;
  /** Whether an account claims the address. */
  readonly hasAccount: boolean;
  /** Whether it is to the instance's first workspace. */
  readonly isOperators: boolean;
}

/** Finds an invitation by the SHA-256 of its token; undefined when it was used, has expired or never was. */
export async function findInvitation(db: Database, tokenHash: string): Promise<OpenInvitation | undefined> {
  const [row] = await db.query<OpenInvitation & Record<string, unknown>>(FIND, [tokenHash]);
  return row;
}

const COUNT_ATTEMPT = {
  name: "count-invitation-attempt",
  text: `
    update invitations set failed_attempts = failed_attempts + 1
    where token_hash = $1 and failed_attempts < $2 returning id`,
};

/** Counts an attempt to accept with a password, before it is known to be wrong; false when there were enough. */
export async function countAttempt(db: Database, tokenHash: string, limit: number): Promise<boolean> {
  return (await db.query(COUNT_ATTEMPT, [tokenHash, limit])).length === 1;
}

const USE_UP = {
  name: "use-up-invitation",
  text: `delete from invitations where token_hash = $1 and expires_at > now() returning id`,
};

/** Uses an invitation up; of two requests at once only one gets true. */
export async function useUpInvitation(tx: Transaction, tokenHash: string): Promise<boolean> {
  return (await tx.query(USE_UP, [tokenHash])).length === 1;
}

const INSERT_MEMBER = {
  name: "insert-member",
  text: `
    insert into members (workspace_id, user_id, role) values ($1, $2, $3)
    on conflict (workspace_id, user_id) do update set role = members.role returning role`,
};

/** Makes somebody a member, unless the person is one already; returns the role that the person has then. */
export async function insertMember(
  tx: Transaction,
  member: { readonly workspaceId: string; readonly userId: string; readonly role: Role },
): Promise<Role | undefined> {
  const { workspaceId, userId, role } = member;
  const [row] = await tx.query<{ role: Role }>(INSERT_MEMBER, [workspaceId, userId, role]);
  return row?.role;
}
