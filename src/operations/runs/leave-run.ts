import { cancelsOnDisconnect } from "#db/queries/agents/cancels-on-disconnect.ts";
import { cancelRun } from "./cancel-run.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Call it when the client that started a task's run has disconnected: cancels the task, if its agent wants that and
 * no other client follows the run.
 */
export async function leaveRun(workspace: Workspace, taskId: string): Promise<void> {
  if (workspace.events.isFollowed(taskId)) return;
  await workspace.change(async (tx) => {
    if (await cancelsOnDisconnect(tx, taskId)) tx.publish(...(await cancelRun(tx, taskId)));
  });
}
