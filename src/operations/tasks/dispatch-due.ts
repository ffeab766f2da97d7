import { serviceIn } from "#domain/access/role.ts";
import { dueTasks, lockDueTask } from "#db/queries/queue/due-work.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { attemptAll } from "#lib/async/attempt-all.ts";
import { dispatch } from "../runs/dispatch.ts";
import { changeWorkspace } from "../change-workspace.ts";
import type { ChangeServices } from "../change-workspace.ts";

const BATCH = 100;
/** Tasks that a process dispatches concurrently, each on its own connection. */
const AT_ONCE = 3;

/**
 * Dispatches due tasks, including those that became due while no process ran. Safe to run concurrently. Returns their
 * number.
 */
export async function dispatchDueTasks(services: ChangeServices): Promise<number> {
  return attemptAll(await dueTasks(services.db, BATCH), AT_ONCE, async ({ id, workspaceId }) => {
    return changeWorkspace(services, serviceIn(workspaceId), async (tx) => {
      const isDispatched = await dispatchIfDue(tx, workspaceId, id);
      if (isDispatched) tx.publish(id);
      return isDispatched;
    });
  });
}

/** Dispatches a pending task that has an agent or a team, if it is due. Returns whether it did. */
export async function dispatchIfDue(tx: JobTransaction, workspaceId: string, id: string): Promise<boolean> {
  const task = await lockDueTask(tx, id);
  if (task === undefined) return false;
  await dispatch(tx, { workspaceId, userId: task.createdBy }, task);
  return true;
}
