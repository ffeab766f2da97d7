import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { ROLES } from "#domain/access/role.ts";
import { changeMember, listMembers, memberPatch, removeMember } from "#operations/accounts/members.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { pageQuery, readPage } from "../shape/page-query.ts";
import { respondRows, respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readBody, readParams } from "../../middleware/read-body.ts";

const PATH = "/console/api/members";
const userParam = z.object({ userId: givenId });

const memberRecord = z
  .strictObject({
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    can_answer: z.boolean().describe("Whether the person may answer questions even as a viewer."),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Member" });

/** Adds /console/api/members: the members and their roles. */
export default function addMembers(api: Api): void {
  addPath(api, PATH, {
    tag: "Members",
    endpoints: [
      {
        method: "get",
        operationId: "listMembers",
        summary: "List the workspace's members",
        success: { status: 200, schema: z.array(memberRecord) },
        query: pageQuery,
        handle: async (c, services) => respondRows(c, await listMembers(services, c.get("principal"), readPage(c))),
      },
    ],
  });
  addPath(api, "/console/api/members/{userId}", {
    tag: "Members",
    endpoints: [
      {
        method: "patch",
        operationId: "updateMember",
        needs: "admin",
        summary: "Change a member's role, or a viewer's right to answer questions",
        params: userParam,
        body: memberPatch,
        success: { status: 200, schema: memberRecord },
        handle: change,
      },
      {
        method: "delete",
        operationId: "removeMember",
        needs: "viewer",
        summary: "Leave the workspace or, as an admin, remove a member; the person's keys are revoked",
        params: userParam,
        success: { status: 204 },
        handle: remove,
      },
    ],
  });
}

async function change(c: HttpContext, services: HttpServices): Promise<Response> {
  const { userId } = readParams(c, userParam);
  const given = await readBody(c, memberPatch, ["user_id", "email", "name", "created_at"]);
  return respondValue(c, await changeMember(services, c.get("principal"), { userId, ...given }));
}

async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
  await removeMember(services, c.get("principal"), readParams(c, userParam).userId);
  return c.body(null, 204);
}
