import { nextTimes } from "#domain/schedules/cron.ts";
import { AppError } from "#domain/errors.ts";
import { serviceIn } from "#domain/access/role.ts";
import { planFires } from "#domain/schedules/schedule.ts";
import type { FirePlan } from "#domain/schedules/schedule.ts";
import { dueSchedules } from "#db/queries/queue/due-work.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { advanceSchedules, lockDueSchedules, logFires } from "#db/queries/schedules/schedules.ts";
import type { DueScheduleRow, FireRow } from "#db/queries/schedules/schedules.ts";
import { isOutage } from "#db/retry-outage.ts";
import type { DueRow } from "#db/queries/queue/due-work.ts";
import { attemptAll } from "#lib/async/attempt-all.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { insertDispatched } from "../tasks/insert-dispatched.ts";
import { changeWorkspace } from "../change-workspace.ts";
import type { ChangeServices } from "../change-workspace.ts";

/** Schedules that are fired at a poll. */
const MAX_DUE = 1_000;
/** Schedules that are fired in one transaction. */
const BATCH = 50;
/** Transactions that a process has open for them concurrently, each on its own connection. */
const AT_ONCE = 3;

/**
 * Creates the tasks of due schedules. One transaction locks some schedules of a workspace, sets their next fires, creates
 * their tasks and writes their logs. Each fire is therefore used once, with any number of processes and after any crash.
 * A schedule that was planned before the clock was set back is planned again. Returns the number of schedules.
 */
export async function fireDueSchedules(services: ChangeServices): Promise<number> {
  const due = await dueSchedules(services.db, MAX_DUE);
  return attemptAll(batchesOf(due), AT_ONCE, (batch) => fireBatch(services, batch));
}

interface Batch {
  readonly workspaceId: string;
  readonly ids: readonly string[];
}

function batchesOf(due: readonly DueRow[]): readonly Batch[] {
  return [...Map.groupBy(due, ({ workspaceId }) => workspaceId)].flatMap(([workspaceId, rows]) => {
    const starts = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, index) => index * BATCH);
    return starts.map((start) => ({ workspaceId, ids: rows.slice(start, start + BATCH).map(({ id }) => id) }));
  });
}

/** Fires schedules together; one by one if they cannot be, so that none keeps the others from being fired. */
async function fireBatch(services: ChangeServices, batch: Batch): Promise<number> {
  const { workspaceId, ids } = batch;
  const [id] = ids;
  return advance(services, batch, fire).catch(async (error: unknown) => {
    if (ids.length > 1 && !isOutage(error)) {
      return attemptAll(ids, 1, (one) => fireBatch(services, { workspaceId, ids: [one] }));
    }
    if (id !== undefined && error instanceof AppError && error.code === "quota_exceeded") {
      return advance(services, batch, skip);
    }
    throw error;
  });
}

/** Moves those of the schedules that are due; returns their number. */
function advance(
  services: ChangeServices,
  { workspaceId, ids }: Batch,
  move: (schedule: DueScheduleRow) => Move,
): Promise<number> {
  return changeWorkspace(services, serviceIn(workspaceId), async (tx) => {
    const schedules = await lockDueSchedules(tx, ids);
    if (schedules.length === 0) return 0;
    const moves = schedules.map((schedule) => ({ schedule, ...move(schedule) }));
    await allSettledOrThrow([
      ...moves.flatMap(({ schedule, tasks }) => tasks.map((task) => makeTask(tx, schedule, task))),
      logFires(
        tx,
        moves.flatMap(({ log }) => log),
      ),
      advanceSchedules(
        tx,
        moves.map(({ schedule, tasks }) => ({
          id: schedule.id,
          nextTimes: nextTimesOf(schedule),
          lastTaskId: tasks.at(-1)?.id ?? null,
        })),
      ),
    ]);
    return moves.length;
  });
}

/** What becomes of a due schedule: its tasks, and its log. */
interface Move {
  readonly tasks: readonly ScheduledTask[];
  readonly log: readonly FireRow[];
}

interface ScheduledTask {
  readonly id: string;
  readonly time: Date;
}

function fire(schedule: DueScheduleRow): Move {
  const plan = planFires(schedule, schedule.now);
  const tasks = plan.fired.map((time) => ({ id: newId(), time }));
  const log = [
    ...logOf(schedule, plan),
    ...tasks.map(({ id, time }) => ({ ...rowOf(schedule, "fired", time), task_id: id })),
  ];
  return { tasks, log };
}

/** Sets the next fire without a task: the workspace's quota is exhausted. */
function skip(schedule: DueScheduleRow): Move {
  const plan = planFires(schedule, schedule.now);
  return { tasks: [], log: [...logOf(schedule, plan), ...mergeSkipped(schedule, "quota", plan.fired)] };
}

function nextTimesOf(schedule: DueScheduleRow): readonly Date[] {
  return nextTimes(schedule, schedule.isMisplanned ? [] : schedule.nextTimes, schedule.now);
}

function makeTask(tx: JobTransaction, schedule: DueScheduleRow, { id, time }: ScheduledTask): Promise<void> {
  const author = { workspaceId: schedule.workspaceId, userId: schedule.createdBy };
  return insertDispatched(tx, author, {
    ...schedule,
    id,
    scheduledFor: time.toISOString(),
    source: { kind: "schedule", id: schedule.id },
  });
}

/** The log of the fires that are not used. */
function logOf(schedule: DueScheduleRow, plan: FirePlan): readonly FireRow[] {
  return [...mergeSkipped(schedule, "missed", plan.missed), ...mergeSkipped(schedule, "overlap", plan.overlapping)];
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
