import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import type { Services } from "../../context.ts";
import { updateTask } from "../../tasks/tasks.ts";
import { getConversationTask } from "./read-tasks.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";

/**
 * Cancels a task and returns its new state.
 * @throws AppError `not_found`; `conflict` when it has ended; `forbidden`.
 */
export async function cancelConversationTask(
  services: Services,
  who: Principal,
  of: { readonly taskId: string; readonly agentId: string | undefined },
): Promise<ConversationTask> {
  requireRole(who, "member");
  const { id, status } = await getConversationTask(services, who, of);
  if (isTerminal(status)) throw new AppError("conflict", `The task is ${status} and cannot be cancelled.`);
  await updateTask(services, who, { id, patch: { status: "cancelled" } });
  return getConversationTask(services, who, of);
}
