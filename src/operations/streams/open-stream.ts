import { AppError, notFound } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import { findThreadTask } from "#db/queries/tasks/agent-threads.ts";
import type { ThreadKey } from "#db/queries/tasks/agent-threads.ts";
import { findAttempt, findRunStream } from "#db/queries/streams/task-events.ts";
import type { StreamHead } from "#db/queries/streams/task-events.ts";
import { findThread } from "../tasks/find-thread.ts";
import { followEvents } from "./follow-events.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";
import type { Workspace } from "../workspace.ts";

/** The part of a log to read, and until when. */
export interface Reading {
  /** The number of the last event that the reader has; absent for none. */
  readonly lastSeen?: number | undefined;
  /** The number of an event that the reader has, although it reads the log from an earlier one; it must exist. */
  readonly hasSeen?: number | undefined;
  readonly signal: AbortSignal;
}

/** The attempt of a task or a run to read. */
interface AttemptReading extends Reading {
  /** Absent: the current one, or the one after `lastSeen`. */
  readonly attempt?: number | undefined;
}

/** The stream of a task to open. */
export interface StreamRequest extends AttemptReading, ThreadKey {}

/** Batches of events as they occur; undefined when the log is closed and the reader has its last event. */
export type EventStream = AsyncIterable<readonly LoggedEvent[]> | undefined;

/**
 * Opens the stream of a thread's task, for its current attempt or a requested one.
 * @throws AppError `not_found` when the workspace has no such agent, the agent no such thread, or the log no such
 * attempt; `bad_request` when `lastSeen` or `hasSeen` is beyond the end of the log.
 */
export async function openStream(workspace: Workspace, request: StreamRequest): Promise<EventStream> {
  const current = await findThread(workspace, request);
  return followAttempt(workspace, { ...request, id: current.taskId, what: "task", current });
}

/** Opens the stream of a task that this process has just created; call it before any other await. */
export function openNewStream(
  workspace: Workspace,
  { taskId, signal }: { readonly taskId: string; readonly signal: AbortSignal },
): NonNullable<EventStream> {
  return followEvents(workspace, { tenant: workspace.who, logId: taskId, attempt: 1, after: 0, hasAll: true, signal });
}

/**
 * Opens the stream of a team run in the same way.
 * @throws AppError `not_found` when the workspace has no such run, or its log no such attempt; `bad_request` as {@link
 * openStream}.
 */
export async function openRunStream(
  workspace: Workspace,
  request: AttemptReading & { readonly runId: string },
): Promise<EventStream> {
  const { runId } = request;
  const current = isUuid(runId) ? await findRunStream(workspace, runId) : undefined;
  if (current === undefined) throw new AppError("not_found", "Run not found");
  return followAttempt(workspace, { ...request, id: runId, what: "run", current });
}

/**
 * Returns the id of a thread's task.
 * @throws AppError `not_found` when the workspace's agent has no such thread.
 */
export async function resolveThread(workspace: Workspace, key: ThreadKey): Promise<string> {
  const taskId = isUuid(key.agentId) ? await findThreadTask(workspace, key) : undefined;
  if (taskId === undefined) throw notFound("Task");
  return taskId;
}

interface FoundLog extends AttemptReading {
  /** The id of the task or the team run that the log belongs to. */
  readonly id: string;
  readonly what: "task" | "run";
  readonly current: StreamHead & { readonly attempt: number };
}

async function followAttempt(workspace: Workspace, log: FoundLog): Promise<EventStream> {
  const { id: logId, what, current, attempt, lastSeen, hasSeen = 0, signal } = log;
  if (Math.max(lastSeen ?? 0, hasSeen) > current.last_seq) {
    throw new AppError("bad_request", `Last-Event-ID is beyond the last event of this ${what} (${current.last_seq})`);
  }
  const follow = (after: number) =>
    followEvents(workspace, { tenant: workspace.who, logId, attempt: current.attempt, after, signal });
  if (attempt === undefined || attempt === current.attempt) {
    if (current.closed && lastSeen === current.last_seq) return undefined;
    const start = current.first_seq - 1;
    return follow(attempt === undefined ? (lastSeen ?? start) : Math.max(lastSeen ?? 0, start));
  }
  const earlier = await findAttempt(workspace, { logId, attempt });
  if (earlier === undefined) throw new AppError("not_found", `Attempt ${attempt} of this ${what} not found`);
  const after = Math.max(lastSeen ?? 0, earlier.first_seq - 1);
  return after < earlier.last_seq ? follow(after) : undefined;
}
