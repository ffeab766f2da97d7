import { eventually } from "./eventually.ts";
import { sql } from "./workspace.ts";

const RUNNING = `
  select split_part(w.workflow_uuid, '.', 1) as task, e.pid
  from dbos.workflow_status w join executors e on e.id = w.executor_id
  where w.status = 'PENDING'`;

const UNFINISHED = `
  select from dbos.workflow_status
  where split_part(workflow_uuid, '.', 1) = $1 and status in ('PENDING', 'ENQUEUED', 'DELAYED')`;

/** The process ids under which tasks run at this moment, by task. */
export async function runningOn(databaseUrl: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ task: string; pid: number }>(databaseUrl, RUNNING);
  return new Map(rows.map(({ task, pid }) => [task, pid]));
}

/** Waits until no process works on a task any more, nor will, whatever has become of the task. */
export async function workStopped(databaseUrl: string, taskId: string): Promise<void> {
  await eventually(`no work on ${taskId}`, async () => (await sql(databaseUrl, UNFINISHED, [taskId])).length === 0);
}
