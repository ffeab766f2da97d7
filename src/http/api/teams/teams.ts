import { z } from "zod";
import { TEAM_MODE_NAMES } from "#domain/teams/team-mode.ts";
import { TEAM_READ_ONLY, teamCreate, teamPatch } from "#domain/teams/team.ts";
import { listPage } from "#operations/list-records.ts";
import { createTeam, deleteTeams, getTeam, updateTeam } from "#operations/teams/teams.ts";
import { listQuery, nameFilter } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { teamRecord } from "./team-records.ts";
import { endpoint } from "../shape/endpoint.ts";

const teamsQuery = listQuery.extend({ q: nameFilter, mode: z.enum(TEAM_MODE_NAMES).optional() });

/** Adds /api-teams. */
export default function addTeams(api: Api): void {
  addPath(api, "/functions/v1/api-teams", { tag: "Teams", endpoints: [list, create, change, remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listTeams",
  readsOneAs: "getTeam",
  summary: "List teams with their members, newest first, or read one",
  query: teamsQuery,
  success: { status: 200, schema: z.union([z.array(teamRecord), teamRecord]) },
  async handle({ c, workspace, query }) {
    const { id, limit, cursor, ...fields } = query;
    if (id !== undefined) return respond(c, await getTeam(workspace, id));
    return respondPage(c, await listPage(workspace, { of: "team", ...pageOf({ limit, cursor }), fields }));
  },
});

const create = endpoint({
  method: "post",
  operationId: "createTeam",
  summary: "Create a team",
  body: teamCreate,
  readOnly: TEAM_READ_ONLY,
  success: { status: 201, schema: teamRecord },
  handle: async ({ c, workspace, body }) => respond(c, await createTeam(workspace, body), 201),
});

const change = endpoint({
  method: "patch",
  operationId: "updateTeam",
  summary: "Change a team",
  query: idQuery,
  body: teamPatch,
  readOnly: TEAM_READ_ONLY,
  success: { status: 200, schema: teamRecord },
  handle: async ({ c, workspace, query, body }) =>
    respond(c, await updateTeam(workspace, { id: query.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteTeam",
  summary: "Delete a team; its unfinished tasks and runs are cancelled",
  query: idQuery,
  success: { status: 204 },
  handle: ({ workspace, query }) => deleteTeams(workspace, [query.id]),
});
