import { AppError } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import type { Principal } from "#domain/principal.ts";
import { findStream } from "#db/queries/task-events.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import type { Services } from "./context.ts";
import { followEvents } from "./follow-events.ts";

/** Which stream to open, and from where. */
export interface StreamRequest {
  readonly agentId: string;
  readonly taskId: string;
  /** The number of the last event that the reader has; absent: from the start of the current attempt. */
  readonly lastSeen?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Opens the stream of a task of an agent.
 * @throws AppError `not_found` when the workspace has no such agent, or the agent no such task.
 */
export async function openStream(
  services: Services,
  who: Principal,
  request: StreamRequest,
): Promise<AsyncGenerator<readonly LoggedEvent[]>> {
  const { agentId, taskId, lastSeen, signal } = request;
  if (!isUuid(agentId)) throw unknownAgent();
  const found = await findStream(services.db, who, { agentId, taskId: isUuid(taskId) ? taskId : null });
  if (found === undefined) throw unknownAgent();
  if (found.first_seq === null) throw new AppError("not_found", "Task not found for this agent");
  const after = lastSeen ?? found.first_seq - 1;
  return followEvents(services, { tenant: who, taskId, after, signal });
}

function unknownAgent(): AppError {
  return new AppError("not_found", "Agent not found in workspace");
}
