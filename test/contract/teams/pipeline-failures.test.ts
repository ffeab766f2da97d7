import { beforeAll, expect } from "vitest";
import { REFUSAL, callsBy, createCrewAgent, messagesOf, pipelineIn } from "../../support/teams/crew.ts";
import { speakerOf, useCrewService, startPipeline, firstMessages } from "../../support/teams/crew.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const SECOND = 1_000;
const TEMPLATE = "{{task_result}} ({{agent_name}})";

let provider: ScriptedProvider;
let service: SharedService;
let anna: string;
let bert: string;
let carl: string;

beforeAll(async () => {
  ({ provider, service } = await useCrewService());
  anna = await createCrewAgent(service, "Anna");
  bert = await createCrewAgent(service, "Bert");
  carl = await createCrewAgent(service, "Carl", { output_template: { type: "Markdown", body: TEMPLATE } });
});

/** The agents that called for a run, in order. */
function callers(title: string): string[] {
  return provider.callsOf(title).map(speakerOf);
}

verifies(
  ["runs.pipeline.retry", "runs.pipeline.retry-back-off"],
  "a failed step is retried after one second and two, and its output is used",
  async () => {
    const title = "again Bert:fails-twice";
    const id = await startPipeline(service, title, {
      steps: [{ agent_id: anna }, { agent_id: bert, step_name: "Write", on_failure: "retry", max_retries: 2 }],
    });
    expect(await pipelineIn(service, id, "completed")).toMatchObject({ output: "Bert says so" });
    const [first, second, third, ...others] = callsBy(provider, title, "Bert").map(({ at }) => at);
    expect(others).toEqual([]);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(SECOND);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(2 * SECOND);
    expect(callsBy(provider, title, "Anna")).toHaveLength(1);
    expect(await messagesOf(service, id)).toMatchObject([
      { message_type: "handoff" },
      { message_type: "system", step_idx: 1, content: expect.stringMatching(/Attempt 1 of 3 failed: .*not today/) },
      { message_type: "system", step_idx: 1, content: expect.stringMatching(/Attempt 2 of 3 failed: .*not today/) },
      { message_type: "result" },
    ]);
  },
);

verifies(["runs.pipeline.retry", "runs.pipeline.retry-back-off"], "the run fails when no attempt is left", async () => {
  const title = "in vain Anna:rejects";
  const steps = [{ agent_id: anna, on_failure: "retry", max_retries: 1 }, { agent_id: bert }];
  const id = await startPipeline(service, title, { steps });
  const { error } = await pipelineIn(service, id, "failed");
  expect(error).toContain("Step 1 (Step 1) failed");
  expect(error).toContain(REFUSAL);
  expect(callers(title)).toEqual(["Anna", "Anna"]);
});

verifies("runs.pipeline.stop", "a failed step ends the run, with its name and the provider's message", async () => {
  const title = "stop Bert:rejects";
  const steps = [{ agent_id: anna }, { agent_id: bert, step_name: "Write" }, { agent_id: carl }];
  const id = await startPipeline(service, title, { steps });
  const run = await pipelineIn(service, id, "failed");
  expect(run).toMatchObject({
    output: null,
    error: expect.stringContaining("Step 2 (Write) failed: The model gpt-4o"),
  });
  expect(run.error).toContain(REFUSAL);
  expect(callers(title)).toEqual(["Anna", "Bert"]);
});

verifies(
  ["runs.pipeline.skip", "runs.pipeline.output-last-step"],
  "after a skipped step, the next step and the run use the output before it",
  async () => {
    const skipped = { agent_id: bert, step_name: "Write", on_failure: "skip" };
    const title = "skip Bert:rejects";
    const id = await startPipeline(service, title, { steps: [{ agent_id: anna }, skipped, { agent_id: carl }] });
    await pipelineIn(service, id, "completed");
    expect(firstMessages(provider, title, "Carl")[0]).toContain("## Previous Step Output\n\nAnna says so");
    expect((await messagesOf(service, id))[1]).toMatchObject({
      message_type: "system",
      step_idx: 1,
      metadata: { step_name: "Write" },
      content: expect.stringContaining(REFUSAL),
    });
    const last = await startPipeline(service, `last ${title}`, { steps: [{ agent_id: carl }, skipped] });
    const { output } = await pipelineIn(service, last, "completed");
    expect(output).toContain("Carl says so (Carl");
    const none = await startPipeline(service, `none ${title}`, { steps: [skipped] });
    expect((await pipelineIn(service, none, "failed")).error).toContain("Every step failed");
  },
);
