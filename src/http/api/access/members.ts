import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { ROLES } from "#domain/access/role.ts";
import {
  changeMember,
  endMemberSessions,
  listMembers,
  memberPatch,
  removeMember,
} from "#operations/accounts/members.ts";
import { textFilter } from "../shape/list-query.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respondRows, respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

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
  addPath(api, PATH, { tag: "Members", endpoints: [list] });
  addPath(api, "/console/api/members/{userId}", { tag: "Members", endpoints: [change, remove] });
  addPath(api, "/console/api/members/{userId}/sessions", { tag: "Members", endpoints: [endSessions] });
}

const list = endpoint({
  method: "get",
  operationId: "listMembers",
  summary: "List the workspace's members",
  success: { status: 200, schema: z.array(memberRecord) },
  query: pageQuery.extend({ q: textFilter("A part of the name or the e-mail address, ignoring case.") }),
  handle: async ({ c, workspace, query: { q, ...page } }) =>
    respondRows(c, await listMembers(workspace, { q, ...pageOf(page) })),
});

const change = endpoint({
  method: "patch",
  operationId: "updateMember",
  needs: "admin",
  summary: "Change a member's role, or a viewer's right to answer questions",
  params: userParam,
  body: memberPatch,
  readOnly: ["user_id", "email", "name", "created_at"],
  success: { status: 200, schema: memberRecord },
  handle: async ({ c, workspace, params, body }) =>
    respondValue(c, await changeMember(workspace, { ...params, ...body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "removeMember",
  needs: "viewer",
  summary: "Leave the workspace or, as an admin, remove a member; the person's keys are revoked",
  params: userParam,
  success: { status: 204 },
  handle: ({ workspace, params }) => removeMember(workspace, params.userId),
});

const endSessions = endpoint({
  method: "delete",
  operationId: "endMemberSessions",
  needs: "admin",
  summary: "End all sessions of a member; their keys stay",
  params: userParam,
  success: { status: 204 },
  handle: ({ workspace, params }) => endMemberSessions(workspace, params.userId),
});
