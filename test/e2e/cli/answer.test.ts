import { beforeAll, expect, test } from "vitest";
import { QUESTION_TOOLS, callOf } from "../../support/interactions.ts";
import { environmentOf, runMuster, startMuster } from "../../support/muster.ts";
import type { Ended } from "../../support/muster.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { apiOf } from "../../support/api.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskIn } from "../../support/work.ts";

const DONE = 0;
const FAILED = 1;
const USAGE = 2;
const TITLE = "Well?";
const choices = [{ id: "tea", label: "Tea" }];
const fields = [{ key: "name", label: "Your name", type: "text", required: true }];
const sizes = [{ key: "size", label: "Size", type: "select", options: ["S", { value: "m", label: "Medium" }] }];
const steps = [{ stepId: "drink", type: "choice", title: "Which?", choices }];

const answers = [
  { tool: "request_approval", input: {}, args: ["--refuse"], hint: "--approve", result: { approved: false } },
  {
    tool: "request_confirmation",
    input: { data: { sum: 1 } },
    args: ["--approve", "--data", '{"sum":2}'],
    hint: '{"sum":1}',
    result: { approved: true, data: { sum: 2 } },
  },
  {
    tool: "request_choice",
    input: { choices },
    args: ["--choice", "tea"],
    hint: "tea: Tea",
    result: { selectedOptionId: "tea" },
  },
  { tool: "request_input", input: {}, args: ["--text", "so so"], hint: "--text", result: { text: "so so" } },
  {
    tool: "request_form",
    input: { fields },
    args: ["--values", '{"name":"Ann"}'],
    hint: "name: Your name (text, required)",
    result: { values: { name: "Ann" } },
  },
  {
    tool: "request_form",
    input: { fields: sizes },
    args: ["--values", '{"size":"m"}'],
    hint: "m: Medium",
    result: { values: { size: "m" } },
  },
  {
    tool: "request_wizard",
    input: { steps },
    args: ["--choice", "tea"],
    hint: "--cancel-wizard",
    result: { cancelled: false, answers: { drink: { selectedOptionId: "tea" } } },
  },
  {
    tool: "request_wizard",
    input: { steps },
    args: ["--cancel-wizard"],
    hint: "Which?",
    result: { cancelled: true, answers: {} },
  },
] as const;

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  agentId = (await createAgent(apiOf(service, service.keys.api), { tools: [...QUESTION_TOOLS] })).id;
});

for (const { tool, input, args, hint, result } of answers) {
  verifies("cli.tasks.answer", `a question of ${tool} is shown, and answered with ${args[0]}`, async () => {
    const taskId = await startWaiting(tool, input);
    const shown = await muster("tasks", "answer", taskId);
    expect(shown).toMatchObject({ code: DONE, stdout: expect.stringContaining(hint) });
    expect(await muster("tasks", "answer", taskId, ...args)).toMatchObject({ code: DONE, stderr: "" });
    expect((await taskEnd(service, taskId)).result).toContain(JSON.stringify(result));
  });
}

verifies(
  "cli.tasks.answer",
  "watching clients see the question",
  async () => {
    const taskId = await startWaiting("request_choice", { choices });
    const env = environmentOf(service);
    const watching = startMuster(["tasks", "watch", taskId, "--json"], { env });
    await watching.prints(/"INTERACTION_REQUEST"/);
    await muster("tasks", "answer", taskId, "--choice", "tea");
    expect((await watching.ended).code).toBe(DONE);
    const replay = await runMuster(["tasks", "watch", taskId], { env });
    expect(replay).toMatchObject({
      code: DONE,
      stderr: expect.stringContaining(`muster tasks answer ${taskId} --choice`),
    });
  },
  { tags: "slow" },
);

test("contradictory, malformed and late answers are rejected with the reason", async () => {
  const taskId = await startWaiting("request_approval", {});
  expect(await muster("tasks", "answer", taskId, "--approve", "--refuse")).toMatchObject({ code: USAGE });
  for (const json of ["{", "[1]", "5"]) {
    const refused = await muster("tasks", "answer", taskId, "--values", json);
    expect(refused).toMatchObject({ code: USAGE, stderr: expect.stringContaining("--values") });
  }
  const unfit = await muster("tasks", "answer", taskId, "--text", "yes");
  expect(unfit).toMatchObject({ code: FAILED, stderr: expect.stringContaining("approved") });
  await muster("tasks", "answer", taskId, "--approve");
  await taskEnd(service, taskId);
  const late = await muster("tasks", "answer", taskId, "--approve");
  expect(late).toMatchObject({ code: FAILED, stderr: expect.stringContaining("has no open question") });
});

async function startWaiting(tool: string, input: object): Promise<string> {
  const taskId = await startTask(service, agentId, { description: callOf(tool, { title: TITLE, ...input }) });
  await taskIn(apiOf(service, service.keys.api), taskId, "waiting_for_input");
  return taskId;
}

function muster(...args: readonly string[]): Promise<Ended> {
  return runMuster(args, { env: environmentOf(service) });
}
