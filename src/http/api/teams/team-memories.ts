import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { deleteMemories, deleteMemory, listMemories } from "#operations/teams/team-memories.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

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
  addPath(api, "/console/api/teams/{id}/memories", { tag: "Teams", endpoints: [list, removeAll] });
  addPath(api, "/console/api/teams/{id}/memories/{memory_id}", { tag: "Teams", endpoints: [remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listTeamMemories",
  summary: "List a team's memories of its runs, newest first",
  params: idQuery,
  query: pageQuery,
  success: { status: 200, schema: z.array(memoryRecord) },
  handle: async ({ c, workspace, params, query }) =>
    respondPage(c, await listMemories(workspace, { teamId: params.id, ...pageOf(query) })),
});

const removeAll = endpoint({
  method: "delete",
  operationId: "deleteTeamMemories",
  summary: "Delete all memories of a team",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteMemories(workspace, params.id),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteTeamMemory",
  summary: "Delete a team's memory of one run",
  params: memoryParams,
  success: { status: 204 },
  async handle({ workspace, params }) {
    const { id: teamId, memory_id: id } = params;
    await deleteMemory(workspace, { teamId, id });
  },
});
