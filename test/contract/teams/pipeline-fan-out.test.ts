import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import {
  REFUSAL,
  answerRun,
  calledBy,
  callsBy,
  createCrewAgent,
  inputOf,
  messagesOf,
  pipelineIn,
} from "../../support/teams/crew.ts";
import { useCrewService, startPipeline, firstMessages } from "../../support/teams/crew.ts";
import { workStopped } from "../../support/running-on.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let provider: ScriptedProvider;
let service: SharedService;
let anna: string;
let bert: string;
let carl: string;
let dora: string;

beforeAll(async () => {
  ({ provider, service } = await useCrewService());
  anna = await createCrewAgent(service, "Anna", { tools: ["request_input"] });
  bert = await createCrewAgent(service, "Bert");
  carl = await createCrewAgent(service, "Carl");
  dora = await createCrewAgent(service, "Dora");
});

/** A step in which the first three agents work concurrently. */
function fanOut(fields: object = {}): object {
  return { type: "fan_out", step_name: "Views", parallel_agents: [anna, bert, carl], ...fields };
}

/** The names of the steps that a run has begun or finished, from its log, sorted. */
async function namesOf(runId: string, type: "STEP_STARTED" | "STEP_FINISHED"): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    service.databaseUrl,
    "select event->>'stepName' as name from task_log where log_id = $1 and event->>'type' = $2",
    [runId, type],
  );
  return rows.map(({ name }) => name).toSorted();
}

verifies(
  ["runs.pipeline.fan-out-parallel", "runs.pipeline.fan-out-merge"],
  "agents of a fan-out work at the same time, and one merges what they say",
  async () => {
    const title = "together and merged";
    const merge = { merge_agent_id: dora, merge_instructions: "Choose the best.", expected_output: "One line." };
    const step = fanOut({ instructions: "Say what you think.", ...merge });
    const id = await startPipeline(service, title, { steps: [step, { agent_id: bert }] });
    expect(await pipelineIn(service, id, "completed")).toMatchObject({ output: "Bert says so" });
    expect(firstMessages(provider, title, "Anna")).toEqual([
      `## Task

${inputOf(title)}

## Your Instructions

Say what you think.

## Pipeline Context

This is step 1 of 2 in the pipeline of the team "Crew". You are one of 3 agents that work on it concurrently.

1. Views (this step)
2. Step 2`,
    ]);
    expect(firstMessages(provider, title, "Dora")).toEqual([
      `## Task

${inputOf(title)}

## Fan-Out Results

### Anna

Anna says so

### Bert

Bert says so

### Carl

Carl says so

## Your Instructions

Choose the best.

## Expected Output Format

One line.

## Pipeline Context

This is step 1 of 2 in the pipeline of the team "Crew". Other agents have worked on it concurrently; you make one result of theirs.

1. Views (this step)
2. Step 2`,
    ]);
    expect(firstMessages(provider, title, "Bert")[1]).toContain("## Previous Step Output\n\nDora says so");
    const messages = await messagesOf(service, id);
    expect(messages.map((one) => [one.message_type, one.sender_agent_id, one.receiver_agent_id])).toEqual([
      ["handoff", anna, dora],
      ["handoff", bert, dora],
      ["handoff", carl, dora],
      ["handoff", dora, bert],
      ["result", bert, null],
    ]);
  },
);

verifies(
  "runs.pipeline.fan-out-merge",
  "without a merge agent, the results are under their agents' names",
  async () => {
    const title = "joined";
    const joined = "### Anna\n\nAnna says so\n\n### Bert\n\nBert says so\n\n### Carl\n\nCarl says so";
    const id = await startPipeline(service, title, {
      steps: [fanOut({ expected_output: "One word." }), { agent_id: dora }],
    });
    await pipelineIn(service, id, "completed");
    expect(firstMessages(provider, title, "Carl")[0]).toContain("## Expected Output Format\n\nOne word.");
    expect(firstMessages(provider, title, "Dora")[0]).toContain(`## Previous Step Output\n\n${joined}`);
    const alone = await startPipeline(service, `alone ${title}`, { steps: [fanOut()] });
    expect(await pipelineIn(service, alone, "completed")).toMatchObject({ output: joined });
    expect(await messagesOf(service, alone)).toMatchObject([
      { message_type: "result", sender_agent_id: null, content: joined, tokens_used: 54 },
    ]);
  },
);

verifies(
  "runs.pipeline.fan-out-fail-fast",
  "with fail_fast the first failure aborts the other branches and fails the step",
  async () => {
    const title = "together Anna:hangs Bert:rejects Carl:hangs";
    const id = await startPipeline(service, title, { steps: [fanOut(), { agent_id: dora }] });
    const { error } = await pipelineIn(service, id, "failed");
    expect(error).toContain("Step 1 (Views) failed: Bert: The model gpt-4o");
    expect(error).toContain(REFUSAL);
    await Promise.all(
      [calledBy(provider, title, "Anna"), calledBy(provider, title, "Carl")].map(async (c) => (await c).gone),
    );
    expect(firstMessages(provider, title, "Dora")).toEqual([]);
  },
);

