import { z } from "zod";
import { TASK_READ_ONLY, TASK_UNCHANGEABLE, taskCreate, taskPatch } from "#domain/tasks/task.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import { listPage } from "#operations/list-records.ts";
import { createTask, deleteTask, getTask, updateTask, withTask } from "#operations/tasks/tasks.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { readBody, readQuery } from "../../middleware/read-body.ts";
import { listQuery } from "../shape/list-query.ts";
import { taskRecord } from "../shape/records.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const tasksQuery = listQuery.extend({
  status: z.enum(TASK_STATUSES).optional().describe("Only tasks in this state."),
});

/** Adds /api-tasks. */
export default function addTasks(api: Api): void {
  addPath(api, "/functions/v1/api-tasks", {
    tag: "Tasks",
    endpoints: [
      {
        method: "get",
        operationId: "listTasks",
        readsOneAs: "getTask",
        summary: "List tasks, newest first, or read one",
        query: tasksQuery,
        success: { status: 200, schema: z.union([z.array(taskRecord), taskRecord]) },
        handle: read,
      },
      {
        method: "post",
        operationId: "createTask",
        summary: "Create a task; with an agent, it is dispatched immediately",
        body: taskCreate,
        success: { status: 201, schema: taskRecord },
        handle: create,
      },
      {
        method: "patch",
        operationId: "updateTask",
        summary: "Change, dispatch, restart or cancel a task",
        query: idQuery,
        body: taskPatch,
        success: { status: 200, schema: taskRecord },
        handle: update,
      },
      {
        method: "delete",
        operationId: "deleteTask",
        summary: "Delete a task; an unfinished one is cancelled first",
        query: idQuery,
        success: { status: 204 },
        handle: remove,
      },
    ],
  });
}

async function read(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id, limit, cursor, status } = readQuery(c, tasksQuery);
  const who = c.get("principal");
  if (id !== undefined) {
    return respond(c, await withTask(services, who, { id, act: (taskId) => getTask(services, who, taskId) }));
  }
  return respondPage(c, await listPage(services, who, { of: "task", ...pageOf({ limit, cursor }), status }));
}

async function create(c: HttpContext, services: HttpServices): Promise<Response> {
  const input = await readBody(c, taskCreate, TASK_READ_ONLY);
  return respond(c, await createTask(services, c.get("principal"), input), 201);
}

async function update(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id } = readQuery(c, idQuery);
  const patch = await readBody(c, taskPatch, [...TASK_READ_ONLY, ...TASK_UNCHANGEABLE]);
  const who = c.get("principal");
  const act = (taskId: string) => updateTask(services, who, { id: taskId, patch });
  return respond(c, await withTask(services, who, { id, act }));
}

async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
  const who = c.get("principal");
  const { id } = readQuery(c, idQuery);
  await withTask(services, who, { id, act: (taskId) => deleteTask(services, who, taskId) });
  return c.body(null, 204);
}
