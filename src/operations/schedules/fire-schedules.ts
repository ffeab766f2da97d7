import { nextTimes } from "#domain/schedules/cron.ts";
import { AppError } from "#domain/errors.ts";
import { serviceIn } from "#domain/access/role.ts";
import { planFires } from "#domain/schedules/schedule.ts";
import type { FirePlan } from "#domain/schedules/schedule.ts";
import { dueSchedules } from "#db/queries/queue/due-work.ts";
import type { DueRow } from "#db/queries/queue/due-work.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { advanceSchedule, lockDueSchedule, logFires } from "#db/queries/schedules/schedules.ts";
import type { DueScheduleRow, FireRow } from "#db/queries/schedules/schedules.ts";
import { attemptAll } from "#lib/async/attempt-all.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { Services } from "../context.ts";
import { insertDispatched } from "../tasks/insert-dispatched.ts";
import { withJobs } from "../tasks/with-jobs.ts";

const BATCH = 100;
/** Schedules that a process fires concurrently, each on its own connection. */
const AT_ONCE = 3;

/**
 * Creates the tasks of due schedules. One transaction locks a schedule, sets its next fire, creates its tasks and
 * writes its log. Each fire is therefore used once, with any number of processes and after any crash. A schedule
 * that was planned before the clock was set back is planned again. Returns the number of schedules.
 */
export async function fireDueSchedules(services: Pick<Services, "db" | "queue">): Promise<number> {
  return attemptAll(await dueSchedules(services.db, BATCH), AT_ONCE, (row) => fireOne(services, row));
}

async function fireOne(services: Pick<Services, "db" | "queue">, { id, workspaceId }: DueRow): Promise<boolean> {
  const advance = (move: typeof fire) =>
    withJobs(services, serviceIn(workspaceId), async (tx) => {
      const schedule = await lockDueSchedule(tx, id);
      if (schedule === undefined) return false;
      await move(tx, schedule);
      return true;
    });
  return advance(fire).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "quota_exceeded") return advance(skip);
    throw error;
  });
}

async function fire(tx: JobTransaction, schedule: DueScheduleRow): Promise<void> {
  const plan = planFires(schedule, schedule.now);
  const tasks = plan.fired.map(() => newId());
  await allSettledOrThrow([
    ...plan.fired.map((time, index) => makeTask(tx, schedule, { id: tasks[index] ?? newId(), time })),
    logFires(tx, logOf(schedule, plan, tasks)),
    advanceSchedule(tx, schedule.id, { nextTimes: nextTimesOf(schedule), lastTaskId: tasks.at(-1) ?? null }),
  ]);
}

/** Sets the next fire without a task: the workspace's quota is exhausted. */
async function skip(tx: JobTransaction, schedule: DueScheduleRow): Promise<void> {
  const plan = planFires(schedule, schedule.now);
  await allSettledOrThrow([
    logFires(tx, [...logOf(schedule, { ...plan, fired: [] }, []), ...mergeSkipped(schedule, "quota", plan.fired)]),
    advanceSchedule(tx, schedule.id, { nextTimes: nextTimesOf(schedule), lastTaskId: null }),
  ]);
}

function nextTimesOf(schedule: DueScheduleRow): readonly Date[] {
  return nextTimes(schedule, schedule.isMisplanned ? [] : schedule.nextTimes, schedule.now);
}

function makeTask(
  tx: JobTransaction,
  schedule: DueScheduleRow,
  { id, time }: { readonly id: string; readonly time: Date },
): Promise<void> {
  const author = { workspaceId: schedule.workspaceId, userId: schedule.createdBy };
  return insertDispatched(tx, author, {
    ...schedule,
    id,
    scheduledFor: time.toISOString(),
    source: { kind: "schedule", id: schedule.id },
  });
}

function logOf(schedule: DueScheduleRow, plan: FirePlan, tasks: readonly string[]): readonly FireRow[] {
  return [
    ...mergeSkipped(schedule, "missed", plan.missed),
    ...mergeSkipped(schedule, "overlap", plan.overlapping),
    ...plan.fired.map((time, index) => ({ ...rowOf(schedule, "fired", time), task_id: tasks[index] ?? null })),
  ];
}

/** Logs one row for all fires that were skipped for the same reason. */
function mergeSkipped(
  schedule: DueScheduleRow,
  outcome: FireRow["outcome"],
  times: readonly Date[],
): readonly FireRow[] {
  return times.slice(0, 1).map((time) => ({ ...rowOf(schedule, outcome, time), ticks: times.length }));
}

function rowOf({ id, workspaceId }: DueScheduleRow, outcome: FireRow["outcome"], scheduled_at: Date): FireRow {
  return { id: newId(), workspace_id: workspaceId, schedule_id: id, scheduled_at, outcome, ticks: 1, task_id: null };
}
