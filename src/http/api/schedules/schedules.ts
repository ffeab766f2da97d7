import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { SCHEDULE_READ_ONLY, scheduleCreate, schedulePatch, schedulePreview } from "#domain/schedules/schedule.ts";
import { taskPriority } from "#domain/tasks/task.ts";
import { listPage } from "#operations/list-records.ts";
import { runScheduleNow } from "#operations/schedules/run-schedule-now.ts";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  previewTimes,
  updateSchedule,
} from "#operations/schedules/schedules.ts";
import { nameFilter } from "../shape/list-query.ts";
import { pageOf, pageQuery } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

/** The schedules or triggers to list. */
export const plannedQuery = pageQuery.extend({
  q: nameFilter,
  agent_id: givenId.optional().describe("Only those of this agent."),
  team_id: givenId.optional().describe("Only those of this team."),
  is_active: z
    .stringbool()
    .optional()
    .meta({ type: "boolean", description: "true: only those that are not paused; false: only the paused ones." }),
});
const time = z.iso.datetime();

/** Fields of schedules and triggers from which their tasks are created. */
export const templateRecord = {
  assigned_agent_id: z.uuid().nullable(),
  assigned_team_id: z.uuid().nullable(),
  title: z.string(),
  description: z.string(),
  priority: taskPriority,
  metadata: z.record(z.string(), z.unknown()),
};

const scheduleRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    cron: z.string(),
    time_zone: z.string(),
    missed: scheduleCreate.shape.missed.unwrap(),
    overlap: scheduleCreate.shape.overlap.unwrap(),
    is_active: z.boolean(),
    ...templateRecord,
    next_times: z.array(time).describe("The next five fires; empty while it is paused."),
    last_fired_at: time.nullable(),
    last_task_id: z.uuid().nullable(),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Schedule" });

const fireRecord = z
  .strictObject({
    id: z.uuid(),
    schedule_id: z.uuid(),
    outcome: z
      .enum(["fired", "missed", "overlap", "quota", "manual"])
      .describe(
        "fired: a task was created; manual: a person created one. Otherwise none was: no process ran (missed), the last task had not ended (overlap), or the quota was used up (quota).",
      ),
    scheduled_at: time.describe("The due time; for several skipped fires the first."),
    ticks: z.int().describe("The number of fires in this row; 100 means 100 or more."),
    task_id: z.uuid().nullable(),
    created_at: time.describe("When the row was written."),
    late_ms: z.int().describe("The delay after the due time."),
  })
  .meta({ id: "ScheduleFire" });

/** Adds /console/api/schedules: tasks at the times of a cron pattern, and the log of these fires. */
export default function addSchedules(api: Api): void {
  const path = "/console/api/schedules";
  addPath(api, path, { tag: "Schedules", endpoints: [list, create] });
  addPath(api, `${path}/preview`, { tag: "Schedules", endpoints: [preview] });
  addPath(api, `${path}/{id}`, { tag: "Schedules", endpoints: [read, change, remove] });
  addPath(api, `${path}/{id}/run`, { tag: "Schedules", endpoints: [run] });
  addPath(api, `${path}/{id}/fires`, { tag: "Schedules", endpoints: [fires] });
}

const list = endpoint({
  method: "get",
  operationId: "listSchedules",
  summary: "List schedules, newest first",
  query: plannedQuery,
  success: { status: 200, schema: z.array(scheduleRecord) },
  handle: async ({ c, workspace, query }) =>
    respondPage(c, await listPage(workspace, { of: "schedule", ...plannedPage(query) })),
});

const create = endpoint({
  method: "post",
  operationId: "createSchedule",
  summary: "Create a schedule",
  body: scheduleCreate,
  keepsDigits: true,
  readOnly: SCHEDULE_READ_ONLY,
  success: { status: 201, schema: scheduleRecord },
  handle: async ({ c, workspace, body }) => respond(c, await createSchedule(workspace, body), 201),
});

const preview = endpoint({
  method: "post",
  operationId: "previewSchedule",
  needs: "viewer",
  summary: "Preview the next five fires of a cron pattern",
  body: schedulePreview,
  success: { status: 200, schema: z.strictObject({ next_times: z.array(time) }) },
  handle: async ({ c, workspace, body }) => respondValue(c, { next_times: await previewTimes(workspace, body) }),
});

const read = endpoint({
  method: "get",
  operationId: "getSchedule",
  summary: "Read a schedule with its next fires",
  params: idQuery,
  success: { status: 200, schema: scheduleRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getSchedule(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateSchedule",
  summary: "Change, pause or resume a schedule",
  params: idQuery,
  body: schedulePatch,
  keepsDigits: true,
  readOnly: SCHEDULE_READ_ONLY,
  success: { status: 200, schema: scheduleRecord },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await updateSchedule(workspace, { id: params.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteSchedule",
  summary: "Delete a schedule with its log; its tasks remain",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteSchedule(workspace, params.id),
});

const run = endpoint({
  method: "post",
  operationId: "runSchedule",
  starts: true,
  summary: "Fire a schedule now, paused or not; the planned fires are unchanged",
  params: idQuery,
  success: { status: 201, schema: fireRecord },
  handle: async ({ c, workspace, params }) => respond(c, await runScheduleNow(workspace, params.id), 201),
});

const fires = endpoint({
  method: "get",
  operationId: "listScheduleFires",
  summary: "List a schedule's fires, newest first",
  params: idQuery,
  query: pageQuery,
  success: { status: 200, schema: z.array(fireRecord) },
  async handle({ c, workspace, params, query }) {
    await getSchedule(workspace, params.id);
    return respondPage(c, await listPage(workspace, { of: "schedule", scheduleId: params.id, ...pageOf(query) }));
  },
});

/** The page of schedules or triggers that a query selects. @throws AppError `bad_request` for an invalid cursor */
export function plannedPage(query: z.output<typeof plannedQuery>) {
  const { limit, cursor, q, agent_id: agentId, team_id: teamId, is_active: isActive } = query;
  return { ...pageOf({ limit, cursor }), fields: { q, agentId, teamId, isActive } };
}
