import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { goldenCasePatch, goldenKeep, goldenSet, keptSet } from "#domain/golden/golden-case.ts";
import {
  deleteGoldenCase,
  getGoldenCase,
  keepGolden,
  listGoldenCases,
  updateGoldenCase,
} from "#operations/golden/golden-cases.ts";
import { keepGoldenSet } from "#operations/golden/golden-sets.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respond, respondItems, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { goldenCaseDetails, goldenCaseRecord } from "./golden-records.ts";

const agentParam = z.object({ id: givenId });

/** Adds the golden cases of agents: kept runs with the results of their tools. */
export default function addGoldenCases(api: Api): void {
  addPath(api, "/console/api/runs/{id}/golden", { tag: "Golden runs", endpoints: [keep] });
  addPath(api, "/console/api/agents/{id}/golden/cases", { tag: "Golden runs", endpoints: [list, collect] });
  addPath(api, "/console/api/golden/cases/{id}", { tag: "Golden runs", endpoints: [read, change, remove] });
}

const keep = endpoint({
  method: "post",
  operationId: "keepGoldenCase",
  summary: "Keep an ended task as a golden case of its agent",
  params: idQuery,
  body: goldenKeep,
  success: { status: 201, schema: goldenCaseDetails },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await keepGolden(workspace, { ...body, runId: params.id }), 201),
});

const list = endpoint({
  method: "get",
  operationId: "listGoldenCases",
  summary: "List an agent's golden cases, newest first",
  params: agentParam,
  success: { status: 200, schema: z.array(goldenCaseRecord) },
  handle: async ({ c, workspace, params }) => respondItems(c, await listGoldenCases(workspace, params.id), null),
});

const collect = endpoint({
  method: "post",
  operationId: "keepGoldenSet",
  summary: "Keep all runs of an agent that match a filter as golden cases",
  params: agentParam,
  body: goldenSet,
  success: { status: 200, schema: keptSet },
  handle: async ({ c, workspace, params, body }) =>
    respondValue(c, await keepGoldenSet(workspace, { ...body, agentId: params.id })),
});

const read = endpoint({
  method: "get",
  operationId: "getGoldenCase",
  summary: "Read a golden case with its input and the recorded results of tools",
  params: idQuery,
  success: { status: 200, schema: goldenCaseDetails },
  handle: async ({ c, workspace, params }) => respond(c, await getGoldenCase(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateGoldenCase",
  summary: "Change what a golden case expects, or its checks",
  params: idQuery,
  body: goldenCasePatch,
  success: { status: 200, schema: goldenCaseDetails },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await updateGoldenCase(workspace, { id: params.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteGoldenCase",
  summary: "Delete a golden case; results of golden runs remain",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteGoldenCase(workspace, params.id),
});
