import { z } from "zod";
import { agentStats, statsQuery } from "#domain/runs/agent-stats.ts";
import { listAgentStats, readAgentStats } from "#operations/runs/agent-stats.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { readQuery, readRepeatedQuery } from "../../middleware/read-body.ts";
import { periodFields, periodQuery } from "../runs/overview.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

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
  addPath(api, `${PATH}/stats`, {
    tag: "Agents",
    endpoints: [
      {
        method: "get",
        operationId: "listAgentStats",
        summary:
          "Read the statistics of some agents for the last 7 days: runs, success rate, durations, tokens and cost",
        query: statsQuery,
        success: { status: 200, schema: z.array(statsRecord) },
        handle: list,
      },
    ],
  });
  addPath(api, `${PATH}/{id}/stats`, {
    tag: "Agents",
    endpoints: [
      {
        method: "get",
        operationId: "getAgentStats",
        summary: "Read the statistics of an agent, by hour or day",
        params: idQuery,
        query: agentQuery,
        success: { status: 200, schema: periodRecord },
        handle: answer,
      },
    ],
  });
}

async function list(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id } = readRepeatedQuery(c, statsQuery, ["id"]);
  return respondValue(c, await listAgentStats(services, c.get("principal"), id));
}

async function answer(c: HttpContext, services: HttpServices): Promise<Response> {
  const asked = { id: readId(c), ...readQuery(c, agentQuery) };
  return respondValue(c, await readAgentStats(services, c.get("principal"), asked));
}
