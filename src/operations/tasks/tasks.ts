import { isDeepStrictEqual } from "node:util";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { sourceOf } from "#domain/runs/run-source.ts";
import type { ClientRequest } from "#domain/tasks/client-request.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { isTerminal, sourcesOf } from "#domain/tasks/task-status.ts";
import { taskPatch } from "#domain/tasks/task.ts";
import type { TaskCreate, TaskPatch } from "#domain/tasks/task.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import { requireReviewed } from "#db/queries/agents/agents.ts";
import { insertFile } from "#db/queries/files/files.ts";
import type { NewFile } from "#db/queries/files/files.ts";
import { findTaskOfThread } from "#db/queries/tasks/agent-threads.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import * as rows from "#db/queries/tasks/tasks.ts";
import { lockRun } from "#db/queries/runs/lock-runs.ts";
import type { LockedRun } from "#db/queries/runs/lock-runs.ts";
import { beginLog } from "#db/queries/streams/log-heads.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { parseExactly } from "#lib/text/exact-json.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { attachFiles } from "../files/attach.ts";
import { dispatch, startTeamOn } from "../runs/dispatch.ts";
import type { AssignedTask } from "../runs/dispatch.ts";
import { capRun } from "../budgets/budgets.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { dispatchIfDue } from "./dispatch-due.ts";
import { openingEvent } from "../runs/opening-event.ts";
import { requireRunnable } from "../teams/require-runnable.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Task");

/**
 * Creates a task; one with an agent or a team is dispatched in the same transaction, unless it is due later. The run
 * of an agent starts in it as well, where this process has a slot; the record returned is that of before the start.
 * @throws AppError `not_found` when the workspace has no such agent or team; `bad_request` for a file that is unknown,
 * or attached to another task or run.
 */
export async function createTask(
  workspace: Workspace,
  input: TaskCreate & {
    readonly id?: string;
    readonly conversation?: readonly ConversationMessage[];
    readonly clientTools?: ClientTools;
    /** Files whose content is stored; they are attached. */
    readonly files?: readonly NewFile[];
    readonly clientRequest?: ClientRequest;
    /** Whether the run starts only after the commit: the rest of the transaction sees the task as dispatched. */
    readonly startsAfterCommit?: boolean;
  },
): Promise<JsonText> {
  const { id = newId() } = input;
  const { workspaceId } = workspace.who;
  const agentId = input.assigned_agent_id ?? null;
  const teamId = input.assigned_team_id ?? null;
  const scheduledFor = input.scheduled_for ?? null;
  const dispatched = scheduledFor === null && (agentId !== null || teamId !== null);
  const teamRunId = teamId === null || !dispatched ? null : newId();
  const isPlain = scheduledFor === null && teamId === null && input.attachments.length === 0 && input.budget == null;
  const record = await workspace.change(async (tx) => {
    const job = agentId === null || !dispatched ? undefined : tx.reserve("task");
    const startsNow = job?.hasSlot === true && input.startsAfterCommit !== true;
    const opening = startsNow ? openingEvent(id) : undefined;
    const created = allSettledOrThrow([
      rows.insertTask(tx, {
        id,
        workspace_id: workspaceId,
        title: input.title,
        description: input.description,
        priority: input.priority,
        status: dispatched ? "dispatched" : "pending",
        startsNow,
        assigned_agent_id: agentId,
        assigned_team_id: teamId,
        team_run_id: teamRunId,
        metadata: JSON.stringify(input.metadata),
        ...(input.conversation && { conversation: input.conversation }),
        client_tools: input.clientTools,
        client_request: input.clientRequest && JSON.stringify(input.clientRequest),
        scheduled_for: scheduledFor,
        created_by: workspace.who.userId,
        source: sourceOf(workspace.who),
        trace: tx.trace(id),
      }),
      beginLog(tx, id, opening),
      attachFiles(tx, input.attachments, { taskId: id }),
      ...(input.files ?? []).map((file) => insertFile(tx, { ...file, owner: { taskId: id } })),
      // Before the job, which reads the cap.
      input.budget == null ? undefined : capRun(tx, workspace.who, { targetId: id, budget: input.budget }),
      job?.enqueue(id, opening),
      teamRunId === null || teamId === null ? undefined : requireRunnable(tx, teamId),
      teamId === null || teamRunId === null
        ? undefined
        : startTeamOn(tx, workspace.who, { ...input, id, attempt: 1, teamId, teamRunId }),
    ]);
    if (scheduledFor !== null) {
      await created;
      if (agentId !== null) await requireReviewed(tx, agentId);
      await dispatchIfDue(tx, workspaceId, id);
    }
    const sent = allSettledOrThrow([created, readRecord(tx, "created-task", id)]);
    // The other tasks need answers before their last statement.
    if (isPlain) tx.commit();
    const [, read] = await sent;
    return read;
  });
  return found(record);
}

/**
 * Runs `act` with a task by id. Without such a task, the id may be that of a thread started by an AG-UI client.
 * @throws AppError `not_found`, and any error of `act`.
 */
export async function withTask<T>(
  workspace: Workspace,
  { id, act }: { readonly id: string; readonly act: (taskId: string) => Promise<T> },
): Promise<T> {
  try {
    return await act(id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    const taskId = await findTaskOfThread(workspace, id);
    if (taskId === undefined) throw error;
    return act(taskId);
  }
}

/** Reads a task. @throws AppError `not_found`. */
export async function getTask(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "task", id));
}

