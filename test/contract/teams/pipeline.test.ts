import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { answerRun, callsBy, createCrewAgent, inputOf, messagesOf, pipelineIn } from "../../support/teams/crew.ts";
import { speakerOf, useCrewService, startPipeline, firstMessages } from "../../support/teams/crew.ts";
import { eventually } from "../../support/eventually.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, readRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const SECOND = 1_000;
const VOICE = { tone: "Formal", custom_instructions: "No jargon.", output_format_hints: "Short lines." } as const;
const VOICE_SECTION = "## Voice & Tone\n\nTone: Formal\n\nNo jargon.\n\nOutput format: Short lines.";
const TEMPLATE = "# {{task_title}}\n{{task_result}} ({{agent_name}}, {{tokens_used}})";
const TOKENS = 18;

let provider: ScriptedProvider;
let service: SharedService;
let anna: string;
let bert: string;
let carl: string;

beforeAll(async () => {
  ({ provider, service } = await useCrewService());
  anna = await createCrewAgent(service, "Anna", { tools: ["request_input"] });
  bert = await createCrewAgent(service, "Bert", { voice_profile: VOICE, max_tokens: 321, temperature: 0.25 });
  carl = await createCrewAgent(service, "Carl", { output_template: { type: "Markdown", body: TEMPLATE } });
});

/** The agents that called for a run, in order. */
function callers(title: string): string[] {
  return provider.callsOf(title).map(speakerOf);
}

verifies(
  ["runs.pipeline.in-order", "runs.pipeline.step-prompt-sections"],
  "agents work one after another, each with the task, the previous output and its own part",
  async () => {
    const title = "in order";
    const id = await startPipeline(service, title, {
      steps: [
        { agent_id: anna, step_name: "Research", instructions: "Collect facts." },
        { agent_id: bert, step_name: "Write", instructions: "Write it up.", expected_output: "One page." },
        { agent_id: anna },
      ],
    });
    await pipelineIn(service, id, "completed");
    expect(callers(title)).toEqual(["Anna", "Bert", "Anna"]);
    const [research, last] = firstMessages(provider, title, "Anna");
    const [write] = firstMessages(provider, title, "Bert");
    expect(research).toBe(
      `## Task

${inputOf(title)}

## Your Instructions

Collect facts.

## Pipeline Context

This is step 1 of 3 in the pipeline of the team "Crew".

1. Research (this step)
2. Write
3. Step 3`,
    );
    expect(write).toBe(
      `## Task

${inputOf(title)}

## Previous Step Output

Anna says so

## Your Instructions

Write it up.

## Expected Output Format

One page.

## Pipeline Context

This is step 2 of 3 in the pipeline of the team "Crew".

1. Research
2. Write (this step)
3. Step 3`,
    );
    expect(last).toContain("## Previous Step Output\n\nBert says so\n\n## Pipeline Context");
    expect(provider.callsOf(title).map(({ body }) => body.messages.map(({ role }) => role))).toEqual(
      [1, 2, 3].map(() => ["system", "user"]),
    );
  },
);

verifies(
  ["voice.every-call", "usage.record.per-team-step"],
  "a step is a turn like any other: with the agent's voice and settings, and usage of its own",
  async () => {
    const title = "own turn";
    const id = await startPipeline(service, title, { steps: [{ agent_id: anna }, { agent_id: bert }] });
    const run = await pipelineIn(service, id, "completed");
    const [call] = callsBy(provider, title, "Bert");
    expect(call?.body.messages[0]?.content).toBe(`You are Bert.\n\n${VOICE_SECTION}`);
    expect(call?.body).toMatchObject({ max_tokens: 321, temperature: 0.25 });
    const records = await sql(
      service.databaseUrl,
      "select agent_id, prompt_tokens, completion_tokens from usage_records where team_run_id = $1 order by id",
      [id],
    );
    const used = { prompt_tokens: 11, completion_tokens: 7 };
    expect(records).toEqual([
      { agent_id: anna, ...used },
      { agent_id: bert, ...used },
    ]);
    expect(run["usage"]).toMatchObject({ prompt_tokens: 22, completion_tokens: 14 });
  },
);

