import { z } from "zod";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import { runsQuery } from "#domain/runs/run-list.ts";
import { RUN_SOURCES } from "#domain/runs/run-source.ts";
import { listRuns } from "#operations/runs/list-runs.ts";
import { respondConsolePage } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const time = z.iso.datetime().nullable();
const named = z.strictObject({ id: z.uuid(), name: z.string() }).nullable();

/** A task, or a team run without a task, in the list of all runs. */
export const runRow = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(["task", "run"]),
    title: z.string(),
    status: z.enum(TASK_STATUSES),
    agent: named,
    team: named,
    source: z.strictObject({
      kind: z.enum(RUN_SOURCES),
      id: z.uuid().nullable().describe("The key, person, schedule, trigger, page or forked run."),
      name: z.string().nullable(),
    }),
    attempt: z.int(),
    scheduled_for: time,
    created_at: z.iso.datetime(),
    queued_at: time,
    started_at: time,
    ended_at: time,
    updated_at: z.iso.datetime(),
    duration_ms: z.int().nullable().describe("The time so far, for an unfinished run."),
    tokens: z.int(),
    cost_usd: z.number(),
    error_code: z.enum(RUN_ERROR_CODES).nullable(),
    question_due: time.describe("The deadline of its open question."),
    feedback: z
      .strictObject({ up: z.int(), down: z.int(), notes: z.int() })
      .describe("How much feedback the current attempt has; notes: with a note or a correction."),
    version: z.int().nullable().describe("The agent version of the attempt."),
  })
  .meta({ id: "RunRow" });

const runPage = z.strictObject({ items: z.array(runRow), next_cursor: z.string().nullable() }).meta({ id: "RunPage" });

/** Adds /console/api/runs: all runs of the workspace in one list. */
export default function addRunList(api: Api): void {
  addPath(api, "/console/api/runs", { tag: "Runs", endpoints: [list] });
}

const list = endpoint({
  method: "get",
  operationId: "listRuns",
  summary: "List tasks, and team runs that were started without one; several values of a filter are alternatives",
  query: runsQuery,
  success: { status: 200, schema: runPage },
  async handle({ c, workspace, query }) {
    const { items, nextCursor } = await listRuns(workspace, query);
    return respondConsolePage(c, items, nextCursor);
  },
});
