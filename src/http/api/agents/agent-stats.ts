import { z } from "zod";
import { agentStats, statsQuery } from "#domain/runs/agent-stats.ts";
import { listAgentStats, readAgentStats } from "#operations/runs/agent-stats.ts";
import { periodFields, periodQuery } from "../runs/overview.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/agents";

const agentQuery = periodQuery.extend({
  bucket: periodQuery.shape.bucket.unwrap().default("day"),
  from: periodQuery.shape.from.describe("By default the last 7 days."),
});

const statsRecord = agentStats.meta({ id: "AgentStats" });
const periodRecord = z
  .strictObject({
    agent_id: z.uuid(),
    success_share: agentStats.shape.success_share,
    ...periodFields,
  })
  .meta({ id: "AgentPeriod" });

/** Adds /console/api/agents/stats and /{id}/stats: how agents did lately. */
export default function addAgentStats(api: Api): void {
  addPath(api, `${PATH}/stats`, { tag: "Agents", endpoints: [list] });
  addPath(api, `${PATH}/{id}/stats`, { tag: "Agents", endpoints: [read] });
}

const list = endpoint({
  method: "get",
  operationId: "listAgentStats",
  summary: "Read the statistics of some agents for the last 7 days: runs, success rate, durations, tokens and cost",
  query: statsQuery,
  success: { status: 200, schema: z.array(statsRecord) },
  handle: async ({ c, workspace, query }) => respondValue(c, await listAgentStats(workspace, query.id)),
});

const read = endpoint({
  method: "get",
  operationId: "getAgentStats",
  summary: "Read the statistics of an agent, by hour or day",
  params: idQuery,
  query: agentQuery,
  success: { status: 200, schema: periodRecord },
  handle: async ({ c, workspace, params, query }) =>
    respondValue(c, await readAgentStats(workspace, { id: params.id, ...query })),
});
