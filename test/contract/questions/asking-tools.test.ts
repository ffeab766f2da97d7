import { beforeAll, describe, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
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
import { startTask, taskEnd } from "../../support/runs.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const DAY_MS = 86_400_000;
const SELECT = { key: "size", label: "Size", type: "select" };

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api, { tools: [...QUESTION_TOOLS, "current_time"] })).id;
});

describe("what a tool asks", () => {
  const bad = [
    { tool: "request_approval", input: { title: "" }, says: "title" },
    { tool: "request_approval", input: { ...HEADING, timeoutMs: 999 }, says: "timeoutMs" },
    { tool: "request_approval", input: { ...HEADING, timeoutMs: 7 * DAY_MS + 1 }, says: "timeoutMs" },
    { tool: "request_approval", input: { title: "\u0000" }, says: "U+0000" },
    { tool: "request_confirmation", input: { ...HEADING, data: { name: "\ud800" } }, says: "surrogate" },
    { tool: "request_choice", input: { ...HEADING, choices: [] }, says: "choices" },
    { tool: "request_choice", input: { ...HEADING, choices: [CHOICES[0], CHOICES[0]] }, says: "ids must differ" },
    { tool: "request_form", input: { ...HEADING, fields: [FORM_FIELDS[0], FORM_FIELDS[0]] }, says: "keys must differ" },
    { tool: "request_form", input: { ...HEADING, fields: [{ ...FORM_FIELDS[0], type: "date" }] }, says: "type" },
    { tool: "request_form", input: { ...HEADING, fields: [{ ...FORM_FIELDS[0], type: "select" }] }, says: "options" },
    { tool: "request_form", input: { ...HEADING, fields: [{ ...SELECT, options: [{ value: "s" }] }] }, says: "label" },
    {
      tool: "request_form",
      input: { ...HEADING, fields: [{ ...SELECT, options: ["s", { value: "s", label: "Small" }] }] },
      says: "values must differ",
    },
    { tool: "request_form", input: { ...HEADING, fields: [{ ...FORM_FIELDS[0], key: "__proto__" }] }, says: "key" },
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
        description: callOf("request_approval", { ...HEADING, timeoutMs }),
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
        `[[tool:request_choice ${JSON.stringify({ title: "Second?", choices: CHOICES })}]]`,
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
