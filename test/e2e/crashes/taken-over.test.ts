import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskNow } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import type { TaskFields } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const SECOND = 1_000;

/** The first attempt to write how a task has ended fails for an unforeseen reason; or all attempts do. */
const BREAK = `
  create sequence breaks;
  create function break_end() returns trigger language plpgsql security definer as $$
  begin
    if new.title = 'unwritable' or nextval('breaks') = 1 then
      raise exception 'a fault of the disk' using errcode = 'XX001';
    end if;
    return new;
  end $$;
  create trigger break_end before update on runs for each row
    when (new.title like 'unwrit%' and new.status = 'completed') execute function break_end()`;

let provider: ScriptedProvider;
let service: TestService;
let agentId: string;
let unwritten: string;
let unwritable: string;

beforeAll(async () => {
  provider = await startScriptedProvider(async ({ task, nth }, reply) => {
    reply.say("Half a ");
    if (nth > 1 || task.startsWith("unwrit")) return reply.finish();
    // Another process claims the job and dies without a trace.
    await sql(
      service.databaseUrl,
      `update jobs set executor_id = gen_random_uuid(), fence = fence + 1
       where subject_id = (select id from tasks where title = $1)`,
      [task],
    );
    reply.say("word.");
    reply.finish();
  });
  service = await startService({ env: { ...provider.env } });
  agentId = await openAiAgent(service);
  await sql(service.databaseUrl, BREAK);
  // All are found by the same search for orphaned jobs.
  unwritten = await startTask(service, agentId, { title: "unwritten" });
  unwritable = await startTask(service, agentId, { title: "unwritable" });
  const steps = "select from run_steps where run_id = $1";
  await eventually("its step is done", async () => (await sql(service.databaseUrl, steps, [unwritable])).length === 1);
  // As if two more executions had reached its end.
  const twice = "update jobs set crash_count = 2, suspicion = 4 where subject_id = $1";
  await sql(service.databaseUrl, twice, [unwritable]);
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  "engine.queue.dead-thief",
  "a run taken over by an execution that died continues, although the earlier process lives",
  async () => {
    const taskId = await startTask(service, agentId, { title: "stolen" });
    expect(await completed(taskId)).toMatchObject({ result: "Half a ", attempt: 1 });
    await expectWholeStream(await readToEnd(service, { agentId, taskId }));
  },
);

verifies(
  "engine.end.unwritten",
  "a run whose end cannot be written continues from its last step, and does not stay running",
  async () => {
    expect(await completed(unwritten)).toMatchObject({ result: "Half a ", attempt: 1 });
    expect(provider.callsOf("unwritten")).toHaveLength(1);
    await expectWholeStream(await readToEnd(service, { agentId, taskId: unwritten }));
  },
);

verifies(
  ["engine.end.unwritten", "engine.resume.crash-loop"],
  "a run whose end fails a third time fails with crash_loop, and is not retried forever",
  async () => {
    const { error } = await inState(unwritable, "failed");
    expect(error).toContain("crash_loop");
    expect(provider.callsOf("unwritable")).toHaveLength(1);
    await expectWholeStream(await readToEnd(service, { agentId, taskId: unwritable }));
  },
);

function completed(taskId: string): Promise<TaskFields> {
  return inState(taskId, "completed");
}

function inState(taskId: string, status: string): Promise<TaskFields> {
  return eventually(
    `the task is ${status}`,
    async () => {
      const now = await taskNow(service, taskId);
      return now.status === status && now;
    },
    40 * SECOND,
  );
}
