import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { goldenRunCreate } from "#domain/golden/golden-run.ts";
import {
  cancelGoldenRun,
  getGoldenRun,
  listGoldenRuns,
  prepareGoldenRun,
  startGoldenRun,
} from "#operations/golden/golden-runs.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respond, respondItems } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { goldenRunDetails, goldenRunRecord } from "./golden-records.ts";

const agentParam = z.object({ id: givenId });

/** Adds golden runs: a candidate tried on all golden cases of its agent. */
export default function addGoldenRuns(api: Api): void {
  addPath(api, "/console/api/agents/{id}/golden/runs", { tag: "Golden runs", endpoints: [list, start] });
  addPath(api, "/console/api/golden/runs/{id}", { tag: "Golden runs", endpoints: [read] });
  addPath(api, "/console/api/golden/runs/{id}/cancel", { tag: "Golden runs", endpoints: [cancel] });
}

const list = endpoint({
  method: "get",
  operationId: "listGoldenRuns",
  summary: "List an agent's golden runs, newest first",
  params: agentParam,
  success: { status: 200, schema: z.array(goldenRunRecord) },
  handle: async ({ c, workspace, params }) => respondItems(c, await listGoldenRuns(workspace, params.id), null),
});

const start = endpoint({
  method: "post",
  operationId: "startGoldenRun",
  starts: true,
  summary: "Try the agent, a version of it or changes on its golden cases; no tool is called",
  params: agentParam,
  body: goldenRunCreate,
  success: { status: 201, schema: goldenRunDetails },
  async prepare({ c, workspace, params, body }) {
    const prepared = await prepareGoldenRun(workspace, params.id, body);
    return async (joined) => respond(c, await startGoldenRun(joined, prepared), 201);
  },
});

const read = endpoint({
  method: "get",
  operationId: "getGoldenRun",
  summary: "Read a golden run with the result of each case, before and after",
  params: idQuery,
  success: { status: 200, schema: goldenRunDetails },
  handle: async ({ c, workspace, params }) => respond(c, await getGoldenRun(workspace, params.id)),
});

const cancel = endpoint({
  method: "post",
  operationId: "cancelGoldenRun",
  summary: "Cancel the tasks of a golden run that have not ended",
  params: idQuery,
  success: { status: 200, schema: goldenRunDetails },
  handle: async ({ c, workspace, params }) => respond(c, await cancelGoldenRun(workspace, params.id)),
});
