import { sharedRun, sharedStepDetail } from "#domain/runs/shared-run.ts";
import { linkToken } from "#operations/runs/answer-links.ts";
import * as shared from "#operations/runs/shared-run.ts";
import { endpoint } from "../api/shape/endpoint.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { clientOf } from "./client.ts";

/** Adds /auth/run-link: the run of a link, without a session, to read only. */
export default function addRunLinks(api: Api): void {
  addPath(api, "/auth/run-link", { tag: "Accounts", endpoints: [read] });
  addPath(api, "/auth/run-link/steps", { tag: "Accounts", endpoints: [listSteps] });
  addPath(api, "/auth/run-link/step", { tag: "Accounts", endpoints: [readStep] });
}

const read = endpoint({
  method: "post",
  operationId: "readRunLink",
  needs: "public",
  summary: "Read the run of a link",
  body: linkToken,
  success: { status: 200, schema: sharedRun },
  handle: async ({ c, services, body }) =>
    respondValue(c, await shared.readSharedRun(services, body, clientOf(c, services))),
});

const listSteps = endpoint({
  method: "post",
  operationId: "listRunLinkSteps",
  needs: "public",
  summary: "List the steps of a link's run, if the link shows them",
  body: shared.sharedStepsInput,
  success: { status: 200, schema: shared.sharedSteps },
  handle: async ({ c, services, body }) =>
    respondValue(c, await shared.readSharedSteps(services, body, clientOf(c, services))),
});

const readStep = endpoint({
  method: "post",
  operationId: "readRunLinkStep",
  needs: "public",
  summary: "Read what was said and done in a step of a link's run",
  body: shared.sharedStepInput,
  success: { status: 200, schema: sharedStepDetail },
  handle: async ({ c, services, body }) =>
    respondValue(c, await shared.readSharedStep(services, body, clientOf(c, services))),
});
