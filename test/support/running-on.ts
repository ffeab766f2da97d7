import { eventually } from "./eventually.ts";
import { sql } from "./workspace.ts";

const RUNNING = `
  select j.subject_id as task, e.pid from jobs j join executors e on e.id = j.executor_id`;

const UNFINISHED = `
  select from jobs where subject_id = $1 and state <> 'suspended'`;

/** The process ids under which tasks run at this moment, by task. */
export async function runningOn(databaseUrl: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ task: string; pid: number }>(databaseUrl, RUNNING);
  return new Map(rows.map(({ task, pid }) => [task, pid]));
}

/** Waits until no process works on a task any more, nor will, whatever has become of the task. */
export async function workStopped(databaseUrl: string, taskId: string): Promise<void> {
  await eventually(`no work on ${taskId}`, async () => (await sql(databaseUrl, UNFINISHED, [taskId])).length === 0);
}
