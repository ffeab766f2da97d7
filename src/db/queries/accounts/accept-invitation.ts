import type { Role } from "#domain/access/role.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const FIND = statement({
  name: "find-invitation",
  text: `
    select i.workspace_id as "workspaceId", w.name as "workspaceName", i.email, i.role, m.role as "inviterRole",
      u.id is not null as "hasAccount",
      m.role = 'owner' and w.id = (select id from workspaces order by created_at, id limit 1) as "isOperators"
    from invitations i
    join workspaces w on w.id = i.workspace_id
    join members m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
    left join users u on lower(u.email) = lower(i.email) and u.email_proved
    where (i.token_hash = $1 or i.mail_token_hash = $1) and i.expires_at > now()`,
});

/** An open invitation. */
export interface OpenInvitation {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly email: string;
  readonly role: Role;
  /** The current role of its creator. */
  readonly inviterRole: Role;
  /** Whether a verified account has the address. */
  readonly hasAccount: boolean;
  /** Whether an owner of the instance's first workspace created it. */
  readonly isOperators: boolean;
}

/** Finds an invitation by the SHA-256 of its token; undefined when it was used, has expired or does not exist. */
export async function findInvitation(db: Database, tokenHash: string): Promise<OpenInvitation | undefined> {
  const [row] = await db.query<OpenInvitation>(FIND, [tokenHash]);
  return row;
}

const COUNT_ATTEMPT = statement({
  name: "count-invitation-attempt",
  text: `
    update invitations set failed_attempts = failed_attempts + 1
    where (token_hash = $1 or mail_token_hash = $1) and failed_attempts < $2 returning id`,
});

/** Counts an attempt to accept with a password, before the password is checked; false after too many attempts. */
export async function countAttempt(db: Database, tokenHash: string, limit: number): Promise<boolean> {
  return (await db.query(COUNT_ATTEMPT, [tokenHash, limit])).length === 1;
}

const USE_UP = statement({
  name: "use-up-invitation",
  text: `delete from invitations where (token_hash = $1 or mail_token_hash = $1) and expires_at > now() returning id`,
});

/** Uses up an invitation; of two concurrent requests only one gets true. */
export async function useUpInvitation(tx: Transaction, tokenHash: string): Promise<boolean> {
  return (await tx.query(USE_UP, [tokenHash])).length === 1;
}

const INSERT_MEMBER = statement({
  name: "insert-member",
  text: `
    insert into members (workspace_id, user_id, role) values ($1, $2, $3)
    on conflict (workspace_id, user_id) do update set role = members.role returning role`,
});

/** Adds a member, unless the person is one already; returns the person's resulting role. */
export async function insertMember(
  tx: Transaction,
  member: { readonly workspaceId: string; readonly userId: string; readonly role: Role },
): Promise<Role | undefined> {
  const { workspaceId, userId, role } = member;
  const [row] = await tx.query<{ role: Role }>(INSERT_MEMBER, [workspaceId, userId, role]);
  return row?.role;
}
