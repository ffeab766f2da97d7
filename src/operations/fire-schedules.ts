import { timesAhead } from "#domain/cron.ts";
import { serviceIn } from "#domain/role.ts";
import { planFires } from "#domain/schedule.ts";
import type { FirePlan } from "#domain/schedule.ts";
import { dueSchedules } from "#db/queries/due-work.ts";
import type { DueRow } from "#db/queries/due-work.ts";
import type { JobTransaction } from "#db/queries/jobs.ts";
import { advanceSchedule, lockDueSchedule, logFires } from "#db/queries/schedules.ts";
import type { DueScheduleRow, FireRow } from "#db/queries/schedules.ts";
import { attemptAll } from "#lib/attempt-all.ts";
import { newId } from "#lib/ids.ts";
import { settle } from "#lib/settle.ts";
import type { Services } from "./context.ts";
import { insertDispatched } from "./insert-dispatched.ts";
import { withJobs } from "./with-jobs.ts";

const BATCH = 100;
/** Schedules that a process fires side by side, each on a connection of its own. */
const AT_ONCE = 3;

/**
 * Makes the tasks of schedules whose time has come. A schedule is moved on, its tasks are made and its log is written
 * in one transaction that holds it: so each time is used once, with any number of processes and whenever one dies.
 * One that was planned by a clock that has been set back since is planned anew.
 * Returns how many schedules it moved on.
 */
export async function fireDueSchedules(services: Pick<Services, "db" | "queue">): Promise<number> {
  return attemptAll(await dueSchedules(services.db, BATCH), AT_ONCE, (row) => fireOne(services, row));
}

function fireOne(services: Pick<Services, "db" | "queue">, { id, workspaceId }: DueRow): Promise<boolean> {
  return withJobs(services, serviceIn(workspaceId), async (tx) => {
    const schedule = await lockDueSchedule(tx, id);
    if (schedule === undefined) return false;
    await fire(tx, schedule);
    return true;
  });
}

async function fire(tx: JobTransaction, schedule: DueScheduleRow): Promise<void> {
  const plan = planFires(schedule, schedule.now);
  const tasks = plan.fired.map(() => newId());
  const nextTimes = timesAhead(schedule, schedule.isMisplanned ? [] : schedule.nextTimes, schedule.now);
  await settle([
    ...plan.fired.map((time, index) => makeTask(tx, schedule, { id: tasks[index] ?? newId(), time })),
    logFires(tx, logOf(schedule, plan, tasks)),
    advanceSchedule(tx, schedule.id, { nextTimes, lastTaskId: tasks.at(-1) ?? null }),
  ]);
}

function makeTask(
  tx: JobTransaction,
  schedule: DueScheduleRow,
  { id, time }: { readonly id: string; readonly time: Date },
): Promise<void> {
  const author = { workspaceId: schedule.workspaceId, userId: schedule.createdBy };
  return insertDispatched(tx, author, { ...schedule, id, scheduledFor: time.toISOString() });
}

function logOf({ id, workspaceId }: DueScheduleRow, plan: FirePlan, tasks: readonly string[]): readonly FireRow[] {
  const row = (outcome: FireRow["outcome"], scheduled_at: Date) => ({
    id: newId(),
    workspace_id: workspaceId,
    schedule_id: id,
    scheduled_at,
    outcome,
    ticks: 1,
    task_id: null,
  });
  return [
    ...plan.missed.slice(0, 1).map((time) => ({ ...row("missed", time), ticks: plan.missed.length })),
    ...plan.overlapping.slice(0, 1).map((time) => ({ ...row("overlap", time), ticks: plan.overlapping.length })),
    ...plan.fired.map((time, index) => ({ ...row("fired", time), task_id: tasks[index] ?? null })),
  ];
}
