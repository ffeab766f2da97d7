import { afterAll, beforeAll, expect } from "vitest";
import { REFUSAL, calledBy, callsBy, createCrewAgent, messagesOf, pipelineIn } from "../../support/teams/crew.ts";
import { speakerOf, startPipeline } from "../../support/teams/crew.ts";
import { eventually } from "../../support/eventually.ts";
import { outline, stepsOf } from "../../support/run-steps.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase, TestProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let database: TestDatabase;
let provider: ScriptedProvider;
let service: TestProcess;
let anna: string;
let bert: string;
let carl: string;
let dora: string;
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(hangFirst);
  database = await createDatabase();
  service = await start();
  anna = await createCrewAgent(service, "Anna");
  bert = await createCrewAgent(service, "Bert");
  carl = await createCrewAgent(service, "Carl");
  dora = await createCrewAgent(service, "Dora");
});
afterAll(async () => {
  await service.stop();
  await provider.close();
  await database.drop();
});

verifies(
  ["engine.resume.kill-at-each-step", "engine.resume.paid-once", "usage.record.once", "teams.memory.kept"],
  "a pipeline killed in each of its steps continues where it stopped, and no message is doubled",
  async () => {
    const title = "Anna:hangs Bert:hangs Carl:hangs";
    const steps = [{ agent_id: anna }, { agent_id: bert }, { agent_id: carl }];
    const id = await startPipeline(service, title, { steps, memory: { enabled: true } });
    for (const name of ["Anna", "Bert", "Carl"]) {
      await calledBy(provider, title, name);
      await restartAfterKill();
    }
    expect(await pipelineIn(service, id, "completed")).toMatchObject({
      output: "Carl says so",
      usage: { prompt_tokens: 33, completion_tokens: 21 },
    });
    expect(provider.callsOf(title).map(speakerOf)).toEqual(["Anna", "Anna", "Bert", "Bert", "Carl", "Carl"]);
    for (const name of ["Anna", "Bert", "Carl"]) {
      const [before, after] = callsBy(provider, title, name);
      expect(after?.body).toEqual(before?.body);
    }
    expect(await spoken(id)).toEqual(["handoff Anna says so", "handoff Bert says so", "result Carl says so"]);
    const remembered = "select outcome from team_memories where run_id = $1";
    expect(await sql(database.url, remembered, [id])).toEqual([{ outcome: "Carl says so" }]);
  },
);

verifies(
  ["engine.resume.kill-at-each-step", "engine.resume.paid-once", "runs.pipeline.fan-out-parallel"],
  "a fan-out killed with one branch in progress, and in its merge, repeats only these calls",
  async () => {
    const title = "Bert:hangs Dora:hangs";
    const step = { type: "fan_out", parallel_agents: [anna, bert, carl], merge_agent_id: dora };
    const id = await startPipeline(service, title, { steps: [step] });
    await calledBy(provider, title, "Bert");
    await eventually("two branches are done", async () => (await finishedSteps(id)) === 2);
    await restartAfterKill();
    await calledBy(provider, title, "Dora");
    await restartAfterKill();
    expect(await pipelineIn(service, id, "completed")).toMatchObject({ output: "Dora says so" });
    expect(["Anna", "Bert", "Carl", "Dora"].map((name) => callsBy(provider, title, name).length)).toEqual([1, 2, 1, 2]);
    expect(await spoken(id)).toEqual([
      "handoff Anna says so",
      "handoff Bert says so",
      "handoff Carl says so",
      "result Dora says so",
    ]);
  },
);

verifies(
  ["run-page.steps.stopped", "engine.resume.paid-once"],
  "a fan-out that fails after a takeover has no branch left in progress",
  async () => {
    const title = "Bert:always-hangs Carl:hangs Carl:fails-twice";
    const step = { type: "fan_out", step_name: "Views", parallel_agents: [anna, bert, carl] };
    const id = await startPipeline(service, title, { steps: [step] });
    await Promise.all(["Bert", "Carl"].map((name) => calledBy(provider, title, name)));
    await eventually("one branch is done", async () => (await finishedSteps(id)) === 1);
    await restartAfterKill();
    await pipelineIn(service, id, "failed");
    expect(outline(await stepsOf(service, id))).toEqual([
      "step Views failed",
      "  branch Views: Anna (1 of 3) completed",
      "    model gpt-4o completed",
      "  branch Views: Bert (2 of 3) cancelled",
      "    model  cancelled",
      "  branch Views: Carl (3 of 3) failed",
      "    model gpt-4o failed",
    ]);
    expect(callsBy(provider, title, "Anna")).toHaveLength(1);
  },
);

verifies(
  ["engine.resume.paid-once", "runs.pipeline.retry-back-off"],
  "failed attempts are not repeated after a kill",
  async () => {
    const title = "Bert:fails-twice Bert:then-hangs";
    const retried = { agent_id: bert, on_failure: "retry", max_retries: 2 };
    const id = await startPipeline(service, title, { steps: [{ agent_id: anna }, retried] });
    await eventually("the first attempt has failed", async () => (await spoken(id)).length === 2);
    await restartAfterKill();
    await calledBy(provider, title, "Bert", 3);
    await restartAfterKill();
    await pipelineIn(service, id, "completed");
    expect(provider.callsOf(title).map(speakerOf)).toEqual(["Anna", "Bert", "Bert", "Bert", "Bert"]);
    expect(await spoken(id)).toMatchObject([
      "handoff Anna says so",
      expect.stringContaining("system Attempt 1 of 3"),
      expect.stringContaining("system Attempt 2 of 3"),
      "result Bert says so",
    ]);
  },
);

/** What an agent does; the run's title selects it: its first calls fail or hang, while the process is killed. */
function hangFirst(call: ProviderCall, reply: ProviderReply): void {
  const name = speakerOf(call);
  const nth = callsBy(provider, call.task, name).length;
  if (call.task.includes(`${name}:hangs`) && nth === 1) return;
  if (call.task.includes(`${name}:always-hangs`)) return;
  if (call.task.includes(`${name}:fails-twice`) && nth <= 2) return reply.refuse(400, REFUSAL);
  if (call.task.includes(`${name}:then-hangs`) && nth === 3) return;
  reply.say(`${name} says so`);
  reply.finish();
}

async function spoken(runId: string): Promise<string[]> {
  return (await messagesOf(service, runId)).map(({ message_type, content }) => `${message_type} ${content}`);
}

async function finishedSteps(runId: string): Promise<number> {
  const finished = "select from task_log where log_id = $1 and event->>'type' = 'STEP_FINISHED'";
  return (await sql(database.url, finished, [runId])).length;
}

function start(): Promise<TestProcess> {
  return startProcess({
    databaseUrl: database.url,
    keys,
    env: { ...provider.env },
  });
}

async function restartAfterKill(): Promise<void> {
  await service.kill();
  service = await start();
}
