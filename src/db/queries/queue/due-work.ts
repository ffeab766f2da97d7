import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** SQL: no row of a workspace that the operator holds; what is due there waits for the release. */
export const notHeld = (row: string) =>
  `${row}.workspace_id <> all (array(select w.id from workspaces w where w.held_at is not null))`;
const NOT_HELD = notHeld("s");

const NEXT_DUE = statement({
  name: "next-due",
  text: `
    with earliest as materialized (
      select least(
        (select q.deadline from task_questions q where isfinite(q.deadline) and ${notHeld("q")} order by q.deadline limit 1),
        (select r.scheduled_for from runs r
          where r.status = 'pending' and r.scheduled_for is not null and (r.agent_id is not null or r.team_id is not null)
          order by r.scheduled_for limit 1),
        (select s.next_at from schedules s where s.next_at is not null and ${NOT_HELD} order by s.next_at limit 1),
        (select a.check_at from alerts a where a.check_at is not null order by a.check_at limit 1),
        (select k.warn_at from api_keys k where k.warn_at is not null order by k.warn_at limit 1),
        (select clock_timestamp() from (
          select s.planned_at from schedules s
          where s.next_at is not null and ${NOT_HELD} order by s.planned_at desc limit 1) newest
          where newest.planned_at > clock_timestamp())) as due
    )
    select extract(epoch from due)::double precision * 1000 as due,
      extract(epoch from due - clock_timestamp())::double precision * 1000 as "inMs"
    from earliest where due is not null`,
});

/** The time of the next scheduled work. */
export interface NextDue {
  /** By the database's clock, in milliseconds since 1970. */
  readonly due: number;
  /** Milliseconds from now; 0 or less when it is due. */
  readonly inMs: number;
}

/** Reads the earliest deadline, scheduled task, schedule, check of an alert and warning of a key; undefined when there is none. */
export async function nextDue(db: Database): Promise<NextDue | undefined> {
  const [row] = await db.query<NextDue>(NEXT_DUE);
  return row;
}

/** A due row, and its workspace. */
export interface DueRow {
  readonly id: string;
  readonly workspaceId: string;
}

const DUE_TASKS = statement({
  name: "due-tasks",
  text: `
    select id, workspace_id as "workspaceId" from runs
    where status = 'pending' and scheduled_for is not null
      and (agent_id is not null or team_id is not null) and scheduled_for <= clock_timestamp()
    order by scheduled_for limit $1`,
});

/** Scheduled tasks that are due, earliest first. */
export function dueTasks(db: Database, limit: number): Promise<DueRow[]> {
  return db.query<DueRow>(DUE_TASKS, [limit]);
}

const DUE_SCHEDULES = statement({
  name: "due-schedules",
  text: `
    (select s.id, s.workspace_id as "workspaceId" from schedules s
      where s.next_at is not null and s.next_at <= clock_timestamp() and ${NOT_HELD} order by s.next_at limit $1)
    union
    (select s.id, s.workspace_id from schedules s
      where s.next_at is not null and s.planned_at > clock_timestamp() and ${NOT_HELD}
      order by s.planned_at desc limit $1)`,
});

/** Schedules that are due, earliest first. */
export function dueSchedules(db: Database, limit: number): Promise<DueRow[]> {
  return db.query<DueRow>(DUE_SCHEDULES, [limit]);
}

const LOCK_DUE_TASK = statement({
  name: "lock-due-task",
  narrows: ["status"],
  text: `
    select id, status, title, description, agent_id as "agentId", team_id as "teamId",
      created_by as "createdBy"
    from runs
    where id = $1 and kind = 'task' and status = 'pending'
      and (scheduled_for is null or scheduled_for <= clock_timestamp()) and (agent_id is not null or team_id is not null)
    for update skip locked`,
});

/** A pending task that can be dispatched. */
export interface DueTask {
  readonly id: string;
  readonly status: "pending";
  readonly title: string;
  readonly description: string;
  readonly agentId: string | null;
  readonly teamId: string | null;
  readonly createdBy: string | null;
}

/**
 * Locks a task that is due for dispatch: pending, with an agent or team, and not scheduled for later. Undefined for
 * other tasks, and while another transaction has locked it.
 */
export async function lockDueTask(tx: Transaction, id: string): Promise<DueTask | undefined> {
  const [task] = await tx.query<DueTask>(LOCK_DUE_TASK, [id]);
  return task;
}

const NOW = statement({ name: "database-time", text: "select clock_timestamp() as now" });

/** The time by the database's clock. */
export async function databaseTime(tx: Transaction): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>(NOW);
  if (row === undefined) throw new Error("A select gives a row.");
  return row.now;
}
