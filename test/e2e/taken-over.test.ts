import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openAiAgent, startTask, taskNow } from "../support/runs.ts";
import { startScriptedVendor } from "../support/scripted-vendor.ts";
import type { ScriptedVendor } from "../support/scripted-vendor.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { readToEnd } from "../support/sse-client.ts";
import { expectWholeStream } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const SECOND = 1_000;

let vendor: ScriptedVendor;
let service: TestService;

beforeAll(async () => {
  vendor = await startScriptedVendor(async ({ task, nth }, reply) => {
    reply.say("Half a ");
    if (nth > 1) return reply.finish();
    // Another execution makes the run its own, as one does that had slept, and dies without a trace.
    await sql(
      service.databaseUrl,
      `with theirs as (update tasks set run_writer = gen_random_uuid() where title = $1 returning id, run_writer)
       update task_streams s set writer = run_writer from theirs where s.task_id = theirs.id`,
      [task],
    );
    reply.say("word.");
    reply.finish();
  });
  service = await startService({ env: { OPENAI_BASE_URL: vendor.baseUrl, OPENAI_API_KEY: "test-key" } });
});

afterAll(async () => {
  await service.stop();
  await vendor.close();
});

verifies(
  "engine.queue.dead-thief",
  "a run that was taken over by an execution that died goes on, although the process that had it lives",
  async () => {
    const agentId = await openAiAgent(service);
    const taskId = await startTask(service, agentId, { title: "stolen" });
    const end = await eventually(
      "the end of the stolen task",
      async () => {
        const now = await taskNow(service, taskId);
        return now.status === "completed" && now;
      },
      40 * SECOND,
    );
    expect(end).toMatchObject({ result: "Half a ", attempt: 1 });
    await expectWholeStream(await readToEnd(service, { agentId, taskId }));
  },
  60 * SECOND,
);
