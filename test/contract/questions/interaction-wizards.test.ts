import { beforeAll, expect, test } from "vitest";
import { apiOf } from "../../support/api.ts";
import {
  QUESTION_TOOLS,
  callOf,
  expectWholeStreamWithQuestions,
  questionOf,
  respond,
} from "../../support/interactions.ts";
import { startTask, taskEnd, taskNow } from "../../support/runs.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  agentId = (await createAgent(apiOf(service, service.keys.api), { tools: [...QUESTION_TOOLS] })).id;
});

const plan = {
  stepId: "plan",
  type: "choice",
  title: "Which plan?",
  choices: [
    { id: "free", label: "Free" },
    { id: "pro", label: "Pro" },
  ],
};
const seats = {
  stepId: "seats",
  type: "form",
  title: "How many?",
  fields: [
    { key: "count", label: "Seats", type: "number", required: true },
    { key: "note", label: "Note", type: "text" },
  ],
  condition: { dependsOnStep: "plan", field: "selectedOptionId", operator: "equals", value: "pro" },
};
const reason = {
  stepId: "reason",
  type: "text_input",
  title: "Why not pro?",
  condition: { dependsOnStep: "plan", field: "selectedOptionId", operator: "not_equals", value: "pro" },
};
const big = {
  stepId: "big",
  type: "approval",
  title: "That many?",
  condition: { dependsOnStep: "seats", field: "note", operator: "contains", value: "many" },
};
const check = { stepId: "check", type: "confirm_data", title: "All right?", data: { terms: "v1" } };
const WIZARD = { title: "Order", description: "A few questions", steps: [plan, seats, reason, big, check] };
const TIMEOUT = { timeoutMs: 60_000 };

interface Reply {
  readonly wizardStepId: string;
  readonly [field: string]: unknown;
}

const paths: readonly { readonly name: string; readonly replies: readonly Reply[] }[] = [
  {
    name: "equals is met, contains is met",
    replies: [
      { wizardStepId: "plan", selectedOptionId: "pro" },
      { wizardStepId: "seats", values: { count: 99, note: "so many" } },
      { wizardStepId: "big", approved: true },
      { wizardStepId: "check", approved: true, data: { terms: "v2" } },
    ],
  },
  {
    name: "equals is met, contains is not",
    replies: [
      { wizardStepId: "plan", selectedOptionId: "pro" },
      { wizardStepId: "seats", values: { count: 1 } },
      { wizardStepId: "check", approved: false, data: { terms: "v1" } },
    ],
  },
  {
    name: "not_equals is met, and a step that depends on a skipped one is skipped",
    replies: [
      { wizardStepId: "plan", selectedOptionId: "free" },
      { wizardStepId: "reason", text: "poor" },
      { wizardStepId: "check", approved: true, data: {} },
    ],
  },
];

for (const { name, replies } of paths) {
  verifies(
    [
      "interactions.tool.request-wizard",
      "interactions.request.wizard-steps",
      "interactions.respond.wizard-step",
      "interactions.wizard.conditions",
      "interactions.wizard.unmet-condition-skips",
      "interactions.wizard.one-question-per-step",
    ],
    `a wizard asks exactly the steps whose conditions hold, one by one: ${name}`,
    async () => {
      const taskId = await startWizard();
      const { reader, interactionId } = await questionOf(service, { agentId, taskId });
      for (const [index, reply] of replies.entries()) {
        const { request } = await questionOf(service, { agentId, taskId }, index + 1);
        const asked = WIZARD.steps.find(({ stepId }) => stepId === reply.wizardStepId);
        expect(request).toMatchObject({
          interactionId,
          interactionType: asked?.type,
          title: asked?.title,
          wizardStepId: reply.wizardStepId,
          wizard: { title: WIZARD.title, description: WIZARD.description },
          ...TIMEOUT,
        });
        expect(request).not.toHaveProperty("condition");
        expect(Object(request["wizard"])["steps"]).toMatchObject(WIZARD.steps);
        const now = await taskNow(service, taskId);
        expect(now.status).toBe("waiting_for_input");
        expect(now["interaction"]).toMatchObject({ interactionId, wizardStepId: reply.wizardStepId });
        const answer = await respond(service, { agentId, taskId }, { interactionId, ...reply });
        expect([answer.status, answer.body]).toEqual([200, { ok: true, interactionId }]);
      }
      expect(await reader.over).toBe("closed");
      await expectWholeStreamWithQuestions(reader.events);
      expect(ofType(reader.events, "INTERACTION_REQUEST")).toHaveLength(replies.length);
      expect(ofType(reader.events, "INTERACTION_RESPONSE").map(responseOf)).toEqual(replies);
      const answers = Object.fromEntries(replies.map(({ wizardStepId, ...answer }) => [wizardStepId, answer]));
      const result = JSON.parse(String(ofType(reader.events, "TOOL_CALL_END")[0]?.["result"]));
      expect(result).toEqual({ cancelled: false, answers });
    },
  );
}