verifies(
  ["runs.pipeline.fan-out-fail-fast", "runs.pipeline.skip"],
  "a failed fan-out is not restarted when the run continues later",
  async () => {
    const title = "together once Anna:hangs Bert:rejects Dora:asks";
    const asker = await createCrewAgent(service, "Dora", { tools: ["request_input"] });
    const steps = [fanOut({ on_failure: "skip" }), { agent_id: asker }];
    const id = await startPipeline(service, title, { steps });
    await pipelineIn(service, id, "waiting_for_input");
    await answerRun(service, id, { text: "Blue" });
    await pipelineIn(service, id, "completed");
    expect(["Anna", "Bert", "Carl", "Dora"].map((name) => callsBy(provider, title, name).length)).toEqual([1, 1, 1, 2]);
    expect(await namesOf(id, "STEP_FINISHED")).toEqual(await namesOf(id, "STEP_STARTED"));
  },
);

verifies(
  "runs.pipeline.fan-out-partial",
  "with continue_on_partial the step continues with those that succeed",
  async () => {
    const title = "together Bert:rejects";
    const step = fanOut({ fan_out_failure: "continue_on_partial", merge_agent_id: dora });
    const id = await startPipeline(service, title, { steps: [step] });
    expect(await pipelineIn(service, id, "completed")).toMatchObject({ output: "Dora says so" });
    const [told = ""] = firstMessages(provider, title, "Dora");
    expect(told).toContain("### Anna\n\nAnna says so\n\n### Carl\n\nCarl says so\n\n## Your Instructions");
    expect((await messagesOf(service, id))[0]).toMatchObject({
      message_type: "system",
      step_idx: 0,
      content: expect.stringMatching(/Continues without Bert: .*not today/),
    });
  },
);

verifies("runs.pipeline.fan-out-partial", "the output of the only successful branch is under its name", async () => {
  const title = "Anna:rejects Bert:rejects";
  const step = fanOut({ fan_out_failure: "continue_on_partial" });
  const { output } = await pipelineIn(service, await startPipeline(service, title, { steps: [step] }), "completed");
  expect(output).toBe("### Carl\n\nCarl says so");
});

verifies("runs.pipeline.fan-out-partial", "it fails when none succeeds", async () => {
  const title = "Anna:rejects Bert:rejects Carl:rejects";
  const step = fanOut({ fan_out_failure: "continue_on_partial" });
  const { error } = await pipelineIn(service, await startPipeline(service, title, { steps: [step] }), "failed");
  for (const name of ["Anna", "Bert", "Carl"]) expect(error).toContain(`${name}: The model gpt-4o`);
});

verifies(
  "runs.pipeline.fan-out-parallel",
  "a branch may ask a person; the others finish meanwhile and are not paid again",
  async () => {
    const title = "together Anna:asks Bert:rejects";
    const step = fanOut({ fan_out_failure: "continue_on_partial" });
    const id = await startPipeline(service, title, { steps: [step] });
    await pipelineIn(service, id, "waiting_for_input");
    await answerRun(service, id, { text: "Blue" });
    const { output } = await pipelineIn(service, id, "completed");
    expect(output).toBe("### Anna\n\nAnna says so\n\n### Carl\n\nCarl says so");
    expect(["Anna", "Bert", "Carl"].map((name) => callsBy(provider, title, name).length)).toEqual([2, 1, 1]);
  },
);

verifies(
  ["engine.cancel.aborts-child-runs", "runs.patch.cancel"],
  "cancelling a run aborts all branches immediately",
  async () => {
    const title = "cancelled Anna:hangs Bert:hangs Carl:hangs";
    const id = await startPipeline(service, title, { steps: [fanOut(), { agent_id: dora }] });
    const calls = await Promise.all(["Anna", "Bert", "Carl"].map((name) => calledBy(provider, title, name)));
    const answer = await apiOf(service, service.keys.api).patch(`/api-runs?id=${id}`, { status: "cancelled" });
    expect(answer.status).toBe(200);
    await Promise.all(calls.map(({ gone }) => gone));
    await workStopped(service.databaseUrl, id);
    expect(await pipelineIn(service, id, "cancelled")).toMatchObject({ output: null });
    expect(provider.callsOf(title)).toHaveLength(3);
  },
);

verifies("runs.create.starts", "a pipeline of the demo model needs no key and no provider", async () => {
  const api = apiOf(service, service.keys.api);
  const { id: agentId } = await createAgent(api, { name: "Demo" });
  const step = { type: "fan_out", parallel_agents: [agentId], merge_agent_id: agentId };
  const team = await createTeam(api, { config: { steps: [{ agent_id: agentId }, step] } });
  const { id } = await startRun(api, team.id, "Write about rain. [[slow:0]]");
  const output = 'Demo model (no AI): this is the answer to "Write about rain.".';
  expect(await runIn(api, id, "completed")).toMatchObject({ output });
});
