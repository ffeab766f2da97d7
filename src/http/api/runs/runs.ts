import { compress } from "hono/compress";
import { z } from "zod";
import { stepDetail } from "#domain/runs/step-detail.ts";
import { stepRow } from "#domain/runs/step-row.ts";
import { deleteRun } from "#operations/runs/delete-run.ts";
import { readRun } from "#operations/runs/read-run.ts";
import { readRunStep } from "#operations/runs/read-step.ts";
import { readRunSteps } from "#operations/runs/read-steps.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { runHead } from "./run-head.ts";
import { wholeNumber } from "../shape/whole-number.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/runs/{id}";
const MAX_STEPS = 1_000;
/** A key consists of a tool call's id, cut at 200 characters, and that of a turn, which contains one as well. */
const MAX_KEY = 1_000;

const attemptQuery = z.strictObject({
  attempt: wholeNumber({ min: 1, max: 2_147_483_647 }).optional().describe("By default the newest."),
});
const stepsQuery = attemptQuery.extend({
  after: z.string().min(1).max(MAX_KEY).optional().describe("Only steps after the one with this key."),
  limit: wholeNumber({ min: 1, max: MAX_STEPS }).default(MAX_STEPS),
  ended_since: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .describe("Leaves out the steps that ended before this time, in Unix milliseconds: a reader that has them merges."),
  digests: z.stringbool().optional().describe("Adds a digest to each finished call, to compare runs."),
});
const stepQuery = attemptQuery.extend({ key: z.string().min(1).max(MAX_KEY) });

const stepsPage = z
  .strictObject({
    run_id: z.uuid(),
    log_id: z.uuid(),
    attempt: z.int(),
    seq: z.int().describe("The newest event when the steps were read: a stream reader continues after it."),
    steps: z.array(stepRow).describe("Parents before their children, otherwise by time."),
    count: z.int().describe("How many steps the attempt has, with those that `ended_since` leaves out."),
    places: z.array(z.int()).optional().describe("With `ended_since`: the position of each step among all, from 0."),
    next: z.string().nullable().describe("The key to send as `after` for the next page; null on the last one."),
  })
  .meta({ id: "RunSteps" });

/** Adds /console/api/runs/{id}, /steps and /step: a task or a team run as the console shows it, and its deletion. */
export default function addConsoleRuns(api: Api): void {
  addPath(api, PATH, { tag: "Runs", endpoints: [head, remove] });
  // A page of steps has up to 250 kB; compressed, a tenth of it.
  api.app.use("/console/api/runs/:id/steps", compress());
  addPath(api, `${PATH}/steps`, { tag: "Runs", endpoints: [steps] });
  addPath(api, `${PATH}/step`, { tag: "Runs", endpoints: [step] });
}

const head = endpoint({
  method: "get",
  operationId: "getRun",
  summary: "Read a run: a task or a team run, with its attempts, executions, budgets, forks and files",
  params: idQuery,
  query: attemptQuery,
  success: { status: 200, schema: runHead },
  handle: async ({ c, workspace, params, query }) =>
    respondValue(c, await readRun(workspace, { id: params.id, ...query })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteRun",
  summary: "Delete a run: a task or a team run, with its records; an unfinished one is cancelled first",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteRun(workspace, params.id),
});

const steps = endpoint({
  method: "get",
  operationId: "listRunSteps",
  summary: "List the steps of a run with their times, tokens and cost",
  params: idQuery,
  query: stepsQuery,
  success: { status: 200, schema: stepsPage },
  handle: async ({ c, workspace, params, query: { ended_since: endedSince, ...query } }) =>
    respondValue(c, await readRunSteps(workspace, { id: params.id, endedSince, ...query })),
});

const step = endpoint({
  method: "get",
  operationId: "getRunStep",
  summary: "Read a step of a run: a model's request and reply, a tool's call and result, or a question's answer",
  params: idQuery,
  query: stepQuery,
  success: { status: 200, schema: stepDetail },
  handle: async ({ c, workspace, params, query }) =>
    respondValue(c, await readRunStep(workspace, { id: params.id, ...query })),
});
