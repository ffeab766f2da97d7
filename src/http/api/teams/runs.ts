import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { RUN_READ_ONLY, RUN_UNCHANGEABLE, runCreate, runPatch } from "#domain/teams/team-run.ts";
import { listPage } from "#operations/list-records.ts";
import { getRun, setRunStatus, startRun } from "#operations/teams/team-runs.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { readBody, readQuery } from "../../middleware/read-body.ts";
import { listQuery } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { runRecord, runWithMessages } from "./team-records.ts";

const runsQuery = listQuery.extend({
  team_id: givenId.optional().describe("Only runs of this team."),
});

/** Adds /api-runs. */
export default function addRuns(api: Api): void {
  addPath(api, "/functions/v1/api-runs", {
    tag: "Runs",
    endpoints: [
      {
        method: "get",
        operationId: "listTeamRuns",
        readsOneAs: "getTeamRun",
        summary: "List team runs, newest first, or read one with its messages",
        query: runsQuery,
        success: { status: 200, schema: z.union([z.array(runRecord), runWithMessages]) },
        handle: read,
      },
      {
        method: "post",
        operationId: "startTeamRun",
        summary: "Start a team run",
        body: runCreate,
        success: { status: 201, schema: runRecord },
        handle: start,
      },
      {
        method: "patch",
        operationId: "updateTeamRun",
        summary: "Cancel a run, or restart a finished one",
        query: idQuery,
        body: runPatch,
        success: { status: 200, schema: runRecord },
        handle: update,
      },
    ],
  });
}

async function read(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id, limit, cursor, team_id: teamId } = readQuery(c, runsQuery);
  const who = c.get("principal");
  if (id !== undefined) return respond(c, await getRun(services, who, id));
  return respondPage(c, await listPage(services, who, { of: "run", ...pageOf({ limit, cursor }), teamId }));
}

async function start(c: HttpContext, services: HttpServices): Promise<Response> {
  const input = await readBody(c, runCreate, RUN_READ_ONLY);
  return respond(c, await startRun(services, c.get("principal"), input), 201);
}

async function update(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id } = readQuery(c, idQuery);
  const { status } = await readBody(c, runPatch, RUN_UNCHANGEABLE);
  return respond(c, await setRunStatus(services, c.get("principal"), { id, status }));
}
