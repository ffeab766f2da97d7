import type { Principal } from "#domain/access/principal.ts";
import { cancelsOnDisconnect } from "#db/queries/agents/cancels-on-disconnect.ts";
import { changeWorkspace } from "../change-workspace.ts";
import type { ChangeServices } from "../change-workspace.ts";
import type { Services } from "../context.ts";
import { cancelRun } from "./cancel-run.ts";

/**
 * Call it when the client that started a task's run has disconnected: cancels the task, if its agent wants that and
 * no other client follows the run.
 */
export async function leaveRun(
  services: ChangeServices & Pick<Services, "events">,
  who: Principal,
  taskId: string,
): Promise<void> {
  if (services.events.isFollowed(taskId)) return;
  await changeWorkspace(services, who, async (tx) => {
    if (await cancelsOnDisconnect(tx, taskId)) tx.publish(...(await cancelRun(tx, taskId)));
  });
}
