import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { fieldsOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { askRun, outline, stepsOf } from "../../support/run-steps.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { StartOptions, TestDatabase, TestProcess, TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream, ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let database: TestDatabase;
let provider: ScriptedProvider;
/** The first process, and what runs in its place. */
let killed: TestProcess;
let service: TestService;
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(hangTwice);
  database = await createDatabase();
  service = killed = await startProcess(options());
});
afterAll(async () => {
  await service.stop();
  await provider.close();
  await database.drop();
});

verifies(
  ["run-page.head.executions", "run-page.events.resumed", "engine.resume.paid-once"],
  "a run whose process is killed, and whose next one stops, shows three executions and why",
  async () => {
    const agentId = await openAiAgent(service, { tools: ["current_time"] });
    const title = "hangs twice";
    const id = await startTask(service, agentId, { title });
    await provider.called(title, 1);
    await killed.kill();
    const [dead] = await sql<{ at: Date }>(database.url, "select clock_timestamp() as at");
    service = await startService(options());
    await provider.called(title, 1, 2);
    await stepIsRunning(id);
    await service.stop();
    service = await startService(options());
    expect(await taskEnd(service, id)).toMatchObject({ status: "completed", result: "done" });

    const head = fieldsOf(await askRun(service, id));
    expect(head).toMatchObject({
      executions: [
        { n: 1, end: "lost", process: expect.stringMatching(/.+:\d+$/) },
        { n: 2, end: "handed_over" },
        { n: 3, end: "finished" },
      ],
    });
    // It ended with its last sign of life, not when its death was found.
    const { executions } = z.object({ executions: z.array(z.looseObject({ to: z.coerce.date() })) }).parse(head);
    expect(executions[0]?.to.getTime()).toBeLessThanOrEqual(dead?.at.getTime() ?? 0);
    const events = await readToEnd(service, { agentId, taskId: id });
    await expectWholeStream(events);
    expect(ofType(events, "CUSTOM")).toMatchObject([
      { name: "run_resumed", value: { reason: "crash", from_step: "tool:look" } },
      { name: "run_resumed", value: { reason: "handover", from_step: "tool:look" } },
    ]);
    const steps = await stepsOf(service, id);
    expect(outline(steps)).toEqual(["model gpt-4o completed", "tool current_time completed", "model gpt-4o completed"]);
    expect([0, 1].map((turn) => provider.callsOf(title, turn).length)).toEqual([1, 3]);
  },
  { tags: "slow" },
);

function options(): StartOptions {
  return {
    databaseUrl: database.url,
    keys,
    env: { ...provider.env, SHUTDOWN_GRACE: "0.2" },
  };
}

async function stepIsRunning(id: string): Promise<void> {
  await eventually("the call is in progress", async () => (await stepsOf(service, id)).at(-1)?.status === "running");
}

function hangTwice({ turn, nth }: ProviderCall, reply: ProviderReply): void {
  if (turn === 0) reply.callTool("current_time", {}, "look");
  else if (nth <= 2) return;
  else reply.say("done");
  reply.finish();
}
