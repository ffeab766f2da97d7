import { z } from "zod";
import { TEAM_MODE_NAMES } from "#domain/teams/team-mode.ts";
import { TEAM_READ_ONLY, teamCreate, teamPatch } from "#domain/teams/team.ts";
import { listPage } from "#operations/list-records.ts";
import { createTeam, deleteTeam, getTeam, updateTeam } from "#operations/teams/teams.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { readBody, readQuery } from "../../middleware/read-body.ts";
import { listQuery, nameFilter } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { teamRecord } from "./team-records.ts";

const teamsQuery = listQuery.extend({ q: nameFilter, mode: z.enum(TEAM_MODE_NAMES).optional() });

/** Adds /api-teams. */
export default function addTeams(api: Api): void {
  addPath(api, "/functions/v1/api-teams", {
    tag: "Teams",
    endpoints: [
      {
        method: "get",
        operationId: "listTeams",
        readsOneAs: "getTeam",
        summary: "List teams with their members, newest first, or read one",
        query: teamsQuery,
        success: { status: 200, schema: z.union([z.array(teamRecord), teamRecord]) },
        handle: read,
      },
      {
        method: "post",
        operationId: "createTeam",
        summary: "Create a team",
        body: teamCreate,
        success: { status: 201, schema: teamRecord },
        handle: create,
      },
      {
        method: "patch",
        operationId: "updateTeam",
        summary: "Change a team",
        query: idQuery,
        body: teamPatch,
        success: { status: 200, schema: teamRecord },
        handle: update,
      },
      {
        method: "delete",
        operationId: "deleteTeam",
        summary: "Delete a team; its unfinished tasks and runs are cancelled",
        query: idQuery,
        success: { status: 204 },
        handle: remove,
      },
    ],
  });
}

async function read(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id, limit, cursor, ...fields } = readQuery(c, teamsQuery);
  const who = c.get("principal");
  if (id !== undefined) return respond(c, await getTeam(services, who, id));
  return respondPage(c, await listPage(services, who, { of: "team", ...pageOf({ limit, cursor }), fields }));
}

async function create(c: HttpContext, services: HttpServices): Promise<Response> {
  const input = await readBody(c, teamCreate, TEAM_READ_ONLY);
  return respond(c, await createTeam(services, c.get("principal"), input), 201);
}

async function update(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id } = readQuery(c, idQuery);
  const patch = await readBody(c, teamPatch, TEAM_READ_ONLY);
  return respond(c, await updateTeam(services, c.get("principal"), { id, patch }));
}

async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
  await deleteTeam(services, c.get("principal"), readQuery(c, idQuery).id);
  return c.body(null, 204);
}
