import { beforeAll, describe, expect, test } from "vitest";
import { apiOf, send } from "../../support/api.ts";
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
import { readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DEFAULT_TIMEOUT_MS = 300_000;
const DAY_MS = 86_400_000;

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api, { tools: [...QUESTION_TOOLS, "current_time"] })).id;
});

const fields = [
  { key: "name", label: "Name", type: "text", required: true, placeholder: "Jane" },
  { key: "age", label: "Age", type: "number" },
  { key: "mail", label: "E-mail", type: "email" },
  { key: "notes", label: "Notes", type: "textarea", default: "none" },
  { key: "size", label: "Size", type: "select", options: ["S", "M"] },
  { key: "news", label: "News", type: "toggle" },
];
const choices = [
  { id: "red", label: "Red" },
  { id: "blue", label: "Blue", description: "like the sea" },
];
const heading = { title: "May I?", description: "It cannot be undone." };

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
    content: { choices },
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
    content: { fields },
    answers: [
      { values: { name: "Ann", age: 4, mail: "a@b.co", notes: "", size: "M", news: false } },
      { values: { name: "Ann" } },
    ],
    wrong: [
      {},
      { values: {} },
      { values: { name: "" } },
      { values: { name: "Ann", age: "4" } },
      { values: { name: "Ann", mail: "no mail" } },
      { values: { name: "Ann", size: "L" } },
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
        const taskId = await startTask(service, agentId, { description: callOf(tool, { ...heading, ...content }) });
        const { reader, request, interactionId } = await questionOf(service, { agentId, taskId });
        const question = {
          interactionId: expect.stringMatching(UUID),
          interactionType: type,
          toolCallId: "demo_1_1",
          ...heading,
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
      const taskId = await startTask(service, agentId, { description: callOf(tool, { ...heading, ...content }) });
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

describe("what a tool asks", () => {
  const bad = [
    { tool: "request_approval", input: { title: "" }, says: "title" },
    { tool: "request_approval", input: { ...heading, timeoutMs: 999 }, says: "timeoutMs" },
    { tool: "request_approval", input: { ...heading, timeoutMs: 7 * DAY_MS + 1 }, says: "timeoutMs" },
    { tool: "request_approval", input: { title: "\u0000" }, says: "U+0000" },
    { tool: "request_confirmation", input: { ...heading, data: { name: "\ud800" } }, says: "surrogate" },
    { tool: "request_choice", input: { ...heading, choices: [] }, says: "choices" },
    { tool: "request_choice", input: { ...heading, choices: [choices[0], choices[0]] }, says: "ids must differ" },
    { tool: "request_form", input: { ...heading, fields: [fields[0], fields[0]] }, says: "keys must differ" },
    { tool: "request_form", input: { ...heading, fields: [{ ...fields[0], type: "date" }] }, says: "type" },
    { tool: "request_form", input: { ...heading, fields: [{ ...fields[0], type: "select" }] }, says: "options" },
    { tool: "request_form", input: { ...heading, fields: [{ ...fields[0], key: "__proto__" }] }, says: "key" },
  ];
  for (const [index, { tool, input, says }] of bad.entries()) {
    verifies(
      "interactions.timeout.range",
      `a bad question (${index}, ${tool}: ${says}) is a tool error that the model can fix`,
      async () => {
        const taskId = await startTask(service, agentId, { description: callOf(tool, input) });
        const end = await taskEnd(service, taskId);
        expect(end.status).toBe("completed");
        expect(end.result).toMatch(/failed: /);
        expect(end.result).toContain(says);
      },
    );
  }

  verifies("interactions.timeout.range", "one second and seven days are allowed", async () => {
    for (const timeoutMs of [1_000, 7 * DAY_MS]) {
      const taskId = await startTask(service, agentId, {
        description: callOf("request_approval", { ...heading, timeoutMs }),
      });
      const { request, interactionId } = await questionOf(service, { agentId, taskId });
      expect(request["timeoutMs"]).toBe(timeoutMs);
      await respond(service, { agentId, taskId }, { interactionId, approved: true });
      await taskEnd(service, taskId);
    }
  });

  verifies(
    "interactions.tool.side-by-side",
    "calls without a question come first; of two questions the second comes after the first answer",
    async () => {
      const calls = [
        `[[tool:request_input {"title":"First?"}]]`,
        `[[tool:current_time {}]]`,
        `[[tool:request_choice ${JSON.stringify({ title: "Second?", choices })}]]`,
      ];
      const taskId = await startTask(service, agentId, { description: `[[slow:0]]${calls.join("")}` });
      const first = await questionOf(service, { agentId, taskId });
      expect(first.request["title"]).toBe("First?");
      expect(ofType(first.reader.events, "TOOL_CALL_END").map((event) => event["toolCallId"])).toEqual(["demo_1_2"]);
      await respond(service, { agentId, taskId }, { interactionId: first.interactionId, text: "one" });
      const second = await questionOf(service, { agentId, taskId }, 2);
      expect(second.request["title"]).toBe("Second?");
      expect(second.interactionId).not.toBe(first.interactionId);
      const late = await respond(service, { agentId, taskId }, { interactionId: first.interactionId, text: "again" });
      expect(late.status).toBe(409);
      await respond(service, { agentId, taskId }, { interactionId: second.interactionId, selectedOptionId: "red" });
      expect(await first.reader.over).toBe("closed");
      await expectWholeStreamWithQuestions(first.reader.events);
      const { result } = await taskEnd(service, taskId);
      expect(result).toMatch(
        /request_input: {"text":"one"}\n- current_time: [^]*request_choice: {"selectedOptionId":"red"}/,
      );
    },
  );
});

describe("requires_approval", () => {
  verifies(
    "interactions.tool.requires-approval",
    "a tool that needs approval is called after it, and not at all after a rejection",
    async () => {
      const api = apiOf(service, service.keys.api);
      const agent = await createAgent(api, { config: { requires_approval: ["current_time"] } });
      for (const approved of [true, false]) {
        const taskId = await startTask(service, agent.id, {
          description: callOf("current_time", { time_zone: "Europe/Oslo" }),
        });
        const task = { agentId: agent.id, taskId };
        const { reader, request, interactionId } = await questionOf(service, task);
        expect(request).toMatchObject({ interactionType: "approval", toolCallId: "demo_1_1" });
        expect(request["title"]).toContain("current_time");
        expect(request["description"]).toContain("Europe/Oslo");
        expect(ofType(reader.events, "TOOL_CALL_END")).toEqual([]);
        await respond(service, task, { interactionId, approved });
        const { result } = await taskEnd(service, taskId);
        if (approved) expect(result).toContain("(Europe/Oslo)");
        else expect(result).toContain("did not approve");
        await reader.over;
        await expectWholeStreamWithQuestions(reader.events);
      }
    },
  );

  test("a call with invalid arguments is rejected without a question", async () => {
    const api = apiOf(service, service.keys.api);
    const agent = await createAgent(api, { config: { requires_approval: ["current_time"] } });
    const taskId = await startTask(service, agent.id, { description: callOf("current_time", { zone: 5 }) });
    expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed" });
    expect(ofType(await readToEnd(service, { agentId: agent.id, taskId }), "INTERACTION_REQUEST")).toEqual([]);
  });

  test("requires_approval is a list of tool names", async () => {
    const api = apiOf(service, service.keys.api);
    for (const requires_approval of ["current_time", [5], { wait: true }]) {
      const answer = await api.post("/api-agents", { name: "A", model: "demo", config: { requires_approval } });
      expect(answer.status).toBe(400);
    }
    const kept = { requires_approval: ["wait"], other: 1 };
    expect((await createAgent(api, { config: kept }))["config"]).toEqual(kept);
  });
});

verifies("interactions.answer.from-console", "the console's endpoint answers as the AG-UI one does", async () => {
  const taskId = await startTask(service, agentId, { description: callOf("request_approval", heading) });
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
