import { z } from "zod";
import { TASK_READ_ONLY, TASK_UNCHANGEABLE, taskCreate, taskPatch } from "#domain/tasks/task.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import { listPage } from "#operations/list-records.ts";
import { estimateTask } from "#operations/runs/estimate-run.ts";
import { createTask, getTask, updateTask, withTask } from "#operations/tasks/tasks.ts";
import { deleteRuns } from "#operations/runs/delete-run.ts";
import { countStarts } from "../../middleware/rate-limit.ts";
import { estimateRecord } from "../runs/estimates.ts";
import { listQuery } from "../shape/list-query.ts";
import { taskRecord } from "../shape/records.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const tasksQuery = listQuery.extend({
  status: z.enum(TASK_STATUSES).optional().describe("Only tasks in this state."),
});

const createQuery = z.strictObject({
  estimate: z.stringbool().optional().describe("true: estimates the task's cost, and creates nothing."),
});

/** Adds /api-tasks. */
export default function addTasks(api: Api): void {
  addPath(api, "/functions/v1/api-tasks", { tag: "Tasks", endpoints: [list, create, change, remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listTasks",
  readsOneAs: "getTask",
  summary: "List tasks, newest first, or read one",
  query: tasksQuery,
  success: { status: 200, schema: z.union([z.array(taskRecord), taskRecord]) },
  async handle({ c, workspace, query }) {
    const { id, limit, cursor, status } = query;
    if (id !== undefined) {
      return respond(c, await withTask(workspace, { id, act: (taskId) => getTask(workspace, taskId) }));
    }
    return respondPage(c, await listPage(workspace, { of: "task", ...pageOf({ limit, cursor }), status }));
  },
});

const create = endpoint({
  method: "post",
  operationId: "createTask",
  summary: "Create a task; with an agent, it is dispatched immediately",
  query: createQuery,
  body: taskCreate,
  keepsDigits: true,
  readOnly: TASK_READ_ONLY,
  success: { status: 201, schema: taskRecord },
  instead: {
    when: "estimate",
    operationId: "estimateTask",
    summary: "Estimate a task's cost, tokens and time from the last runs of its agent or team, without creating it",
    status: 200,
    schema: estimateRecord,
  },
  async handle({ c, workspace, query, body }) {
    if (query.estimate === true) return respondValue(c, await estimateTask(workspace, body));
    await countStarts(workspace);
    return respond(c, await createTask(workspace, body), 201);
  },
});

const change = endpoint({
  method: "patch",
  operationId: "updateTask",
  summary: "Change, dispatch, restart or cancel a task",
  query: idQuery,
  body: taskPatch,
  keepsDigits: true,
  readOnly: [...TASK_READ_ONLY, ...TASK_UNCHANGEABLE],
  success: { status: 200, schema: taskRecord },
  async handle({ c, workspace, query, body }) {
    const { status, assigned_agent_id: agentId, assigned_team_id: teamId } = body;
    if (status === "dispatched" || agentId != null || teamId != null) await countStarts(workspace);
    const act = (taskId: string) => updateTask(workspace, { id: taskId, patch: body });
    return respond(c, await withTask(workspace, { id: query.id, act }));
  },
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteTask",
  summary: "Delete a task; an unfinished one is cancelled first",
  query: idQuery,
  success: { status: 204 },
  handle: ({ workspace, query }) =>
    withTask(workspace, { id: query.id, act: (taskId) => deleteRuns(workspace, "task", [taskId]) }),
});
