import { z } from "zod";
import { forkCreate } from "#domain/teams/run-fork.ts";
import { prepareFork, startFork, startRetry } from "#operations/runs/fork.ts";
import { respond } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { taskRecord } from "../shape/records.ts";
import { runRecord } from "../teams/team-records.ts";
import { endpoint } from "../shape/endpoint.ts";

const forked = z.union([taskRecord, runRecord]).describe("The started task or team run.");

/** Adds /console/api/runs/{id}/fork and /retry: tasks and team runs that continue from a step of another run. */
export default function addRunForks(api: Api): void {
  addPath(api, "/console/api/runs/{id}/fork", { tag: "Runs", endpoints: [fork] });
  addPath(api, "/console/api/runs/{id}/retry", { tag: "Runs", endpoints: [retry] });
}

const fork = endpoint({
  method: "post",
  operationId: "forkRun",
  starts: true,
  summary: "Start a task or a team run that takes over the steps before a given one from this run",
  params: idQuery,
  body: forkCreate,
  success: { status: 201, schema: forked },
  async prepare({ c, workspace, params, body }) {
    const prepared = await prepareFork(workspace, { id: params.id, attempt: body.attempt });
    return async (joined) => respond(c, await startFork(joined, prepared, body), 201);
  },
});

const retry = endpoint({
  method: "post",
  operationId: "retryRun",
  starts: true,
  summary: "Fork a failed or cancelled task or run from the step at which it stopped",
  params: idQuery,
  success: { status: 201, schema: forked },
  async prepare({ c, workspace, params }) {
    const prepared = await prepareFork(workspace, { id: params.id });
    return async (joined) => respond(c, await startRetry(joined, prepared), 201);
  },
});
