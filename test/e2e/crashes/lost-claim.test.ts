import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

/** Dispatches a task whose job belongs to the process from the start, without notifying it. */
const DISPATCH_UNTOLD = (taskId: string) => `
  update tasks set status = 'dispatched' where id = '${taskId}';
  insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, executor_id, fence, input)
  select gen_random_uuid(), j.workspace_id, 'task', '${taskId}', j.attempt, j.priority, 'running', e.id, 1, j.input
  from job_of_task('${taskId}') j, executors e`;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

verifies(
  "engine.queue.lost-claim",
  "a run that was claimed without its process receiving the claim is requeued and completes",
  async () => {
    const agent = await createAgent(apiOf(service, service.keys.api));
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const task = await startTask(service, agent.id, { description: QUICK, scheduled_for: tomorrow });
    await sql(service.databaseUrl, DISPATCH_UNTOLD(task));
    expect(await taskEnd(service, task)).toMatchObject({ status: "completed", result: "done", attempt: 1 });
  },
  { tags: "slow" },
);
