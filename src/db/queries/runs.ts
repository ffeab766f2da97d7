import type { Database } from "../database.ts";

/** Identifies an execution of a task's attempt. */
export interface RunKey {
  readonly taskId: string;
  readonly attempt: number;
  /** A fresh id for each execution; the newest one owns the task. */
  readonly writer: string;
}

/** The order in which statements of many runs lock their rows: without one they would stop each other. */
export function inLockOrder<Item extends { readonly run: RunKey }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => Number(a.run.taskId > b.run.taskId) - Number(a.run.taskId < b.run.taskId));
}

/** In SQL, the engine library's id of the run of `t`, a task or a team run, or of what goes on with it after an answer. */
export const RUN_ID = "t.id || '.' || t.attempt || case when t.segment > 0 then '.' || t.segment else '' end";

const NOTE_CRASH = {
  name: "note-crash",
  text: `
    update task_streams set crash_step = $3,
      crash_count = case when crash_step = $3 then crash_count + 1 else 1 end
    where task_id = $1 and writer = $2
    returning crash_count`,
};

/** Counts a death of the process in this step; returns how many there were without finishing it. */
export async function noteCrash(db: Database, run: RunKey, step: number): Promise<number> {
  const [row] = await db.query<{ crash_count: number }>(NOTE_CRASH, [run.taskId, run.writer, step]);
  return row?.crash_count ?? 0;
}

const RELEASE = {
  name: "release-run",
  text: `update task_streams set writer = null where task_id = $1 and writer = $2`,
};

/** Hands a run over to whoever takes it next: its end here was no crash. */
export async function releaseRun(db: Database, run: RunKey): Promise<void> {
  await db.query(RELEASE, [run.taskId, run.writer]);
}

const OWNS = {
  name: "owns-run",
  text: `select task_id from task_streams where task_id = $1 and writer = $2 and not closed`,
};

/** Whether an execution still owns its run: it was neither taken over nor ended. */
export async function ownsRun(db: Database, run: RunKey): Promise<boolean> {
  return (await db.query(OWNS, [run.taskId, run.writer])).length === 1;
}

const ENDED_AMONG = {
  name: "ended-among-runs",
  text: `
    select i.id || '.' || i.attempt as name from unnest($1::uuid[], $2::integer[]) as i (id, attempt)
    left join lateral (
      select s.task_id from task_streams s
      where s.task_id = i.id and s.attempt = i.attempt and not s.closed limit 1
    ) open on true
    where open.task_id is null`,
};

/** Those of these attempts that are over or were deleted, as `<id>.<attempt>`. */
export async function endedAmong(
  db: Database,
  runs: readonly { readonly id: string; readonly attempt: number }[],
): Promise<readonly string[]> {
  const values = [runs.map(({ id }) => id), runs.map(({ attempt }) => attempt)];
  return (await db.query<{ name: string }>(ENDED_AMONG, values)).map(({ name }) => name);
}

const ANNOUNCE_WORK = {
  name: "announce-work",
  text: "select pg_notify('muster_wake', $1 || ' ' || current_setting('application_name'))",
};

/** Tells other processes that runs wait in a workspace. */
export async function announceWork(db: Database, workspaceId: string): Promise<void> {
  await db.query(ANNOUNCE_WORK, [workspaceId]);
}
