import { z } from "zod";
import { forkCreate } from "#domain/teams/run-fork.ts";
import { prepareFork, startFork, startRetry } from "#operations/runs/fork.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { respond } from "../shape/respond.ts";
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { taskRecord } from "../shape/records.ts";
import { runRecord } from "../teams/team-records.ts";
import { readBody } from "../../middleware/read-body.ts";

const forked = z.union([taskRecord, runRecord]).describe("The started task or team run.");

/** Adds /console/api/runs/{id}/fork and /retry: tasks and team runs that continue from a step of another run. */
export default function addRunForks(api: Api): void {
  addPath(api, "/console/api/runs/{id}/fork", {
    tag: "Runs",
    endpoints: [
      {
        method: "post",
        operationId: "forkRun",
        summary: "Start a task or a team run that takes over the steps before a given one from this run",
        params: idQuery,
        body: forkCreate,
        success: { status: 201, schema: forked },
        prepare: fork,
      },
    ],
  });
  addPath(api, "/console/api/runs/{id}/retry", {
    tag: "Runs",
    endpoints: [
      {
        method: "post",
        operationId: "retryRun",
        summary: "Fork a failed or cancelled task or run from the step at which it stopped",
        params: idQuery,
        success: { status: 201, schema: forked },
        prepare: retry,
      },
    ],
  });
}

async function fork(c: HttpContext, services: HttpServices) {
  const request = await readBody(c, forkCreate);
  const who = c.get("principal");
  const id = readId(c);
  const prepared = await prepareFork(services, who, { id, attempt: request.attempt });
  return async (joined: HttpServices) => respond(c, await startFork(joined, who, prepared, request), 201);
}

async function retry(c: HttpContext, services: HttpServices) {
  const who = c.get("principal");
  const prepared = await prepareFork(services, who, { id: readId(c) });
  return async (joined: HttpServices) => respond(c, await startRetry(joined, who, prepared), 201);
}
