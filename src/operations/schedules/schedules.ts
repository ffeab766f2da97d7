import { assertNotFinerThan, timesAfter } from "#domain/schedules/cron.ts";
import type { Timing } from "#domain/schedules/cron.ts";
import { notFound, orNotFound } from "#domain/errors.ts";
import type { ScheduleCreate, SchedulePatch } from "#domain/schedules/schedule.ts";
import type { Transaction } from "#db/database.ts";
import { databaseTime } from "#db/queries/queue/due-work.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import * as rows from "#db/queries/schedules/schedules.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";
import { replaceAssignee } from "../tasks/task-template.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Schedule");

/**
 * Creates a schedule and plans its first fire.
 * @throws AppError `bad_request` for the pattern, the time zone, or an unknown agent or team.
 */
export async function createSchedule(workspace: Workspace, input: ScheduleCreate): Promise<JsonText> {
  const id = newId();
  return workspace.transaction(async (tx) => {
    const next_times = await timesFromNow(tx, workspace, input);
    await rows.insertSchedule(tx, {
      ...input,
      id,
      workspace_id: workspace.who.workspaceId,
      created_by: workspace.who.userId,
      next_times: input.is_active ? next_times : [],
    });
    return found(await readRecord(tx, "schedule", id));
  });
}

/**
 * Returns the next fires of a pattern, as {@link createSchedule} would plan them.
 * @throws AppError `bad_request` for the pattern or the time zone.
 */
export async function previewTimes(
  { db, scheduleMinSeconds }: Pick<Services, "db" | "scheduleMinSeconds">,
  timing: Timing,
): Promise<readonly Date[]> {
  return db.transaction((tx) => timesFromNow(tx, { scheduleMinSeconds }, timing));
}

/** Reads a schedule. @throws AppError `not_found`. */
export async function getSchedule(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "schedule", id));
}

/**
 * Changes a schedule. A new pattern or time zone applies from now on. A resumed schedule does not make up for the fires
 * during its pause.
 * @throws AppError `not_found`; `bad_request` as in {@link createSchedule}.
 */
export async function updateSchedule(
  workspace: Workspace,
  change: { readonly id: string; readonly patch: SchedulePatch },
): Promise<JsonText> {
  const { id } = change;
  const patch = replaceAssignee(change.patch);
  return workspace.transaction(async (tx) => {
    const current = found(await rows.lockSchedule(tx, id));
    await rows.updateSchedule(tx, id, { ...patch, ...(await newTimes(tx, workspace, { current, patch })) });
    return found(await readRecord(tx, "schedule", id));
  });
}

/** Deletes a schedule with its log; its tasks remain. @throws AppError `not_found`. */
export async function deleteSchedule(workspace: Workspace, id: string): Promise<void> {
  if (!(await workspace.transaction((tx) => rows.deleteSchedule(tx, id)))) throw notFound("Schedule");
}

async function newTimes(
  tx: Transaction,
  services: Services,
  { current, patch }: { readonly current: rows.LockedSchedule; readonly patch: SchedulePatch },
) {
  const { cron = current.cron, time_zone = current.time_zone, is_active = current.isActive } = patch;
  const isSame = cron === current.cron && time_zone === current.time_zone && is_active === current.isActive;
  if (isSame) return {};
  const next_times = await timesFromNow(tx, services, { cron, time_zone });
  return { next_times: is_active ? next_times : [] };
}

async function timesFromNow(
  tx: Transaction,
  { scheduleMinSeconds }: Pick<Services, "scheduleMinSeconds">,
  timing: Timing,
): Promise<readonly Date[]> {
  const times = timesAfter(timing, await databaseTime(tx));
  assertNotFinerThan(scheduleMinSeconds, times);
  return times;
}
