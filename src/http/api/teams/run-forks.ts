import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { forkCreate } from "#domain/teams/run-fork.ts";
import { copyInputs } from "#operations/files/copy-files.ts";
import { forkRun, retryRun } from "#operations/teams/fork-run.ts";
import type { Fork } from "#operations/teams/fork-run.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { respond } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { runRecord } from "./team-records.ts";
import { readBody, readParams } from "../../middleware/read-body.ts";

const idParam = z.object({ id: givenId });

/** Adds /console/api/runs/{id}/fork and /retry: runs that continue from a step of another one. */
export function addRunForks(api: Api): void {
  addPath(api, "/console/api/runs/{id}/fork", {
    tag: "Console",
    endpoints: [
      {
        method: "post",
        summary: "Start a run that takes what came before a step from this one",
        params: idParam,
        body: forkCreate,
        success: { status: 201, schema: runRecord },
        prepare: fork,
      },
    ],
  });
  addPath(api, "/console/api/runs/{id}/retry", {
    tag: "Console",
    endpoints: [
      {
        method: "post",
        summary: "Fork a run that has failed or was cancelled from the step at which it ended",
        params: idParam,
        success: { status: 201, schema: runRecord },
        prepare: retry,
      },
    ],
  });

  async function fork(c: HttpContext, services: HttpServices) {
    const request = await readBody(c, forkCreate);
    const who = c.get("principal");
    const source = await copied(c, services);
    return async (joined: HttpServices) => respond(c, await forkRun(joined, who, source, request), 201);
  }

  async function retry(c: HttpContext, services: HttpServices) {
    const who = c.get("principal");
    const source = await copied(c, services);
    return async (joined: HttpServices) => respond(c, await retryRun(joined, who, source), 201);
  }
}

async function copied(c: HttpContext, services: HttpServices): Promise<Fork> {
  const { id } = readParams(c, idParam);
  return { sourceId: id, copies: await copyInputs(services, c.get("principal"), id) };
}