/**
 * Changes a task. Assigning an agent or a team to a pending task dispatches it. `status: dispatched` starts a pending
 * task or restarts a finished one; `status: cancelled` stops it. A pending task that is due later waits until then.
 * @throws AppError `not_found` for the task, the agent or the team; `conflict` naming both states for a change that the
 * task's state does not allow.
 */
export async function updateTask(
  workspace: Workspace,
  change: { readonly id: string; readonly patch: TaskPatch },
): Promise<JsonText> {
  const record = await workspace.change(async (tx) => {
    const task = await lockRun(tx, "task", change.id);
    if (task === undefined) throw notFound("Task");
    const patch = changesOf(task, change.patch);
    checkChange(task, patch);
    const { status, ...fields } = withOneAssignee(patch);
    if (Object.keys(fields).length > 0) await rows.updateTask(tx, change.id, fields);
    if (status === "cancelled") tx.publish(...(await cancelRun(tx, change.id)));
    if (fields.assigned_agent_id != null) await requireReviewed(tx, fields.assigned_agent_id);
    const { title, description } = { ...task, ...fields };
    const assigned = { ...task, ...assigneeOf(task, fields), title, description };
    if (await dispatchChanged(tx, workspace.who, { task: assigned, status })) {
      if (assigned.teamId !== null) await requireRunnable(tx, assigned.teamId);
    }
    tx.publish(change.id);
    return readRecord(tx, "task", change.id);
  });
  return found(record);
}

/** Dispatches a changed task if its new status says so, or if it is pending and now due; returns whether it did. */
async function dispatchChanged(
  tx: JobTransaction,
  who: Principal,
  { task, status }: { readonly task: AssignedTask; readonly status: TaskPatch["status"] },
): Promise<boolean> {
  if (status === undefined && task.status === "pending") return dispatchIfDue(tx, who.workspaceId, task.id);
  if (status === "dispatched") await dispatch(tx, who, task);
  return status === "dispatched";
}

/** A field that equals the task's is no change, so that a client can send back what it has read. */
function changesOf(task: LockedRun, patch: TaskPatch): TaskPatch {
  const scheduled_for = changesScheduledTime(task, patch) ? undefined : patch.scheduled_for;
  const { title, description, priority, status, agentId, teamId } = task;
  const stored = {
    title,
    description,
    priority,
    status,
    metadata: parseExactly(task.metadata),
    scheduled_for,
    assigned_agent_id: agentId,
    assigned_team_id: teamId,
  };
  const current = new Map<string, unknown>(Object.entries(stored));
  const changes = Object.entries(patch).filter(([name, value]) => !isDeepStrictEqual(value, current.get(name)));
  return taskPatch.parse(Object.fromEntries(changes));
}

function checkChange(task: LockedRun, patch: TaskPatch): void {
  const { status, ...fields } = patch;
  if (status !== undefined) {
    const allowed = status === "cancelled" || status === "dispatched";
    if (!allowed || !sourcesOf(status).includes(task.status)) throw invalidTransition(task.status, status);
  }
  const { metadata: _, ...others } = fields;
  if (Object.keys(others).length > 0 && isTerminal(task.status) && status !== "dispatched") {
    throw new AppError(
      "conflict",
      `A task that is ${task.status} cannot be changed; set status to dispatched to run it again.`,
    );
  }
  if (changesScheduledTime(task, patch) && (task.status !== "pending" || status !== undefined)) {
    throw new AppError("conflict", "scheduled_for can be changed while the task is pending, and not with its status.");
  }
  const reassigned = fields.assigned_agent_id !== undefined || fields.assigned_team_id !== undefined;
  if (reassigned && task.status !== "pending" && !isTerminal(task.status)) {
    throw new AppError("conflict", `A task that is ${task.status} keeps its agent or team; cancel it first.`);
  }
}

function changesScheduledTime({ scheduledFor }: LockedRun, { scheduled_for: wanted }: TaskPatch): boolean {
  if (wanted === undefined) return false;
  return (wanted === null ? undefined : Date.parse(wanted)) !== scheduledFor?.getTime();
}

function invalidTransition(from: TaskStatus, to: TaskStatus): AppError {
  const allowed = (["cancelled", "dispatched"] as const).filter((status) => sourcesOf(status).includes(from));
  return new AppError("conflict", `A task cannot go from ${from} to ${to}; it can be set to ${allowed.join(" or ")}.`);
}

/** The agent and the team that a changed task has. */
function assigneeOf({ agentId, teamId }: LockedRun, fields: TaskPatch): Pick<AssignedTask, "agentId" | "teamId"> {
  return {
    agentId: fields.assigned_agent_id === undefined ? agentId : fields.assigned_agent_id,
    teamId: fields.assigned_team_id === undefined ? teamId : fields.assigned_team_id,
  };
}

/** A new assignee replaces the previous agent or team. */
function withOneAssignee(patch: TaskPatch): TaskPatch {
  if (patch.assigned_agent_id != null) return { ...patch, assigned_team_id: null };
  if (patch.assigned_team_id != null) return { ...patch, assigned_agent_id: null };
  return patch;
}
