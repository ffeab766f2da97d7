import { z } from "zod";
import { PLACE_KINDS, usagePlace } from "#domain/agents/usage-place.ts";
import { findUsedBy } from "#operations/agents/used-by.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const usedByRecord = z
  .strictObject({
    items: z.array(usagePlace.meta({ id: "UsagePlace" })).describe("The newest 50 records of each kind that name it."),
    counts: z.partialRecord(z.enum(PLACE_KINDS), z.int()).describe("How many there are; kinds without any are absent."),
    open_runs: z.int().describe("Its work that has not ended; deleting it cancels that of an agent."),
    published: z.strictObject({
      marketplace: z.boolean(),
      installs: z.int(),
      mcp: z.string().nullable().describe("The name of its tool; null when it is not published to MCP."),
      a2a: z.boolean(),
    }),
  })
  .meta({ id: "UsedBy" });

const RESOURCES = [
  {
    name: "agents",
    what: "Agent",
    tag: "Agents",
    summary: "List the records that reference an agent, and where it is published",
  },
  { name: "teams", what: "Team", tag: "Teams", summary: "List the records that reference a team" },
] as const;

/** Adds /console/api/agents/{id}/used-by and the same of teams: what changes or goes when one is deleted. */
export default function addUsedBy(api: Api): void {
  for (const { name, what, tag, summary } of RESOURCES) {
    addPath(api, `/console/api/${name}/{id}/used-by`, {
      tag,
      endpoints: [
        endpoint({
          method: "get",
          operationId: `get${what}UsedBy`,
          summary,
          params: idQuery,
          success: { status: 200, schema: usedByRecord },
          handle: async ({ c, workspace, params }) =>
            respondValue(c, await findUsedBy(workspace, { id: params.id, what })),
        }),
      ],
    });
  }
}
