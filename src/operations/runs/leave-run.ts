import type { Principal } from "#domain/access/principal.ts";
import { cancelsOnDisconnect } from "#db/queries/agents/cancels-on-disconnect.ts";
import type { Services } from "../context.ts";
import { cancelRun } from "./cancel-run.ts";

/**
 * Call it when the client that started a task's run has disconnected: cancels the task, if its agent wants that and
 * no other client follows the run.
 */
export async function leaveRun(
  { db, events }: Pick<Services, "db" | "events">,
  who: Principal,
  taskId: string,
): Promise<void> {
  if (events.isFollowed(taskId)) return;
  const ended = await db.inWorkspace(who, async (tx) =>
    (await cancelsOnDisconnect(tx, taskId)) ? cancelRun(tx, taskId) : [],
  );
  for (const logId of ended) events.publish(logId, "grown");
}
