import type { Role } from "#domain/access/role.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";
import { FIRST_ID, pageOf, pageValues } from "../row-pages.ts";
import type { PageRequest, RowPage } from "../row-pages.ts";

const RECORD = `id, email, role, invited_by, iso(expires_at) as expires_at, iso(created_at) as created_at`;

/** An open invitation as lists show it, without its token. Times are ISO 8601. */
export interface InvitationRecord {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
  readonly created_at: string;
}

const LIST = statement({
  name: "list-invitations",
  text: `
    select ${RECORD} from invitations
    where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, coalesce($3::uuid, ${FIRST_ID})))
    order by created_at desc, id desc limit $4::integer + 1`,
});

/** Lists a workspace's open invitations, newest first. */
export async function listInvitations(db: WorkspaceDatabase, page: PageRequest): Promise<RowPage<InvitationRecord>> {
  const values = [db.who.workspaceId, ...pageValues(page)];
  const rows = await db.query<InvitationRecord>(LIST, values);
  return pageOf(rows, page.limit, ({ id }) => id);
}

const IS_MEMBER = statement({
  name: "is-member-by-email",
  text: `
    select m.user_id from users u join members m on m.user_id = u.id
    where lower(u.email) = lower($1) and m.workspace_id = $2`,
});

/** Whether a person with this address is a member of the workspace. */
export async function isMember(tx: Transaction, workspaceId: string, email: string): Promise<boolean> {
  return (await tx.query(IS_MEMBER, [email, workspaceId])).length === 1;
}

const SAVE = statement({
  name: "save-invitation",
  text: `
    insert into invitations (id, workspace_id, email, role, token_hash, invited_by, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7))
    on conflict (workspace_id, lower(email)) do update set id = $1, role = $4, token_hash = $5, mail_token_hash = null, invited_by = $6,
      expires_at = now() + make_interval(days => $7), created_at = clock_timestamp()
    returning ${RECORD}`,
});

/** An invitation to store, without its token. */
export interface NewInvitation {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
  readonly tokenHash: string;
  readonly invitedBy: string;
  readonly days: number;
}

/** Stores an invitation, replacing an earlier one to the same address. */
export async function saveInvitation(
  tx: Transaction,
  invitation: NewInvitation,
): Promise<InvitationRecord | undefined> {
  const { id, workspaceId, email, role, tokenHash, invitedBy, days } = invitation;
  const values = [id, workspaceId, email, role, tokenHash, invitedBy, days];
  const [row] = await tx.query<InvitationRecord>(SAVE, values);
  return row;
}

const DELETE = statement({ name: "delete-invitation", text: `delete from invitations where id = $1 returning id` });

/** Revokes an invitation; returns whether the workspace had it. */
export async function deleteInvitation(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length === 1;
}
