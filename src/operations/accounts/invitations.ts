import { z } from "zod";
import { generateToken, hashKey } from "#domain/access/api-key.ts";
import { AppError, notFound } from "#domain/errors.ts";
import { checkInvitation } from "#domain/access/membership.ts";
import { ROLES } from "#domain/access/role.ts";
import * as rows from "#db/queries/accounts/invitations.ts";
import type { InvitationRecord } from "#db/queries/accounts/invitations.ts";
import type { PageRequest, RowPage } from "#db/queries/row-pages.ts";
import { queueInvitationMail } from "#db/queries/accounts/personal-mails.ts";
import { newId } from "#lib/ids.ts";
import type { Workspace } from "../workspace.ts";

const GOOD_FOR_DAYS = 7;

/** The body of POST /console/api/invitations. */
export const invitationInput = z.strictObject({
  email: z.email().max(254).describe("The e-mail address to invite."),
  role: z.enum(ROLES).describe("The person's role; not above your own."),
});

/** An invitation with its token, which is shown only once. */
export type ShownInvitation = InvitationRecord & {
  readonly token: string;
  /** Whether the person gets a mail with a link of its own. */
  readonly mailed: boolean;
};

/** Lists the workspace's open invitations, newest first, without their tokens. */
export function listInvitations(workspace: Workspace, page: PageRequest): Promise<RowPage<InvitationRecord>> {
  return rows.listInvitations(workspace, page);
}

/**
 * Invites a person by a one-time token, valid for seven days. It replaces an earlier invitation to the same address.
 * @throws AppError `forbidden` for a role above the caller's; `conflict` when the person is a member.
 */
export async function invite(
  workspace: Workspace,
  { email, role }: z.output<typeof invitationInput>,
): Promise<ShownInvitation> {
  checkInvitation(workspace.who.role, role);
  const token = generateToken();
  const { workspaceId, userId: invitedBy } = workspace.who;
  const made = await workspace.transaction(async (tx) => {
    if (await rows.isMember(tx, workspaceId, email)) {
      throw new AppError("conflict", `${email} is already a member of this workspace.`);
    }
    const invitation = { id: newId(), workspaceId, email, role, invitedBy, days: GOOD_FOR_DAYS };
    const saved = await rows.saveInvitation(tx, { ...invitation, tokenHash: hashKey(token) });
    if (workspace.sendsMail) await queueInvitationMail(tx, invitation.id);
    return saved;
  });
  if (made === undefined) throw new Error("Storing an invitation must return its record.");
  return { ...made, token, mailed: workspace.sendsMail };
}

/** Withdraws an invitation. @throws AppError `not_found`. */
export async function withdrawInvitation(workspace: Workspace, id: string): Promise<void> {
  const withdrawn = await workspace.transaction((tx) => rows.deleteInvitation(tx, id));
  if (!withdrawn) throw notFound("Invitation");
}
