import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";
import { acceptInvitation, acceptInvitationBody, readInvitation } from "#operations/accounts/accept-invitation.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { clientOf } from "./client.ts";
import { tokenQuery } from "./records.ts";
import { endpoint } from "../api/shape/endpoint.ts";

const role = z.enum(ROLES);
const offerRecord = z
  .strictObject({
    workspace_name: z.string(),
    email: z.string(),
    role,
    has_account: z.boolean(),
    next: z.string(),
  })
  .meta({ id: "InvitationOffer" });
const joinedRecord = z
  .strictObject({
    workspace_id: z.uuid(),
    workspace_name: z.string(),
    user_id: z.uuid(),
    email: z.string(),
    role,
  })
  .meta({ id: "Joined" });

/** Adds /auth/invitations, the target of invitation links. */
export default function addInvitationLinks(api: Api): void {
  addPath(api, "/auth/invitations", { tag: "Accounts", endpoints: [show] });
  addPath(api, "/auth/invitations/accept", { tag: "Accounts", endpoints: [accept] });
}

const show = endpoint({
  method: "get",
  operationId: "checkInvitationLink",
  needs: "public",
  summary: "Read the invitation of a link",
  query: tokenQuery,
  success: { status: 200, schema: offerRecord },
  async handle({ c, services, query }) {
    const offer = await readInvitation(services, query.token);
    const next = "POST {token, password, name?} as JSON to /auth/invitations/accept to accept.";
    return respondValue(c, { ...offer, next });
  },
});

const accept = endpoint({
  method: "post",
  operationId: "acceptInvitation",
  needs: "public",
  summary: "Accept an invitation, once, with the account's password or with one for a new account",
  body: acceptInvitationBody,
  success: { status: 201, schema: joinedRecord },
  handle: async ({ c, services, body }) =>
    respondValue(c, await acceptInvitation(services, body, clientOf(c, services)), 201),
});
