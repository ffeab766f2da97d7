import { beforeAll, expect } from "vitest";
import { apiOf, send } from "../../support/api.ts";
import {
  CHOICES,
  FORM_FIELDS,
  HEADING,
  QUESTION_TOOLS,
  callOf,
  expectWholeStreamWithQuestions,
  questionOf,
  respond,
} from "../../support/interactions.ts";
import { startTask, taskEnd, taskNow } from "../../support/runs.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DEFAULT_TIMEOUT_MS = 300_000;

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api, { tools: [...QUESTION_TOOLS, "current_time"] })).id;
});

const kinds = [
  {
    verifies: ["interactions.respond.approval", "interactions.tool.request-approval"],
    tool: "request_approval",
    type: "approval",
    content: {},
    answers: [{ approved: true }, { approved: false }],
    wrong: [{}, { approved: "yes" }, { approved: null }, { text: "yes" }],
  },
  {
    verifies: [
      "interactions.request.confirm-data",
      "interactions.respond.confirm-data",
      "interactions.tool.request-confirmation",
    ],
    tool: "request_confirmation",
    type: "confirm_data",
    content: { data: { amount: 5, to: { name: "Ann" } } },
    answers: [
      { approved: true, data: { amount: 6, to: null } },
      { approved: false, data: {} },
    ],
    wrong: [{ data: {} }, { approved: true, data: "6" }, { approved: true, data: [1] }],
  },
  {
    verifies: [
      "interactions.request.choice",
      "interactions.request.choice-items",
      "interactions.respond.choice",
      "interactions.tool.request-choice",
    ],
    tool: "request_choice",
    type: "choice",
    content: { choices: CHOICES },
    answers: [{ selectedOptionId: "blue" }],
    wrong: [{}, { selectedOptionId: "green" }, { selectedOptionId: 1 }],
  },
  {
    verifies: ["interactions.respond.text-input", "interactions.tool.request-input"],
    tool: "request_input",
    type: "text_input",
    content: { placeholder: "a word" },
    answers: [{ text: 'Ünïcode 🎉 \n]] and quotes "' }],
    wrong: [{}, { text: "" }, { text: 5 }],
  },
  {
    verifies: [
      "interactions.request.form-fields",
      "interactions.request.form-field-options",
      "interactions.respond.form",
      "interactions.tool.request-form",
    ],
    tool: "request_form",
    type: "form",
    content: { fields: FORM_FIELDS },
    answers: [
      { values: { name: "Ann", age: 4, mail: "a@b.co", notes: "", size: "M", fit: "t", news: false } },
      { values: { name: "Ann", fit: "loose" } },
      { values: { name: "Ann" } },
    ],
    wrong: [
      {},
      { values: {} },
      { values: { name: "" } },
      { values: { name: "Ann", age: "4" } },
      { values: { name: "Ann", mail: "no mail" } },
      { values: { name: "Ann", size: "L" } },
      { values: { name: "Ann", fit: "Tight" } },
      { values: { name: "Ann", news: "yes" } },
      { values: { name: "Ann", other: 1 } },
    ],
  },
] as const;

for (const { verifies: ids, tool, type, content, answers, wrong } of kinds) {
  verifies(
    [
      ...ids,
      "interactions.types",
      "interactions.request.waits",
      "interactions.respond.resumes",
      "interactions.respond.answer",
      "interactions.timeout.default",
      "interactions.request.timeout-reported",
      "ag-ui.event.interaction-request",
      "ag-ui.event.interaction-response",
      "providers.demo.interactions",
    ],
    `${tool} asks for ${type}, waits, and its answer is what the model gets`,
    async () => {
      for (const answer of answers) {
        const taskId = await startTask(service, agentId, { description: callOf(tool, { ...HEADING, ...content }) });
        const { reader, request, interactionId } = await questionOf(service, { agentId, taskId });
        const question = {
          interactionId: expect.stringMatching(UUID),
          interactionType: type,
          toolCallId: "demo_1_1",
          ...HEADING,
          timeoutMs: DEFAULT_TIMEOUT_MS,
          ...content,
        };
        const timestamp = expect.any(Number);
        expect(request).toEqual({ type: "INTERACTION_REQUEST", threadId: taskId, ...question, timestamp });
        const waiting = await taskNow(service, taskId);
        const { expiresAt, ...interaction } = Object(waiting["interaction"]);
        expect({ status: waiting.status, interaction }).toEqual({ status: "waiting_for_input", interaction: question });
        expect(Date.parse(expiresAt) - Date.parse(String(waiting["updated_at"]))).toBeCloseTo(DEFAULT_TIMEOUT_MS, -2);

        const answered = await respond(service, { agentId, taskId }, { interactionId, ...answer });
        expect([answered.status, answered.body]).toEqual([200, { ok: true, interactionId }]);
        expect(await reader.over).toBe("closed");
        await expectWholeStreamWithQuestions(reader.events);
        const ids = { threadId: taskId, interactionId };
        expect(ofType(reader.events, "INTERACTION_RESPONSE")).toEqual([
          { type: "INTERACTION_RESPONSE", ...ids, answer, timestamp },
        ]);
        expect(JSON.parse(String(ofType(reader.events, "TOOL_CALL_END")[0]?.["result"]))).toEqual(answer);
        const end = await taskEnd(service, taskId);
        expect(end).toMatchObject({ status: "completed", interaction: null });
        expect(end.result).toContain(JSON.stringify(answer));
        expect(await readToEnd(service, { agentId, taskId })).toEqual(reader.events);
      }
    },
  );

  verifies(
    "interactions.respond.wrong-shape",
    `an answer that is none to ${type} is 400, and the task keeps waiting`,
    async () => {
      const taskId = await startTask(service, agentId, { description: callOf(tool, { ...HEADING, ...content }) });
      const { reader, interactionId } = await questionOf(service, { agentId, taskId });
      const before = await taskNow(service, taskId);
      for (const answer of [...wrong, { ...answers[0], wizardStepId: "one" }]) {
        const refused = await respond(service, { agentId, taskId }, { interactionId, ...answer });
        expect([answer, refused.status]).toEqual([answer, 400]);
        expect(refused.body).toEqual({ error: expect.stringMatching(/./) });
      }
      expect(await taskNow(service, taskId)).toEqual(before);
      await respond(service, { agentId, taskId }, { interactionId, ...answers[0] });
      expect(await reader.over).toBe("closed");
      expect(ofType(reader.events, "INTERACTION_RESPONSE")).toHaveLength(1);
    },
  );
}

verifies("interactions.answer.from-console", "the console's endpoint answers as the AG-UI one does", async () => {
  const taskId = await startTask(service, agentId, { description: callOf("request_approval", HEADING) });
  const { interactionId } = await questionOf(service, { agentId, taskId });
  const answer = (body: object, key = service.keys.api) =>
    send("POST", `${service.url}/console/api/tasks/${taskId}/answer`, { headers: { "x-api-key": key }, body });
  expect((await answer({ approved: true })).status).toBe(400);
  expect((await answer({ interactionId, approved: "yes" })).status).toBe(400);
  expect((await answer({ interactionId })).status).toBe(400);
  expect((await answer({ interactionId: "other", approved: true })).status).toBe(409);
  expect((await answer({ interactionId, approved: true }, "wrong")).status).toBe(401);
  expect((await answer({ interactionId, approved: true })).body).toEqual({ ok: true, interactionId });
  expect((await answer({ interactionId, approved: true })).status).toBe(409);
  expect((await taskEnd(service, taskId)).status).toBe("completed");
});
