import { AppError, notFound } from "#domain/errors.ts";
import type { Principal } from "#domain/principal.ts";
import { isTerminal, sourcesOf } from "#domain/task.ts";
import type { TaskCreate, TaskPatch, TaskStatus } from "#domain/task.ts";
import type { Transaction } from "#db/database.ts";
import { readRecord, readRecordIn } from "#db/queries/records.ts";
import * as rows from "#db/queries/tasks.ts";
import type { LockedTask } from "#db/queries/tasks.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/json-text.ts";
import { settle } from "#lib/settle.ts";
import { cancelInTransaction } from "./cancel-task.ts";
import type { Services } from "./context.ts";

/** The constraint that keeps a task's agent in the task's workspace. */
const AGENT_REFERENCE = "tasks_agent_fkey";

/**
 * Creates a task; one with an agent is dispatched in the same transaction.
 * @throws AppError `not_found` when the workspace has no such agent.
 */
export async function createTask(services: Services, who: Principal, input: TaskCreate): Promise<JsonText> {
  const id = newId();
  const { workspaceId } = who;
  const agentId = input.assigned_agent_id ?? null;
  const record = await services.db
    .inWorkspace(who, async (tx) => {
      const [, , , created] = await settle([
        rows.insertTask(tx, {
          id,
          workspace_id: workspaceId,
          title: input.title,
          description: input.description,
          priority: input.priority,
          status: agentId === null ? "pending" : "dispatched",
          assigned_agent_id: agentId,
          metadata: input.metadata,
          created_by: who.userId,
        }),
        rows.openTaskStream(tx, id),
        agentId === null ? undefined : rows.enqueueRun(tx, id),
        readRecordIn(tx, "task", id),
      ]);
      return created;
    })
    .catch(refuseUnknownAgent);
  if (agentId !== null) services.queue.wake(workspaceId);
  return found(record);
}

/** Reads a task. @throws AppError `not_found`. */
export async function getTask(services: Services, who: Principal, id: string): Promise<JsonText> {
  return found(await readRecord(services.db, who, "task", id));
}

/**
 * Changes a task. Assigning an agent to a pending task dispatches it; `status: dispatched` starts
 * a pending task or runs an ended one again; `status: cancelled` stops it.
 * @throws AppError `not_found` for the task or the agent; `conflict` naming both states for a
 * change that the task's state does not allow.
 */
export async function updateTask(
  services: Services,
  who: Principal,
  change: { readonly id: string; readonly patch: TaskPatch },
): Promise<JsonText> {
  const { status, ...fields } = change.patch;
  const record = await services.db
    .inWorkspace(who, async (tx) => {
      const task = await rows.lockTask(tx, change.id);
      if (task === undefined) throw notFound("Task");
      checkChange(task, change.patch);
      if (Object.keys(fields).length > 0) await rows.updateTask(tx, change.id, fields);
      if (status === "cancelled") await cancelInTransaction(tx, change.id);
      const assigned = fields.assigned_agent_id != null && task.status === "pending" && status === undefined;
      if (status === "dispatched" || assigned) await dispatch(tx, change.id, { ...task, ...fields });
      return readRecordIn(tx, "task", change.id);
    })
    .catch(refuseUnknownAgent);
  services.queue.wake(who.workspaceId);
  services.events.publish(change.id, "look");
  return found(record);
}

/** Deletes a task with all that was recorded of it; one that has not ended is cancelled first. @throws AppError `not_found`. */
export async function deleteTask(services: Services, who: Principal, id: string): Promise<void> {
  const { attempts } = await services.db.inWorkspace(who, async (tx) => {
    const task = await rows.lockTask(tx, id);
    if (task === undefined) throw notFound("Task");
    const running = await cancelInTransaction(tx, id);
    await rows.deleteTask(tx, id);
    // The attempt that is being broken off now is forgotten when its time is up.
    return { attempts: running ? task.attempt - 1 : task.attempt };
  });
  services.queue.forget(id, attempts);
  services.events.publish(id, "look");
}

function checkChange(task: LockedTask, patch: TaskPatch): void {
  const { status, ...fields } = patch;
  if (status !== undefined) {
    const allowed = status === "cancelled" || status === "dispatched";
    if (!allowed || !sourcesOf(status).includes(task.status)) throw illegal(task.status, status);
  }
  if (Object.keys(fields).length > 0 && isTerminal(task.status) && status !== "dispatched") {
    throw new AppError(
      "conflict",
      `A task that is ${task.status} cannot be changed; set status to dispatched to run it again.`,
    );
  }
  if (fields.assigned_agent_id !== undefined && task.status !== "pending" && !isTerminal(task.status)) {
    throw new AppError("conflict", `A task that is ${task.status} keeps its agent; cancel it first.`);
  }
}

function illegal(from: string, to: string): AppError {
  return new AppError("conflict", `A task cannot go from ${from} to ${to}.`);
}

async function dispatch(
  tx: Transaction,
  taskId: string,
  task: { readonly status: TaskStatus; readonly assigned_agent_id?: string | null | undefined },
): Promise<void> {
  if (task.assigned_agent_id == null) {
    throw new AppError("conflict", `A task without an agent cannot go from ${task.status} to dispatched; assign one.`);
  }
  if (!(await rows.dispatchTask(tx, taskId, sourcesOf("dispatched")))) throw illegal(task.status, "dispatched");
  await settle([rows.openTaskStream(tx, taskId), rows.enqueueRun(tx, taskId)]);
}

/** A task's agent is checked by the database itself: a reference never leaves its workspace. */
function refuseUnknownAgent(error: unknown): never {
  const refused = error instanceof Error && "constraint" in error && error.constraint === AGENT_REFERENCE;
  throw refused ? notFound("Agent") : error;
}

function found(record: JsonText | undefined): JsonText {
  if (record === undefined) throw notFound("Task");
  return record;
}
