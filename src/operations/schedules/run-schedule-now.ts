import { AppError, orNotFound } from "#domain/errors.ts";
import { databaseTime } from "#db/queries/queue/due-work.ts";
import { lockScheduleToRun, logFires, noteScheduleRun, readFire } from "#db/queries/schedules/schedules.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { insertDispatched } from "../tasks/insert-dispatched.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Creates a task of a schedule now, paused or not, and logs it; the planned fires are unchanged. Returns the log entry.
 * @throws AppError `not_found`; `conflict` when its tasks must not overlap and the last one has not ended; as for a
 * task   over the quota.
 */
export async function runScheduleNow(workspace: Workspace, scheduleId: string): Promise<JsonText> {
  return workspace.change(async (tx) => {
    const schedule = orNotFound("Schedule")(await lockScheduleToRun(tx, scheduleId));
    if (schedule.overlap === "skip" && schedule.isBusy) {
      throw new AppError("conflict", "The schedule's last task has not ended, and its tasks must not overlap.");
    }
    const [id, taskId] = [newId(), newId()];
    const author = { workspaceId: workspace.who.workspaceId, userId: workspace.who.userId };
    const source = { kind: "schedule", id: scheduleId } as const;
    await insertDispatched(tx, author, { ...schedule, id: taskId, scheduledFor: null, source });
    await logFires(tx, [
      {
        id,
        workspace_id: workspace.who.workspaceId,
        schedule_id: scheduleId,
        scheduled_at: await databaseTime(tx),
        outcome: "manual",
        ticks: 1,
        task_id: taskId,
      },
    ]);
    await noteScheduleRun(tx, scheduleId, taskId);
    return readFire(tx, id);
  });
}
