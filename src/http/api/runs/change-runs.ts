import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { runsFilter } from "#domain/runs/run-list.ts";
import { MAX_CHANGED_RUNS, changeRuns } from "#operations/runs/change-runs.ts";
import { countStarts } from "../../middleware/rate-limit.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/runs/bulk";

const change = z
  .strictObject({
    action: z.enum(["cancel", "rerun"]).describe("rerun: each is restarted as a new attempt."),
    ids: z.array(givenId).min(1).max(MAX_CHANGED_RUNS).optional().describe("Tasks, and team runs without a task."),
    filter: runsFilter.optional().describe("As in GET /console/api/runs."),
    expect: z.int().min(1).max(MAX_CHANGED_RUNS).describe("The expected number of runs; any other is 409."),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ["ids"],
    message: "set either ids or a filter",
  })
  .describe("The runs to change.");

const changed = z
  .strictObject({
    changed: z.array(z.uuid()),
    skipped: z
      .array(z.strictObject({ id: z.uuid(), message: z.string() }))
      .describe("Runs whose state did not allow it, with the reason."),
  })
  .meta({ id: "ChangedRuns" });

/** Adds /console/api/runs/bulk, which cancels or restarts many runs. */
export default function addBulkRuns(api: Api): void {
  addPath(api, PATH, { tag: "Runs", endpoints: [bulk] });
}

const bulk = endpoint({
  method: "post",
  operationId: "changeRuns",
  summary: "Cancel or restart runs, by ids or a filter",
  body: change,
  success: { status: 200, schema: changed },
  async prepare({ c, workspace, body }) {
    const { action, ids, filter = {}, expect } = body;
    if (action === "rerun") await countStarts(workspace, expect);
    const selection = ids === undefined ? { filter } : { ids: [...new Set(ids)] };
    return async (joined) => respondValue(c, await changeRuns(joined, { action, selection, expect }));
  },
});
