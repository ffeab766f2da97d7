import { AppError } from "#domain/errors.ts";
import { findRunOfTask, findThreadStream } from "#db/queries/tasks/agent-threads.ts";
import type { ThreadKey, ThreadStream } from "#db/queries/tasks/agent-threads.ts";
import { isUuid } from "#lib/ids.ts";
import type { Workspace } from "../workspace.ts";

/** A thread's task that was started, and the head of its log. */
export type StartedThread = Exclude<ThreadStream, { readonly first_seq: null }>;

/**
 * Finds a thread's task and the head of its log.
 * @throws AppError `not_found` when the workspace has no such agent, or the agent no such thread that was started; for
 * a team's task the message names the run's stream.
 */
export async function findThread(workspace: Workspace, key: ThreadKey): Promise<StartedThread> {
  const { agentId, threadId } = key;
  const found = isUuid(agentId) ? await findThreadStream(workspace, key) : undefined;
  if (found === undefined) throw new AppError("not_found", "Agent not found in workspace");
  if (found.first_seq !== null) return found;
  const runId = isUuid(threadId) ? await findRunOfTask(workspace, threadId) : undefined;
  const hint = runId === undefined ? "" : `. It is assigned to a team; stream its run: POST /ag-ui/runs/${runId}/sse`;
  throw new AppError("not_found", `Task not found for this agent${hint}`);
}
