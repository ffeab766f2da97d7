import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";
import { invitationInput, invite, listInvitations, withdrawInvitation } from "#operations/accounts/invitations.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respondRows, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { originOf } from "../../middleware/origin.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/invitations";

const invitationFields = {
  id: z.uuid(),
  email: z.string(),
  role: z.enum(ROLES),
  invited_by: z.uuid(),
  expires_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
};
const invitationRecord = z.strictObject(invitationFields).meta({ id: "Invitation" });
const shownInvitation = z
  .strictObject({
    ...invitationFields,
    token: z.string(),
    link: z.url(),
    mailed: z.boolean().describe("Whether the person gets a mail with a link of its own."),
  })
  .meta({ id: "ShownInvitation" });

/** Adds /console/api/invitations: the open invitations of the workspace. */
export default function addInvitations(api: Api): void {
  addPath(api, PATH, { tag: "Members", endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: "Members", endpoints: [remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listInvitations",
  summary: "List the open invitations, newest first; their links are never shown",
  success: { status: 200, schema: z.array(invitationRecord) },
  query: pageQuery,
  handle: async ({ c, workspace, query }) => respondRows(c, await listInvitations(workspace, pageOf(query))),
});

const create = endpoint({
  method: "post",
  operationId: "createInvitation",
  needs: "admin",
  summary: "Invite a person by a one-time link, valid for seven days; only this response contains it",
  body: invitationInput,
  success: { status: 201, schema: shownInvitation },
  async handle({ c, workspace, body }) {
    const made = await invite(workspace, body);
    const origin = originOf(c, workspace);
    return respondValue(c, { ...made, link: `${origin}/auth/invitations?token=${made.token}` }, 201);
  },
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteInvitation",
  needs: "admin",
  summary: "Withdraw an invitation",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => withdrawInvitation(workspace, params.id),
});
