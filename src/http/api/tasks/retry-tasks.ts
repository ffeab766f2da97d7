import { z } from "zod";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import { retryTasks } from "#operations/tasks/retry-tasks.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readBody } from "../../middleware/read-body.ts";

const MAX_RETRIED = 100;

const retryBody = z
  .strictObject({
    error_code: z.enum(RUN_ERROR_CODES).describe("The code of the RUN_ERROR with which the task failed."),
    since: z.iso.datetime({ offset: true }).optional().describe("Only tasks that were created since this time."),
    limit: z.int().min(1).max(MAX_RETRIED).default(MAX_RETRIED).describe("At most so many tasks."),
  })
  .describe("Which failed tasks to run again.");

const retried = z.strictObject({
  retried: z.int(),
  task_ids: z.array(z.uuid()),
  has_more: z.boolean().describe("Whether more tasks have failed with this code."),
});

/** Adds /console/api/tasks/retry: failed tasks are run again by the code of their failure. */
export function addTaskRetries(api: Api): void {
  addPath(api, "/console/api/tasks/retry", { tag: "Console", endpoints: [retry] });
}

const retry: Endpoint = {
  method: "post",
  summary: "Run tasks again that failed with a code, the oldest first",
  body: retryBody,
  success: { status: 200, schema: retried },
  async handle(c, services) {
    const { error_code: code, since, limit } = await readBody(c, retryBody);
    const { taskIds, hasMore } = await retryTasks(services, c.get("principal"), { code, since, limit });
    return respondValue(c, { retried: taskIds.length, task_ids: taskIds, has_more: hasMore }, 200);
  },
};
