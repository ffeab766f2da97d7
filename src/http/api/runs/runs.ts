import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { stepDetail } from "#domain/runs/step-detail.ts";
import { stepRow } from "#domain/runs/step-row.ts";
import { readRun } from "#operations/runs/read-run.ts";
import { readRunStep } from "#operations/runs/read-step.ts";
import { readRunSteps } from "#operations/runs/read-steps.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import { apiVersion, respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readParams, readQuery } from "../../middleware/read-body.ts";
import { runHead } from "./run-head.ts";

const PATH = "/console/api/runs/{id}";
const MAX_STEPS = 1_000;
/** Keys hold the ids of tool calls, which are cut at 200 characters, behind those of turns, which hold one as well. */
const MAX_KEY = 1_000;

const idParam = z.object({ id: givenId });
const attemptQuery = z.strictObject({
  attempt: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe("The newest one when left out."),
});
const stepsQuery = attemptQuery.extend({
  after: z.string().min(1).max(MAX_KEY).optional().describe("Only steps behind the one of this key."),
  limit: z.coerce.number().int().min(1).max(MAX_STEPS).default(MAX_STEPS),
  digests: z.stringbool().optional().describe("Adds to each finished call a digest, to compare runs by."),
});
const stepQuery = attemptQuery.extend({ key: z.string().min(1).max(MAX_KEY) });

const stepsPage = z
  .strictObject({
    run_id: z.uuid(),
    log_id: z.uuid(),
    attempt: z.int(),
    seq: z.int().describe("The newest event when the steps were read: a reader of the stream continues behind it."),
    steps: z.array(stepRow).describe("Parents before their parts, and otherwise by their time."),
    next: z.string().nullable().describe("The key to give as `after` for the next page; null on the last one."),
  })
  .meta({ id: "RunSteps" });

/** Adds /console/api/runs/{id}, /steps and /step: what the console shows of a task or a team's run. */
export function addConsoleRuns(api: Api): void {
  for (const part of ["", "/steps", "/step"]) api.app.use(`/console/api/runs/:id${part}`, apiVersion());
  addPath(api, PATH, { tag: "Runs", endpoints: [head] });
  addPath(api, `${PATH}/steps`, { tag: "Runs", endpoints: [steps] });
  addPath(api, `${PATH}/step`, { tag: "Runs", endpoints: [step] });
}

const head: Endpoint = {
  method: "get",
  operationId: "getRun",
  summary: "Read a run: a task or a team's run, with its attempts, executions, budgets, forks and files",
  params: idParam,
  query: attemptQuery,
  success: { status: 200, schema: runHead },
  async handle(c, services) {
    const { id } = readParams(c, idParam);
    return respondValue(c, await readRun(services, c.get("principal"), { id, ...readQuery(c, attemptQuery) }));
  },
};

const steps: Endpoint = {
  method: "get",
  operationId: "listRunSteps",
  summary: "List the steps of a run with their times, tokens and cost",
  params: idParam,
  query: stepsQuery,
  success: { status: 200, schema: stepsPage },
  async handle(c, services) {
    const { id } = readParams(c, idParam);
    return respondValue(c, await readRunSteps(services, c.get("principal"), { id, ...readQuery(c, stepsQuery) }));
  },
};

const step: Endpoint = {
  method: "get",
  operationId: "getRunStep",
  summary: "Read a step of a run: what the model was sent and answered, what a tool did, who answered a question",
  params: idParam,
  query: stepQuery,
  success: { status: 200, schema: stepDetail },
  async handle(c, services) {
    const { id } = readParams(c, idParam);
    return respondValue(c, await readRunStep(services, c.get("principal"), { id, ...readQuery(c, stepQuery) }));
  },
};