verifies(
  "interactions.wizard.cancel",
  "wizardCancelled resumes the task, and the model gets the earlier answers",
  async () => {
    const taskId = await startWizard();
    const { reader, interactionId } = await questionOf(service, { agentId, taskId });
    const send = (body: object) => respond(service, { agentId, taskId }, { interactionId, ...body });
    expect((await send({ wizardCancelled: "yes" })).status).toBe(400);
    expect((await send({ wizardCancelled: false, wizardStepId: "plan", selectedOptionId: "pro" })).status).toBe(400);
    expect((await send({ wizardStepId: "plan", selectedOptionId: "pro" })).status).toBe(200);
    expect((await send({ wizardCancelled: true })).status).toBe(200);
    expect(await reader.over).toBe("closed");
    await expectWholeStreamWithQuestions(reader.events);
    expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed", interaction: null });
    expect(ofType(reader.events, "INTERACTION_RESPONSE").at(-1)).toMatchObject({ answer: { wizardCancelled: true } });
    const result = JSON.parse(String(ofType(reader.events, "TOOL_CALL_END")[0]?.["result"]));
    expect(result).toEqual({ cancelled: true, answers: { plan: { selectedOptionId: "pro" } } });
  },
);

verifies(
  ["interactions.respond.wizard-step", "interactions.respond.wrong-shape"],
  "an answer of the wrong shape is 400, one to another step 409, and the step stays open",
  async () => {
    const taskId = await startWizard();
    const { reader, interactionId } = await questionOf(service, { agentId, taskId });
    const send = (body: object) => respond(service, { agentId, taskId }, { interactionId, ...body });
    expect(await send({ selectedOptionId: "pro" })).toMatchObject({ status: 400 });
    expect(await send({ wizardStepId: 1, selectedOptionId: "pro" })).toMatchObject({ status: 400 });
    expect(await send({ wizardStepId: "plan", selectedOptionId: "none" })).toMatchObject({ status: 400 });
    expect(await send({ wizardStepId: "seats", values: { count: 1 } })).toMatchObject({ status: 409 });
    expect((await taskNow(service, taskId))["interaction"]).toMatchObject({ wizardStepId: "plan" });
    const twice = await Promise.all([1, 2].map(() => send({ wizardStepId: "plan", selectedOptionId: "pro" })));
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await taskNow(service, taskId))["interaction"]).toMatchObject({ wizardStepId: "seats" });
    await send({ wizardCancelled: true });
    await reader.over;
    expect(ofType(reader.events, "INTERACTION_REQUEST")).toHaveLength(2);
  },
);

test("steps with a repeated or reserved id, or a condition on a later step, are a tool error", async () => {
  for (const [steps, says] of [
    [[plan, plan], "exists already"],
    [[seats, plan], "earlier page"],
    [[{ ...plan, stepId: "constructor" }], "must not be a name reserved by JavaScript"],
    [[{ ...plan, type: "wizard" }], "type"],
    [[], "steps"],
  ] as const) {
    const taskId = await startTask(service, agentId, { description: callOf("request_wizard", { ...WIZARD, steps }) });
    expect((await taskEnd(service, taskId)).result).toContain(says);
  }
});

function startWizard(): Promise<string> {
  return startTask(service, agentId, { description: callOf("request_wizard", { ...WIZARD, ...TIMEOUT }) });
}

function responseOf(event: Readonly<Record<string, unknown>>): object {
  return { wizardStepId: event["wizardStepId"], ...Object(event["answer"]) };
}
