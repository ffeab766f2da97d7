import { AppError } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import type { Principal } from "#domain/principal.ts";
import { findAttempt, findRunStream, findStream } from "#db/queries/task-events.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import type { Services } from "./context.ts";
import { followEvents } from "./follow-events.ts";

/** What of a log is read, and how long. */
export interface Reading {
  /** The number of the last event that the reader has; absent: none. */
  readonly lastSeen?: number | undefined;
  readonly signal: AbortSignal;
}

/** Which attempt of a task or a run to read. */
interface AttemptReading extends Reading {
  /** Absent: the current one, or what follows `lastSeen`. */
  readonly attempt?: number | undefined;
}

/** Which stream of a task to open. */
export interface StreamRequest extends AttemptReading {
  readonly agentId: string;
  readonly taskId: string;
}

/**
 * Opens the stream of a task of an agent: of its current attempt, or of an earlier one that is asked for.
 * @throws AppError `not_found` when the workspace has no such agent, the agent no such task, or the log nothing
 * of that attempt.
 */
export async function openStream(
  services: Services,
  who: Principal,
  request: StreamRequest,
): Promise<AsyncGenerator<readonly LoggedEvent[]>> {
  const { agentId, taskId } = request;
  if (!isUuid(agentId)) throw unknownAgent();
  const found = await findStream(services.db, who, { agentId, taskId: isUuid(taskId) ? taskId : null });
  if (found === undefined) throw unknownAgent();
  if (found.first_seq === null) throw new AppError("not_found", "Task not found for this agent");
  return followAttempt(services, who, { ...request, id: taskId, what: "task", current: found });
}

/**
 * Opens the stream of a team's run in the same way.
 * @throws AppError `not_found` when the workspace has no such run, or its log nothing of that attempt.
 */
export async function openRunStream(
  services: Services,
  who: Principal,
  request: AttemptReading & { readonly runId: string },
): Promise<AsyncGenerator<readonly LoggedEvent[]>> {
  const { runId } = request;
  const current = isUuid(runId) ? await findRunStream(services.db, who, runId) : undefined;
  if (current === undefined) throw new AppError("not_found", "Run not found");
  return followAttempt(services, who, { ...request, id: runId, what: "run", current });
}

interface FoundLog extends AttemptReading {
  /** The task's id or the run's, under which the log stands. */
  readonly id: string;
  readonly what: "task" | "run";
  readonly current: { readonly first_seq: number; readonly attempt: number };
}

async function followAttempt(services: Services, who: Principal, log: FoundLog) {
  const { id: taskId, what, current, attempt, lastSeen, signal } = log;
  const follow = (after: number) =>
    followEvents(services, { tenant: who, taskId, attempt: current.attempt, after, signal });
  if (attempt === undefined) return follow(lastSeen ?? current.first_seq - 1);
  if (attempt === current.attempt) return follow(Math.max(lastSeen ?? 0, current.first_seq - 1));
  const earlier = await findAttempt(services.db, who, { taskId, attempt });
  if (earlier === undefined) throw new AppError("not_found", `Attempt ${attempt} of this ${what} not found`);
  const after = Math.max(lastSeen ?? 0, earlier.first_seq - 1);
  return after < earlier.last_seq ? follow(after) : nothing();
}

async function* nothing(): AsyncGenerator<never> {}

function unknownAgent(): AppError {
  return new AppError("not_found", "Agent not found in workspace");
}
