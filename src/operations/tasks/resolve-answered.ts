import { notFound } from "#domain/errors.ts";
import { findThreadTask, isTeamWork } from "#db/queries/tasks/agent-threads.ts";
import type { ThreadKey } from "#db/queries/tasks/agent-threads.ts";
import { isUuid } from "#lib/ids.ts";
import type { Response } from "../runs/respond.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Finds the work whose question a client of an agent answers: the task of the agent's thread, or a task or a run of a
 * team that has the agent as a member.
 * @throws AppError `not_found` when the agent has no such work.
 */
export async function resolveAnswered(
  workspace: Workspace,
  key: ThreadKey,
): Promise<Pick<Response, "subjectId" | "agentId">> {
  const { agentId, threadId } = key;
  if (!isUuid(agentId)) throw notFound("Task");
  const taskId = await findThreadTask(workspace, key);
  if (taskId !== undefined) return { subjectId: taskId, agentId };
  if (isUuid(threadId) && (await isTeamWork(workspace, key))) return { subjectId: threadId };
  throw notFound("Task");
}
