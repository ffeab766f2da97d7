import { beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { bearer } from "../../support/accounts.ts";
import { apiOf, consoleOf, refusal, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { CHOICES, FORM_FIELDS, HEADING, QUESTION_TOOLS, callOf, respond } from "../../support/interactions.ts";
import { MCP_CLIENTS } from "../../support/mcp/clients.ts";
import type { CallSettings, ConnectMcp, ElicitAnswer, ElicitForm } from "../../support/mcp/clients.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, stopTask } from "../../support/work.ts";

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  const tools = [...QUESTION_TOOLS, "current_time"];
  const guarded = { requires_approval: ["current_time"] };
  const published = { is_mcp_published: true, tools };
  agentId = (await createAgent(apiOf(service, service.keys.api), { ...published, name: "Asker" })).id;
  await createAgent(apiOf(service, service.keys.api), { ...published, name: "Guarded", config: guarded });
});

/** Calls an agent through a client whose person answers in turn; the forms that it showed, and the result. */
async function ask(
  connect: ConnectMcp,
  {
    message,
    answers,
    name = "asker",
    ...settings
  }: { message: string; answers: readonly ElicitAnswer[]; name?: string } & CallSettings,
) {
  const forms: ElicitForm[] = [];
  const elicit = async (form: ElicitForm) => answers[forms.push(form) - 1] ?? { action: "cancel" as const };
  const client = await connect({ url: service.url, key: service.keys.mcp }, { elicit });
  const result = client.callTool(name, { message }, settings).finally(() => client.close());
  return { forms, result };
}

const page = z.object({ items: z.array(z.object({ id: z.string(), subject: z.object({ id: z.string() }) })) });

/** The only open question, once there is one. */
function openQuestion() {
  const desk = consoleOf(service, service.keys.api);
  return eventually("a question", async () => page.parse((await desk.get("/questions")).body).items[0]);
}

const STEPS = [
  { stepId: "one", type: "text_input", title: "Name?" },
  { stepId: "two", type: "approval", title: "Sure?" },
];

const kinds = [
  {
    of: "an approval",
    message: callOf("request_approval", HEADING),
    answers: [{ action: "accept", content: {} }],
    result: '"approved":true',
    form: {
      message: `${HEADING.title}\n\n${HEADING.description}`,
      requestedSchema: { type: "object", properties: {} },
    },
  },
  {
    of: "a denial",
    message: callOf("request_approval", HEADING),
    answers: [{ action: "decline" }],
    result: '"approved":false',
    form: {},
  },
  {
    of: "data to confirm",
    message: callOf("request_confirmation", { ...HEADING, data: { amount: 5, to: { name: "Ann" } } }),
    answers: [{ action: "accept", content: { amount: 6 } }],
    result: '"data":{"amount":6,"to":{"name":"Ann"}}',
    form: {
      message: expect.stringContaining('"Ann"'),
      requestedSchema: { properties: { amount: { type: "number", default: 5 } } },
    },
  },
  {
    of: "a choice",
    message: callOf("request_choice", { ...HEADING, choices: CHOICES }),
    answers: [{ action: "accept", content: { answer: "blue" } }],
    result: '"selectedOptionId":"blue"',
    form: {
      requestedSchema: {
        properties: {
          answer: {
            oneOf: [
              { const: "red", title: "Red" },
              { const: "blue", title: "Blue" },
            ],
          },
        },
        required: ["answer"],
      },
    },
  },
  {
    of: "a text",
    message: callOf("request_input", HEADING),
    answers: [{ action: "accept", content: { answer: "Tuesday" } }],
    result: '"text":"Tuesday"',
    form: { requestedSchema: { properties: { answer: { type: "string" } }, required: ["answer"] } },
  },
  {
    of: "a form",
    message: callOf("request_form", { ...HEADING, fields: FORM_FIELDS }),
    answers: [{ action: "accept", content: { name: "Ann", age: 7, fit: "t", news: true } }],
    result: '"values":{"name":"Ann","age":7,"fit":"t","news":true}',
    form: {
      requestedSchema: {
        properties: {
          name: { type: "string", title: "Name" },
          mail: { type: "string", format: "email" },
          fit: { oneOf: [{ const: "loose" }, { const: "t", title: "Tight" }] },
          news: { type: "boolean" },
        },
        required: ["name"],
      },
    },
  },
  {
    of: "the pages of a wizard",
    message: callOf("request_wizard", { ...HEADING, steps: STEPS }),
    answers: [{ action: "accept", content: { answer: "Ann" } }, { action: "accept" }],
    result: '"two":{"approved":true}',
    form: { message: expect.stringContaining(`${HEADING.title}: Name?`) },
  },
] as const;

describe.each(MCP_CLIENTS)("%s", (_name, connect) => {
  for (const { of, message, answers, result, form } of kinds) {
    verifies("mcp.server.elicitation", `the client is asked for ${of}`, async () => {
      const { forms, result: answer } = await ask(connect, { message, answers });
      expect((await answer).text).toContain(result);
      expect(forms).toHaveLength(answers.length);
      expect(forms[0]).toMatchObject(form);
    });
  }

  verifies("mcp.server.elicitation.open", "a closed form leaves the question to people in Muster", async () => {
    const { forms, result } = await ask(connect, {
      message: callOf("request_input", HEADING),
      answers: [{ action: "cancel" }],
    });
    await eventually("the form is closed", () => forms.length === 1);
    const { id: interactionId, subject } = await openQuestion();
    const answered = await respond(service, { agentId, taskId: subject.id }, { interactionId, text: "from elsewhere" });
    expect(answered.status, answered.text).toBe(200);
    expect((await result).text).toContain("from elsewhere");
    expect(forms).toHaveLength(1);
  });

  verifies(
    "mcp.server.elicitation.approvers",
    "a key's client is told that a person approves, and not asked",
    async () => {
      const progress: string[] = [];
      const { forms, result } = await ask(connect, {
        onProgress: (text) => progress.push(text),
        name: "guarded",
        message: callOf("current_time", {}),
        answers: [{ action: "accept" }],
      });
      const { subject } = await openQuestion();
      await eventually("the reason is told", () => progress.join("").includes("A person gives this approval"));
      expect(forms).toEqual([]);
      await stopTask(apiOf(service, service.keys.api), subject.id);
      expect(await result).toMatchObject({ isError: true });
    },
  );
});

verifies("mcp.server.elicitation.misfit", "an earlier client is told that its answer does not match", async () => {
  const [, [, connect] = expect.unreachable()] = MCP_CLIENTS;
  const message = callOf("request_input", HEADING);
  const { result } = await ask(connect, { message, answers: [{ action: "cancel" }] });
  const { id, subject } = await openQuestion();
  const answer = (text: string) => {
    const response = {
      jsonrpc: "2.0",
      id: `question ${subject.id} ${id}`,
      result: { action: "accept", content: { answer: text } },
    };
    return send("POST", `${service.url}/mcp`, { headers: bearer(service.keys.mcp), body: response });
  };
  expect(refusal(await answer(""))).toMatchObject({ status: 400, message: expect.stringContaining("text") });
  expect((await answer("Tuesday")).status).toBe(202);
  expect((await result).text).toContain("Tuesday");
  expect((await answer("Friday")).status).toBe(202);
});
