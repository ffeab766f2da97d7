import { AppError } from "#domain/errors.ts";
import { requireRole } from "#domain/access/role.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import { updateTask } from "../../tasks/tasks.ts";
import { getConversationTask } from "./read-tasks.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";
import type { Workspace } from "../../workspace.ts";

/**
 * Cancels a task and returns its new state.
 * @throws AppError `not_found`; `conflict` when it has ended; `forbidden`.
 */
export async function cancelConversationTask(
  workspace: Workspace,
  of: { readonly taskId: string; readonly agentId: string | undefined },
): Promise<ConversationTask> {
  requireRole(workspace.who, "member");
  const { id, status } = await getConversationTask(workspace, of);
  if (isTerminal(status)) throw new AppError("conflict", `The task is ${status} and cannot be cancelled.`);
  await updateTask(workspace, { id, patch: { status: "cancelled" } });
  return getConversationTask(workspace, of);
}
