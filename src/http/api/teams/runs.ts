import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { RUN_READ_ONLY, RUN_UNCHANGEABLE, runCreate, runPatch } from "#domain/teams/team-run.ts";
import { listPage } from "#operations/list-records.ts";
import { getRun, setRunStatus, startRun } from "#operations/teams/team-runs.ts";
import { countStarts } from "../../middleware/rate-limit.ts";
import { listQuery } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { runRecord, runWithMessages } from "./team-records.ts";
import { endpoint } from "../shape/endpoint.ts";

const runsQuery = listQuery.extend({
  team_id: givenId.optional().describe("Only runs of this team."),
});

/** Adds /api-runs. */
export default function addRuns(api: Api): void {
  addPath(api, "/functions/v1/api-runs", { tag: "Runs", endpoints: [list, start, change] });
}

const list = endpoint({
  method: "get",
  operationId: "listTeamRuns",
  readsOneAs: "getTeamRun",
  summary: "List team runs, newest first, or read one with its messages",
  query: runsQuery,
  success: { status: 200, schema: z.union([z.array(runRecord), runWithMessages]) },
  async handle({ c, workspace, query }) {
    const { id, limit, cursor, team_id: teamId } = query;
    if (id !== undefined) return respond(c, await getRun(workspace, id));
    return respondPage(c, await listPage(workspace, { of: "run", ...pageOf({ limit, cursor }), teamId }));
  },
});

const start = endpoint({
  method: "post",
  operationId: "startTeamRun",
  starts: true,
  summary: "Start a team run",
  body: runCreate,
  readOnly: RUN_READ_ONLY,
  success: { status: 201, schema: runRecord },
  handle: async ({ c, workspace, body }) => respond(c, await startRun(workspace, body), 201),
});

const change = endpoint({
  method: "patch",
  operationId: "updateTeamRun",
  summary: "Cancel a run, or restart a finished one",
  query: idQuery,
  body: runPatch,
  readOnly: RUN_UNCHANGEABLE,
  success: { status: 200, schema: runRecord },
  async handle({ c, workspace, query, body }) {
    const { status } = body;
    if (status === "pending") await countStarts(workspace);
    return respond(c, await setRunStatus(workspace, { id: query.id, status }));
  },
});
