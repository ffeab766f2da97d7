import { AppError, notFound } from "#domain/errors.ts";
import type { Principal } from "#domain/principal.ts";
import { QUEUE_PRIORITY, isTerminal, sourcesOf, taskPriority } from "#domain/task.ts";
import type { TaskCreate, TaskPatch } from "#domain/task.ts";
import type { Transaction } from "#db/database.ts";
import { readRecord, readRecordIn } from "#db/queries/records.ts";
import * as rows from "#db/queries/tasks.ts";
import type { AgentSnapshot, LockedTask } from "#db/queries/tasks.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/json-text.ts";
import { settle } from "#lib/settle.ts";
import { cancelInTransaction } from "./cancel-task.ts";
import type { Services } from "./context.ts";

/**
 * Creates a task; one with an agent is dispatched in the same transaction.
 * @throws AppError `not_found` when the workspace has no such agent.
 */
export async function createTask(services: Services, who: Principal, input: TaskCreate): Promise<JsonText> {
  const id = newId();
  return services.db.inWorkspace(who.workspaceId, async (tx) => {
    const agentId = input.assigned_agent_id ?? null;
    const agent = agentId === null ? undefined : await readAgent(tx, agentId);
    const inserted = rows.insertTask(tx, {
      id,
      workspace_id: who.workspaceId,
      title: input.title,
      description: input.description,
      priority: input.priority,
      status: agent === undefined ? "pending" : "dispatched",
      assigned_agent_id: agentId,
      metadata: input.metadata,
      created_by: who.userId,
    });
    const [, , record] = await settle([
      inserted,
      rows.openTaskStream(tx, id),
      readRecordIn(tx, "task", id),
      agent && enqueue(services, tx, { ...input, id, workspaceId: who.workspaceId, attempt: 1, agent }),
    ]);
    return found(record);
  });
}

/** Reads a task. @throws AppError `not_found`. */
export async function getTask(services: Services, who: Principal, id: string): Promise<JsonText> {
  return found(await readRecord(services.db, who.workspaceId, "task", id));
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
  const record = await services.db.inWorkspace(who.workspaceId, async (tx) => {
    const task = await rows.lockTask(tx, change.id);
    if (task === undefined) throw notFound("Task");
    checkChange(task, change.patch);
    const agent = fields.assigned_agent_id == null ? undefined : await readAgent(tx, fields.assigned_agent_id);
    if (Object.keys(fields).length > 0) await rows.updateTask(tx, change.id, fields);
    if (status === "cancelled") await cancelInTransaction(tx, change.id);
    const dispatch = status === "dispatched" || (agent !== undefined && task.status === "pending");
    if (!dispatch) return readRecordIn(tx, "task", change.id);
    return dispatchAgain(services, tx, { who, id: change.id, task: { ...task, ...defined(fields) } });
  });
  services.events.publish(change.id, "look");
  return found(record);
}

/** Deletes a task; one that has not ended is cancelled first. @throws AppError `not_found`. */
export async function deleteTask(services: Services, who: Principal, id: string): Promise<void> {
  await services.db.inWorkspace(who.workspaceId, async (tx) => {
    if ((await rows.lockTask(tx, id)) === undefined) throw notFound("Task");
    await cancelInTransaction(tx, id);
    await rows.deleteTask(tx, id);
  });
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

async function dispatchAgain(
  services: Services,
  tx: Transaction,
  { who, id, task }: { readonly who: Principal; readonly id: string; readonly task: LockedTask },
): Promise<JsonText | undefined> {
  if (task.assigned_agent_id === null) {
    throw new AppError("conflict", `A task without an agent cannot go from ${task.status} to dispatched; assign one.`);
  }
  const agent = await readAgent(tx, task.assigned_agent_id);
  const attempt = await rows.dispatchTask(tx, id, sourcesOf("dispatched"));
  if (attempt === undefined) throw illegal(task.status, "dispatched");
  await rows.openTaskStream(tx, id);
  const record = await readRecordIn(tx, "task", id);
  await enqueue(services, tx, { ...task, id, workspaceId: who.workspaceId, attempt, agent });
  return record;
}

async function enqueue(
  services: Services,
  tx: Transaction,
  task: {
    readonly id: string;
    readonly workspaceId: string;
    readonly attempt: number;
    readonly title: string;
    readonly description: string;
    readonly priority: string;
    readonly agent: AgentSnapshot;
  },
): Promise<void> {
  const { id: taskId, workspaceId, attempt, title, description, agent } = task;
  await services.queue.enqueueRun(
    tx,
    { workspaceId, taskId, attempt, title, description, agent },
    QUEUE_PRIORITY[taskPriority.parse(task.priority)],
  );
}

async function readAgent(tx: Transaction, agentId: string): Promise<AgentSnapshot> {
  const agent = await rows.readAgentSnapshot(tx, agentId);
  if (agent === undefined) throw notFound("Agent");
  return agent;
}

function found(record: JsonText | undefined): JsonText {
  if (record === undefined) throw notFound("Task");
  return record;
}

function defined(fields: Omit<TaskPatch, "status">): Partial<LockedTask> {
  const { title, description, priority, assigned_agent_id } = fields;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(priority !== undefined && { priority }),
    ...(assigned_agent_id !== undefined && { assigned_agent_id }),
  };
}
