import type { MissedPolicy, OverlapPolicy } from "#domain/schedules/schedule.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const WRITABLE = `name, cron, time_zone, missed, overlap, is_active, assigned_agent_id, assigned_team_id, title,
  description, priority, metadata, next_times`;

/** Fields of a schedule's row, by column name. */
export type ScheduleFields = Readonly<Record<string, unknown>>;

const INSERT = statement({
  name: "insert-schedule",
  text: `
    insert into schedules (id, workspace_id, created_by, ${WRITABLE})
    select id, workspace_id, created_by, ${WRITABLE} from jsonb_populate_record(null::schedules, $1)`,
});

/** Inserts a schedule. */
export async function insertSchedule(
  tx: Transaction,
  row: ScheduleFields & { readonly id: string; readonly workspace_id: string; readonly next_times: readonly Date[] },
): Promise<void> {
  await tx.query(INSERT, [JSON.stringify(row)]);
}

const LOCK = statement({
  name: "lock-schedule",
  text: `select cron, time_zone, is_active as "isActive" from schedules where id = $1 for update`,
});

/** The fields of a schedule that determine its next times. */
export interface LockedSchedule {
  readonly cron: string;
  readonly time_zone: string;
  readonly isActive: boolean;
}

/** Reads a schedule and locks it until the transaction ends. */
export async function lockSchedule(tx: Transaction, id: string): Promise<LockedSchedule | undefined> {
  const [row] = await tx.query<LockedSchedule>(LOCK, [id]);
  return row;
}

const UPDATE = statement({
  name: "update-schedule",
  text: `
    update schedules s set (${WRITABLE}, updated_at) =
        (select ${WRITABLE}, clock_timestamp() from jsonb_populate_record(s, $2)),
      planned_at = case when $2::jsonb ? 'next_times' then clock_timestamp() else planned_at end
    where id = $1`,
});

/** Changes the given fields of a schedule. */
export async function updateSchedule(tx: Transaction, id: string, patch: ScheduleFields): Promise<void> {
  await tx.query(UPDATE, [id, JSON.stringify(patch)]);
}

const DELETE = statement({ name: "delete-schedule", text: `delete from schedules where id = $1 returning id` });

/** Deletes a schedule and its log; returns whether there was one. */
export async function deleteSchedule(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length === 1;
}

const LOCK_DUE = statement({
  name: "lock-due-schedules",
  text: `
    select s.id, s.workspace_id as "workspaceId", s.cron, s.time_zone, s.missed, s.overlap,
      s.assigned_agent_id as "agentId", s.assigned_team_id as "teamId", s.title, s.description, s.priority,
      s.metadata::text as metadata,
      s.next_times as "nextTimes", s.created_by as "createdBy", clock_timestamp() as now,
      s.planned_at > clock_timestamp() as "isMisplanned",
      array(select f.scheduled_at from schedule_fires f
        where f.schedule_id = s.id and f.outcome <> 'manual' and f.scheduled_at between s.next_at and clock_timestamp()) as logged,
      coalesce((select t.status in ('dispatched', 'running', 'waiting_for_input', 'pending')
        from runs t where t.id = s.last_task_id), false) as "isBusy"
    from schedules s
    where s.id = any($1::uuid[])
      and (s.next_at <= clock_timestamp() or s.next_at is not null and s.planned_at > clock_timestamp())
    order by s.id for update of s skip locked`,
});

/** A schedule that is due, or whose stored next time may be wrong. */
export interface DueScheduleRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly cron: string;
  readonly time_zone: string;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly agentId: string | null;
  readonly teamId: string | null;
  readonly title: string;
  readonly description: string;
  readonly priority: string;
  /** JSON. */
  readonly metadata: string;
  readonly nextTimes: readonly Date[];
  /** Whether the stored time was computed before the database's clock was set back. */
  readonly isMisplanned: boolean;
  /** Times up to now that were used before the clock was set back. */
  readonly logged: readonly Date[];
  readonly createdBy: string | null;
  /** By the database's clock. */
  readonly now: Date;
  /** Whether the task of the last firing is still open. */
  readonly isBusy: boolean;
}

/** Locks those schedules that are due and that no other transaction has locked: the transaction may fire them. */
export function lockDueSchedules(tx: Transaction, ids: readonly string[]): Promise<DueScheduleRow[]> {
  return tx.query<DueScheduleRow>(LOCK_DUE, [ids]);
}

const LOCK_TO_RUN = statement({
  name: "lock-schedule-to-run",
  text: `
    select s.overlap, s.assigned_agent_id as "agentId", s.assigned_team_id as "teamId", s.title, s.description,
      s.priority, s.metadata::text as metadata,
      coalesce((select t.status in ('dispatched', 'running', 'waiting_for_input', 'pending')
        from runs t where t.id = s.last_task_id), false) as "isBusy"
    from schedules s where s.id = $1 for update of s`,
});

/** The fields that a schedule creates tasks from, and whether the last task is still open. */
export type ScheduleToRun = Pick<
  DueScheduleRow,
  "overlap" | "agentId" | "teamId" | "title" | "description" | "priority" | "metadata" | "isBusy"
>;

/** Reads and locks a schedule, to create a task from it immediately. */
export async function lockScheduleToRun(tx: Transaction, id: string): Promise<ScheduleToRun | undefined> {
  const [row] = await tx.query<ScheduleToRun>(LOCK_TO_RUN, [id]);
  return row;
}

const NOTE_RUN = statement({
  name: "note-schedule-run",
  text: `update schedules set last_fired_at = clock_timestamp(), last_task_id = $2 where id = $1`,
});

/** Records a task created between a schedule's times. */
export async function noteScheduleRun(tx: Transaction, id: string, taskId: string): Promise<void> {
  await tx.query(NOTE_RUN, [id, taskId]);
}

const READ_FIRE = statement({
  name: "read-schedule-fire",
  text: `select to_json(r)::text as record from schedule_fire_records r where r.id = $1`,
});

/** Reads an entry of a schedule's log, as JSON. */
export async function readFire(tx: Transaction, id: string): Promise<JsonText> {
  const [row] = await tx.query<{ record: JsonText }>(READ_FIRE, [id]);
  if (row === undefined) throw new Error("What was logged in this transaction is there.");
  return row.record;
}

const LOG = statement({
  name: "log-schedule-fires",
  text: `
    insert into schedule_fires (id, workspace_id, schedule_id, scheduled_at, outcome, ticks, task_id)
    select id, workspace_id, schedule_id, scheduled_at, outcome, ticks, task_id
    from jsonb_populate_recordset(null::schedule_fires, $1)`,
});

/** The outcome of a schedule's time, or of several skipped ones. */
export interface FireRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly schedule_id: string;
  readonly scheduled_at: Date;
  readonly outcome: "fired" | "missed" | "overlap" | "quota" | "manual";
  readonly ticks: number;
  readonly task_id: string | null;
}

/** Writes the outcomes of schedules' times. @throws when one of them is in the log already */
export async function logFires(tx: Transaction, fires: readonly FireRow[]): Promise<void> {
  await tx.query(LOG, [JSON.stringify(fires)]);
}

const ADVANCE = statement({
  name: "advance-schedules",
  text: `
    update schedules s set next_times = i."nextTimes", planned_at = clock_timestamp(),
      last_fired_at = case when i."lastTaskId" is null then s.last_fired_at else clock_timestamp() end,
      last_task_id = coalesce(i."lastTaskId", s.last_task_id)
    from jsonb_to_recordset($1) as i (id uuid, "nextTimes" timestamptz[], "lastTaskId" uuid)
    where s.id = i.id and s.id = any($2::uuid[])`,
});

/** A schedule that has fired. */
export interface AdvancedSchedule {
  readonly id: string;
  readonly nextTimes: readonly Date[];
  /** The task created now, if any. */
  readonly lastTaskId: string | null;
}

/** Sets the next times of schedules. */
export async function advanceSchedules(tx: Transaction, schedules: readonly AdvancedSchedule[]): Promise<void> {
  // The ids once more as an array: the planner finds those rows by their index.
  await tx.query(ADVANCE, [JSON.stringify(schedules), schedules.map(({ id }) => id)]);
}
