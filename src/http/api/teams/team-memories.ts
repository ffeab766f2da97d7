import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { deleteMemories, deleteMemory, listMemories } from "#operations/teams/team-memories.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { pageQuery, readPage } from "../shape/page-query.ts";
import { respondPage } from "../shape/respond.ts";
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readParams } from "../../middleware/read-body.ts";

const memoryParams = z.object({ id: givenId, memory_id: givenId });

const memoryRecord = z
  .strictObject({
    id: z.uuid(),
    team_id: z.uuid(),
    run_id: z.uuid(),
    attempt: z.int(),
    status: z.enum(["completed", "failed"]),
    task: z.string().describe("The start of the run's input."),
    outcome: z.string().describe("The start of its output, or its error."),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "TeamMemory" });

/** Adds /console/api/teams/{id}/memories: a team's memories of its runs. */
export default function addTeamMemories(api: Api): void {
  addPath(api, "/console/api/teams/{id}/memories", {
    tag: "Teams",
    endpoints: [
      {
        method: "get",
        operationId: "listTeamMemories",
        summary: "List a team's memories of its runs, newest first",
        params: idQuery,
        query: pageQuery,
        success: { status: 200, schema: z.array(memoryRecord) },
        handle: list,
      },
      {
        method: "delete",
        operationId: "deleteTeamMemories",
        summary: "Delete all memories of a team",
        params: idQuery,
        success: { status: 204 },
        handle: removeAll,
      },
    ],
  });
  addPath(api, "/console/api/teams/{id}/memories/{memory_id}", {
    tag: "Teams",
    endpoints: [
      {
        method: "delete",
        operationId: "deleteTeamMemory",
        summary: "Delete a team's memory of one run",
        params: memoryParams,
        success: { status: 204 },
        handle: remove,
      },
    ],
  });
}

async function list(c: HttpContext, services: HttpServices): Promise<Response> {
  const teamId = readId(c);
  return respondPage(c, await listMemories(services, c.get("principal"), { teamId, ...readPage(c) }));
}

async function removeAll(c: HttpContext, services: HttpServices): Promise<Response> {
  await deleteMemories(services, c.get("principal"), readId(c));
  return c.body(null, 204);
}

async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id: teamId, memory_id: id } = readParams(c, memoryParams);
  await deleteMemory(services, c.get("principal"), { teamId, id });
  return c.body(null, 204);
}
