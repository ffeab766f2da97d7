import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { goldenPublish, goldenRequired } from "#domain/golden/golden-run.ts";
import { getGate, publishCandidate, setGate } from "#operations/golden/golden-gate.ts";
import { endpoint } from "../shape/endpoint.ts";
import { agentRecord } from "../shape/records.ts";
import { respondValue, respondWarning } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const agentParam = z.object({ id: givenId });

const required = goldenRequired.describe("all, a number of cases, or none.");

const gate = z
  .strictObject({
    required,
    cases: z.int().describe("The agent's golden cases."),
    fault: z.string().nullable().describe("Why the agent as it is does not meet the gate; null if it does."),
  })
  .meta({ id: "GoldenGate" });

/** Adds the gate of an agent, and publishing through it. */
export default function addGoldenGate(api: Api): void {
  addPath(api, "/console/api/agents/{id}/golden/gate", { tag: "Golden runs", endpoints: [read, write] });
  addPath(api, "/console/api/agents/{id}/golden/publish", { tag: "Golden runs", endpoints: [publish] });
}

const read = endpoint({
  method: "get",
  operationId: "getGoldenGate",
  summary: "Read what a change of an agent must pass",
  params: agentParam,
  success: { status: 200, schema: gate },
  handle: async ({ c, workspace, params }) => respondValue(c, await getGate(workspace, params.id)),
});

const write = endpoint({
  method: "put",
  operationId: "setGoldenGate",
  summary: "Set what a change of an agent must pass",
  needs: "admin",
  params: agentParam,
  body: z.strictObject({ required }),
  success: { status: 200, schema: gate },
  handle: async ({ c, workspace, params, body }) =>
    respondValue(c, await setGate(workspace, { agentId: params.id, ...body })),
});

const publish = endpoint({
  method: "post",
  operationId: "publishGoldenCandidate",
  warns: true,
  summary: "Store a candidate as the agent's newest version, if it meets the gate",
  params: agentParam,
  body: goldenPublish,
  success: { status: 200, schema: agentRecord },
  async handle({ c, workspace, params, body }) {
    const { record, warnings } = await publishCandidate(workspace, params.id, body);
    return respondWarning(c, record, { status: 200, warnings });
  },
});
