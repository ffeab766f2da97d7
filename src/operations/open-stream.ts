import { AppError } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import type { Principal } from "#domain/principal.ts";
import { findAttempt, findStream } from "#db/queries/task-events.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import type { Services } from "./context.ts";
import { followEvents } from "./follow-events.ts";

/** Which stream to open, and from where. */
export interface StreamRequest {
  readonly agentId: string;
  readonly taskId: string;
  /** Which attempt to read; absent: the current one, or what follows `lastSeen`. */
  readonly attempt?: number | undefined;
  /** The number of the last event that the reader has; absent: none. */
  readonly lastSeen?: number | undefined;
  readonly signal: AbortSignal;
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
  const { agentId, taskId, attempt, lastSeen, signal } = request;
  if (!isUuid(agentId)) throw unknownAgent();
  const found = await findStream(services.db, who, { agentId, taskId: isUuid(taskId) ? taskId : null });
  if (found === undefined) throw unknownAgent();
  if (found.first_seq === null) throw new AppError("not_found", "Task not found for this agent");
  const follow = (after: number) => followEvents(services, { tenant: who, taskId, after, signal });
  if (attempt === undefined) return follow(lastSeen ?? found.first_seq - 1);
  if (attempt === found.attempt) return follow(Math.max(lastSeen ?? 0, found.first_seq - 1));
  const log = await findAttempt(services.db, who, { taskId, attempt });
  if (log === undefined) throw new AppError("not_found", `Attempt ${attempt} of this task not found`);
  const after = Math.max(lastSeen ?? 0, log.first_seq - 1);
  return after < log.last_seq ? follow(after) : nothing();
}

async function* nothing(): AsyncGenerator<never> {}

function unknownAgent(): AppError {
  return new AppError("not_found", "Agent not found in workspace");
}
