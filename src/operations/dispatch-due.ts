import { serviceIn } from "#domain/role.ts";
import type { Transaction } from "#db/database.ts";
import { dueTasks, lockDueTask } from "#db/queries/due-work.ts";
import { attemptAll } from "#lib/attempt-all.ts";
import { dispatch, queueOf } from "./assign.ts";
import type { Services } from "./context.ts";

const BATCH = 100;
/** Tasks that a process dispatches side by side, each on a connection of its own. */
const AT_ONCE = 3;

/**
 * Dispatches the tasks whose time has come, at once when it came while no process was there. Safe when several
 * processes do it. Returns how many it dispatched.
 */
export async function dispatchDueTasks(services: Pick<Services, "db" | "queue" | "events">): Promise<number> {
  return attemptAll(await dueTasks(services.db, BATCH), AT_ONCE, async ({ id, workspaceId }) => {
    const queue = await services.db.inWorkspace(serviceIn(workspaceId), (tx) => dispatchIfDue(tx, workspaceId, id));
    if (queue === undefined) return false;
    services.queue.wake(workspaceId, queue);
    services.events.publish(id, "look");
    return true;
  });
}

/** Dispatches a pending task that has an agent or a team, unless its time is still to come. Returns its queue if it did. */
export async function dispatchIfDue(tx: Transaction, workspaceId: string, id: string) {
  const task = await lockDueTask(tx, id);
  if (task === undefined) return undefined;
  await dispatch(tx, { workspaceId, userId: task.createdBy }, task);
  return queueOf(task);
}
