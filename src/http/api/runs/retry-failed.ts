import { z } from "zod";
import { givenTime } from "#domain/given-time.ts";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import { retryRuns } from "#operations/runs/retry-runs.ts";
import { countStarts } from "../../middleware/rate-limit.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const MAX_RETRIED = 100;

const retryBody = z
  .strictObject({
    error_code: z.enum(RUN_ERROR_CODES).describe("The code of the RUN_ERROR."),
    since: givenTime.optional().describe("Only those created since this time."),
    limit: z.int().min(1).max(MAX_RETRIED).default(MAX_RETRIED).describe("The maximum number."),
  })
  .describe("The failed tasks or runs to retry.");

const retried = z.strictObject({
  retried: z.int(),
  has_more: z.boolean().describe("Whether more failed with this code."),
});

/** Adds /console/api/tasks/retry and /console/api/runs/retry, which retry failed runs by error code. */
export default function addFailedRetries(api: Api): void {
  addPath(api, "/console/api/tasks/retry", { tag: "Tasks", endpoints: [tasks] });
  addPath(api, "/console/api/runs/retry", { tag: "Runs", endpoints: [runs] });
}

const tasks = endpoint({
  method: "post",
  operationId: "retryFailedTasks",
  summary: "Retry tasks that failed with a code, oldest first",
  body: retryBody,
  success: { status: 200, schema: retried.extend({ task_ids: z.array(z.uuid()) }) },
  async handle({ c, workspace, body }) {
    const { error_code: code, since, limit } = body;
    const admit = (count: number) => countStarts(workspace, count);
    const { ids, hasMore } = await retryRuns(workspace, { kind: "task", code, since, limit, admit });
    return respondValue(c, { retried: ids.length, task_ids: ids, has_more: hasMore }, 200);
  },
});

const runs = endpoint({
  method: "post",
  operationId: "retryFailedRuns",
  summary: "Retry team runs without a task that failed with a code, oldest first",
  body: retryBody,
  success: { status: 200, schema: retried.extend({ run_ids: z.array(z.uuid()) }) },
  async handle({ c, workspace, body }) {
    const { error_code: code, since, limit } = body;
    const admit = (count: number) => countStarts(workspace, count);
    const { ids, hasMore } = await retryRuns(workspace, { kind: "team_run", code, since, limit, admit });
    return respondValue(c, { retried: ids.length, run_ids: ids, has_more: hasMore }, 200);
  },
});
