import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";
import { invitationInput, invite, listInvitations, withdrawInvitation } from "#operations/accounts/invitations.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { pageQuery, readPage } from "../shape/page-query.ts";
import { respondRows, respondValue } from "../shape/respond.ts";
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readBody } from "../../middleware/read-body.ts";
import { originOf } from "../../middleware/origin.ts";

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
  .strictObject({ ...invitationFields, token: z.string(), link: z.url() })
  .meta({ id: "ShownInvitation" });

/** Adds /console/api/invitations: the open invitations of the workspace. */
export default function addInvitations(api: Api): void {
  addPath(api, PATH, {
    tag: "Members",
    endpoints: [
      {
        method: "get",
        operationId: "listInvitations",
        summary: "List the open invitations, newest first; their links are never shown",
        success: { status: 200, schema: z.array(invitationRecord) },
        query: pageQuery,
        handle: async (c, services) => respondRows(c, await listInvitations(services, c.get("principal"), readPage(c))),
      },
      {
        method: "post",
        operationId: "createInvitation",
        needs: "admin",
        summary: "Invite a person by a one-time link, valid for seven days; only this response contains it",
        body: invitationInput,
        success: { status: 201, schema: shownInvitation },
        handle: create,
      },
    ],
  });
  addPath(api, `${PATH}/{id}`, {
    tag: "Members",
    endpoints: [
      {
        method: "delete",
        operationId: "deleteInvitation",
        needs: "admin",
        summary: "Withdraw an invitation",
        params: idQuery,
        success: { status: 204 },
        handle: withdraw,
      },
    ],
  });
}

async function create(c: HttpContext, services: HttpServices): Promise<Response> {
  const made = await invite(services, c.get("principal"), await readBody(c, invitationInput));
  const origin = originOf(c, services);
  return respondValue(c, { ...made, link: `${origin}/auth/invitations?token=${made.token}` }, 201);
}

async function withdraw(c: HttpContext, services: HttpServices): Promise<Response> {
  await withdrawInvitation(services, c.get("principal"), readId(c));
  return c.body(null, 204);
}