verifies(
  ["runs.pipeline.output-last-step", "runs.get.with-messages"],
  "the output is the last step's, in its agent's template; each step's output is a message",
  async () => {
    const title = "messages";
    const id = await startPipeline(service, title, {
      steps: [{ agent_id: anna, step_name: "Research" }, { agent_id: carl }],
    });
    const run = await pipelineIn(service, id, "completed");
    expect(run).toMatchObject({ output: `# ${inputOf(title)}\nCarl says so (Carl, ${TOKENS})`, current_step_idx: 1 });
    expect(await messagesOf(service, id)).toMatchObject([
      {
        message_type: "handoff",
        sender_agent_id: anna,
        receiver_agent_id: carl,
        content: "Anna says so",
        metadata: { step_name: "Research" },
        step_idx: 0,
        tokens_used: TOKENS,
      },
      {
        message_type: "result",
        sender_agent_id: carl,
        receiver_agent_id: null,
        content: "Carl says so",
        metadata: { step_name: "Step 2" },
        step_idx: 1,
        tokens_used: TOKENS,
      },
    ]);
  },
);

verifies(
  "tasks.create.team-result-taken-over",
  "a task of a pipeline gets its output, with the task's title",
  async () => {
    const api = apiOf(service, service.keys.api);
    const team = await createTeam(api, { config: { steps: [{ agent_id: carl }] } });
    const task = await createTask(api, { title: "Poem", description: "About rain.", assigned_team_id: team.id });
    const { result } = await taskIn(api, task.id, "completed");
    expect(result).toBe(`# Poem\nCarl says so (Carl, ${TOKENS})`);
  },
);

verifies("runs.pipeline.handoff-approval", "between steps a person is asked, with the output so far", async () => {
  const title = "ask me";
  const steps = [{ agent_id: anna, step_name: "Research" }, { agent_id: bert, step_name: "Write" }, { agent_id: carl }];
  const id = await startPipeline(service, title, { steps, auto_handoff: false });
  expect(await pipelineIn(service, id, "waiting_for_input")).toMatchObject({
    current_step_idx: 1,
    interaction: {
      interactionType: "approval",
      title: "Continue with step 2 of 3 (Write)?",
      description: "Output so far:\n\nAnna says so",
      timeoutMs: 7 * 86_400 * SECOND,
    },
  });
  expect(callers(title)).toEqual(["Anna"]);
  expect((await answerRun(service, id, { approved: true })).status).toBe(200);
  await waitsBefore(id, 2);
  expect(callers(title)).toEqual(["Anna", "Bert"]);
  expect((await answerRun(service, id, { approved: true })).status).toBe(200);
  await pipelineIn(service, id, "completed");
  expect(callers(title)).toEqual(["Anna", "Bert", "Carl"]);
  const types = (await messagesOf(service, id)).map(({ message_type }) => message_type);
  expect(types).toEqual(["handoff", "handoff", "result"]);
});

verifies("runs.pipeline.handoff-approval", "without the approval the run fails, and no agent continues", async () => {
  const title = "reject me";
  const steps = [{ agent_id: anna }, { agent_id: bert, step_name: "Write" }];
  const id = await startPipeline(service, title, { steps, auto_handoff: false });
  await pipelineIn(service, id, "waiting_for_input");
  await answerRun(service, id, { approved: false });
  expect(await pipelineIn(service, id, "failed")).toMatchObject({
    error: "A person stopped the run before step 2 of 2 (Write).",
  });
  expect(callers(title)).toEqual(["Anna"]);
});

verifies("runs.pipeline.in-order", "an agent may ask a person in its step, and continue with the answer", async () => {
  const title = "question Anna:asks";
  const id = await startPipeline(service, title, { steps: [{ agent_id: bert }, { agent_id: anna }] });
  await pipelineIn(service, id, "waiting_for_input");
  await answerRun(service, id, { text: "Blue" });
  expect(await pipelineIn(service, id, "completed")).toMatchObject({ output: "Anna says so" });
  expect(callers(title)).toEqual(["Bert", "Anna", "Anna"]);
  expect(callsBy(provider, title, "Anna")[1]?.body.messages.at(-1)?.content).toContain("Blue");
});

/** Waits until a run asks for leave to continue with a step of this index. */
async function waitsBefore(id: string, index: number): Promise<void> {
  const api = apiOf(service, service.keys.api);
  await eventually(`run ${id} waits before step ${index}`, async () => {
    const run = await readRun(api, id);
    return run.status === "waiting_for_input" && run["current_step_idx"] === index;
  });
}
