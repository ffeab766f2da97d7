import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { runEstimate, runOutlook } from "#domain/runs/estimate.ts";
import { estimateRun, readOutlook } from "#operations/runs/estimate-run.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { wholeNumber } from "../shape/whole-number.ts";

const estimateQuery = z
  .strictObject({
    agent_id: givenId.optional().describe("A run of this agent."),
    team_id: givenId.optional().describe("A run of this team. Neither: any run of the workspace."),
    max_usd: z.coerce.number().min(0).max(999_999).optional().describe("A cap, for `stopped_share`."),
    max_tokens: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional(),
  })
  .refine((query) => query.agent_id === undefined || query.team_id === undefined, {
    path: ["team_id"],
    message: "give an agent or a team, not both",
  });

/** What a run will cost, by the runs before it. */
export const estimateRecord = runEstimate.meta({ id: "RunEstimate" });

/** Adds /console/api/estimate, and /console/api/runs/{id}/estimate for a run that has begun. */
export default function addEstimates(api: Api): void {
  addPath(api, "/console/api/estimate", { tag: "Runs", endpoints: [estimate] });
  addPath(api, "/console/api/runs/{id}/estimate", { tag: "Runs", endpoints: [outlook] });
}

const estimate = endpoint({
  method: "get",
  operationId: "estimateRun",
  summary: "Estimate cost, tokens and time of a run from the last that completed, and which share a cap would stop",
  query: estimateQuery,
  success: { status: 200, schema: estimateRecord },
  async handle({ c, workspace, query }) {
    const { agent_id: agentId, team_id: teamId, ...cap } = query;
    return respondValue(c, await estimateRun(workspace, { agentId, teamId }, cap));
  },
});

const outlook = endpoint({
  method: "get",
  operationId: "getRunOutlook",
  summary: "Read what a run has cost so far, and estimate what going on and running again will cost",
  params: idQuery,
  success: { status: 200, schema: runOutlook.meta({ id: "RunOutlook" }) },
  handle: async ({ c, workspace, params }) => respondValue(c, await readOutlook(workspace, params.id)),
});
