import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { forkCreate } from "#domain/run-fork.ts";
import { forkRun, retryRun } from "#operations/fork-run.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respond } from "../envelope/respond.ts";
import { addPath } from "../envelope/route.ts";
import type { ApiApp } from "../envelope/route.ts";
import { runRecord } from "../envelope/team-records.ts";
import { readBody, readParams } from "../read-body.ts";

const idParam = z.object({ id: givenId });

/** Adds /console/api/runs/{id}/fork and /retry: runs that go on from a step of another one. */
export function addRunForks(app: ApiApp, services: HttpServices): void {
  addPath(app, "/console/api/runs/{id}/fork", {
    tag: "Console",
    endpoints: [
      {
        method: "post",
        summary: "Start a run that takes what came before a step from this one",
        params: idParam,
        body: forkCreate,
        success: { status: 201, schema: runRecord },
        handle: fork,
      },
    ],
  });
  addPath(app, "/console/api/runs/{id}/retry", {
    tag: "Console",
    endpoints: [
      {
        method: "post",
        summary: "Fork a run that has failed or was cancelled from the step at which it ended",
        params: idParam,
        success: { status: 201, schema: runRecord },
        handle: retry,
      },
    ],
  });

  async function fork(c: HttpContext): Promise<Response> {
    const { id } = readParams(c, idParam);
    const request = await readBody(c, forkCreate);
    return respond(c, await forkRun(services, c.get("principal"), id, request), 201);
  }

  async function retry(c: HttpContext): Promise<Response> {
    return respond(c, await retryRun(services, c.get("principal"), readParams(c, idParam).id), 201);
  }
}
