import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { QUESTION_TOOLS, callOf } from "../../support/interactions.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readTask, stopTask } from "../../support/work.ts";
import { eventsIn } from "../../support/sse-client.ts";

const CHOICE = { title: "What?", description: "With milk?", choices: [{ id: "tea", label: "Tea" }] };
const WIZARD = {
  title: "Both",
  steps: [
    { stepId: "sure", type: "approval", title: "Sure?" },
    { stepId: "why", type: "text_input", title: "Why?" },
  ],
};
const PAYLOADS = [
  { tool: "request_approval", input: { title: "Go?" }, reason: "tool_call", payload: { approved: true } },
  {
    tool: "request_confirmation",
    input: { title: "Right?", data: { a: 1 } },
    reason: "confirmation",
    payload: { approved: true, data: { a: 2 } },
  },
  { tool: "request_choice", input: CHOICE, reason: "input_required", payload: { selectedOptionId: "tea" } },
  { tool: "request_input", input: { title: "Name?" }, reason: "input_required", payload: { text: "Ada" } },
  {
    tool: "request_form",
    input: { title: "Form", fields: [{ key: "n", label: "N", type: "number", required: true }] },
    reason: "input_required",
    payload: { values: { n: 3 } },
  },
] as const;

const keys = createKeys();
let database: TestDatabase;
let service: TestService;
let other: TestService;
let api: Api;
let agentId: string;

beforeAll(async () => {
  database = await createDatabase();
  const options = { databaseUrl: database.url, keys };
  [service, other] = [await startService(options), await startPeer(options)];
  api = apiOf(service, keys.api);
  agentId = (await createAgent(api, { tools: [...QUESTION_TOOLS] })).id;
});
afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
  await database.drop();
});

const headers = { authorization: `Bearer ${keys.agui}` };

function clientOf(url = service.url): HttpAgent {
  return new HttpAgent({ url: `${url}/ag-ui/${agentId}/sse`, headers });
}

/** A client whose agent has asked a question. */
async function asked(tool: string, input: object): Promise<HttpAgent> {
  const client = clientOf();
  client.addMessage({ id: newId(), role: "user", content: callOf(tool, input) });
  await client.runAgent();
  expect(client.pendingInterrupts).toHaveLength(1);
  return client;
}

function interruptOf(client: HttpAgent) {
  const [interrupt] = client.pendingInterrupts;
  if (interrupt === undefined) throw new Error("There is no interrupt.");
  return interrupt;
}

/** One request as a client of 1.x sends it, whatever it says. */
function post(client: HttpAgent, fields: object): Promise<Answer> {
  const { threadId, messages } = client;
  const body = { threadId, messages, protocolVersion: "1.0", state: {}, tools: [], context: [], ...fields };
  return send("POST", client.url, { headers, body });
}

for (const { tool, input, reason, payload } of PAYLOADS) {
  verifies(
    "ag-ui.standard.interrupts",
    `the client of 1.0 resolves the interrupt of ${tool} on another process`,
    async () => {
      const warn = vi.spyOn(console, "warn");
      const client = await asked(tool, input);
      const { id, responseSchema, message, expiresAt, ...rest } = interruptOf(client);
      expect(rest).toMatchObject({ reason, toolCallId: expect.any(String), metadata: { interactionId: id } });
      expect(message).toContain(input.title);
      expect(responseSchema).toMatchObject({ type: "object", required: [Object.keys(payload)[0]] });
      expect(Date.parse(expiresAt ?? "")).toBeGreaterThan(Date.now());
      expect(await readTask(api, client.threadId)).toMatchObject({ status: "waiting_for_input" });
      client.url = client.url.replace(service.url, other.url);
      const { result } = await client.runAgent({ resume: [{ interruptId: id, status: "resolved", payload }] });
      expect(client.pendingInterrupts).toEqual([]);
      const task = await readTask(api, client.threadId);
      expect(task).toMatchObject({ status: "completed", result, attempt: 1 });
      expect(client.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
      expect(client.messages[2]).toMatchObject({ content: JSON.stringify(payload) });
      expect(warn.mock.calls).toEqual([]);
      warn.mockRestore();
    },
  );
}

verifies("ag-ui.standard.interrupts", "the labels of a select are in the schema of the answer", async () => {
  const options = ["S", { value: "m", label: "Medium" }];
  const fields = [{ key: "size", label: "Size", type: "select", options }];
  const { responseSchema } = interruptOf(await asked("request_form", { title: "Form", fields }));
  const shown = [
    { const: "S", title: "S" },
    { const: "m", title: "Medium" },
  ];
  const size = { type: "string", enum: ["S", "m"], oneOf: shown };
  expect(responseSchema).toMatchObject({ properties: { values: { properties: { size } } } });
});

verifies(
  "ag-ui.standard.interrupts",
  "each step of a wizard is an interrupt, and the run continues after the last",
  async () => {
    const client = await asked("request_wizard", WIZARD);
    const first = interruptOf(client);
    const steps = [
      { wizardStepId: "sure", approved: true },
      { wizardStepId: "why", text: "Because" },
    ];
    expect(first.responseSchema).toMatchObject({ properties: { wizardStepId: { const: "sure" } } });
    await client.runAgent({ resume: [{ interruptId: first.id, status: "resolved", payload: steps[0] }] });
    const second = interruptOf(client);
    expect(second.responseSchema).toMatchObject({ properties: { wizardStepId: { const: "why" } } });
    await client.runAgent({ resume: [{ interruptId: second.id, status: "resolved", payload: steps[1] }] });
    expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed" });
  },
);

verifies("ag-ui.standard.interrupts", "a question that is cancelled is declined, where its type can be", async () => {
  for (const [tool, input, told] of [
    ["request_approval", { title: "Go?" }, { approved: false }],
    ["request_wizard", WIZARD, { cancelled: true, answers: {} }],
  ] as const) {
    const client = await asked(tool, input);
    await client.runAgent({ resume: [{ interruptId: interruptOf(client).id, status: "cancelled" }] });
    expect(client.messages[2]).toMatchObject({ content: JSON.stringify(told) });
    expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed" });
  }
});

verifies(
  "ag-ui.standard.interrupts",
  "a client that reconnects gets the open interrupt, and no answered one",
  async () => {
    const client = await asked("request_choice", CHOICE);
    const { id } = interruptOf(client);
    const again = eventsIn(await post(client, {}));
    expect(again.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "interrupt", interrupts: [{ id }] } });
    for (const event of again) expect(EventSchemas.safeParse(event).error?.message).toBeUndefined();
    await client.runAgent({ resume: [{ interruptId: id, status: "resolved", payload: { selectedOptionId: "tea" } }] });
    const replayed = eventsIn(await post(client, {}));
    expect(replayed.filter(({ name }) => name === "INTERACTION_REQUEST")).toHaveLength(1);
    expect(replayed.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: expect.any(String) });
    expect(replayed.at(-1)).not.toHaveProperty("outcome");
  },
);

verifies(
  "ag-ui.standard.interrupts-any-client",
  "the client of 0.0.59, which sends no version, resolves an interrupt with the body of assistant-ui",
  async () => {
    const client = new HttpAgent0({ url: `${service.url}/ag-ui/${agentId}/sse`, headers, initialState: null });
    // What `AgUiThreadRuntimeCore.buildRunInput` of @assistant-ui/react-ag-ui 0.0.58 gives to `runAgent`.
    const input = { tools: [], context: [{ description: "system", value: "Be brief." }], forwardedProps: {} };
    client.addMessage({ id: newId(), role: "user", content: callOf("request_choice", CHOICE) });
    await client.runAgent({ runId: newId(), ...input });
    const [{ id: interruptId } = { id: "" }] = client.pendingInterrupts;
    const payload = { selectedOptionId: "tea" };
    await client.runAgent({ runId: newId(), ...input, resume: [{ interruptId, status: "resolved", payload }] });
    expect(client.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed", attempt: 1 });
  },
);

for (const [version, connect] of [
  ["1.0", () => clientOf()],
  ["0.0.59", () => new HttpAgent0({ url: `${service.url}/ag-ui/${agentId}/sse`, headers })],
] as const) {
  verifies(
    "ag-ui.standard.interrupts-steer-away",
    `the client of ${version} leaves a question with a new message, as assistant-ui steers away`,
    async () => {
      const client = connect();
      client.addMessage({ id: newId(), role: "user", content: callOf("request_choice", CHOICE) });
      await client.runAgent();
      const [{ id: interruptId } = { id: "" }] = client.pendingInterrupts;
      const resume = [{ interruptId, status: "cancelled" as const }];
      client.addMessage({ id: newId(), role: "user", content: "[[say:Something else, then.]]" });
      await client.runAgent({ resume });
      expect(client.messages.at(-1)).toMatchObject({ role: "assistant", content: "Something else, then." });
      expect(client.pendingInterrupts).toEqual([]);
      expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed", attempt: 2 });
      // The question is gone, also for a client that still shows it.
      client.addMessage({ id: newId(), role: "user", content: "[[say:And again.]]" });
      await client.runAgent({ resume });
      expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed", attempt: 3 });
    },
  );
}

verifies("ag-ui.standard.interrupts-steer-away", "another question than the open one is not left", async () => {
  const client = await asked("request_choice", CHOICE);
  const message = { id: newId(), role: "user", content: "And coffee?" };
  const fields = { resume: [{ interruptId: newId(), status: "cancelled" }], messages: [...client.messages, message] };
  const answer = await post(client, fields);
  expect([answer.status, answer.body]).toEqual([409, { error: "The task does not wait for this interactionId" }]);
  const unknown = await post(client, { ...fields, threadId: newId() });
  expect([unknown.status, unknown.body]).toEqual([404, { error: "Task not found for this agent" }]);
  expect(await readTask(api, client.threadId)).toMatchObject({ status: "waiting_for_input", attempt: 1 });
  await stopTask(api, client.threadId);
});

verifies("ag-ui.standard.interrupts-off", "?interrupts=false keeps the stream open, with CUSTOM events", async () => {
  const client = new HttpAgent0({ url: `${service.url}/ag-ui/${agentId}/sse?interrupts=false`, headers });
  client.addMessage({ id: newId(), role: "user", content: callOf("request_choice", CHOICE) });
  await client.runAgent(undefined, {
    async onCustomEvent({ event: { name, value } }) {
      if (name !== "INTERACTION_REQUEST") return;
      const { threadId, interactionId } = value;
      const body = { threadId, interactionId, selectedOptionId: "tea" };
      await send("POST", `${service.url}/ag-ui/${agentId}/respond`, { headers, body });
    },
  });
  expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed" });
});

verifies(
  "ag-ui.standard.interrupts-errors",
  "a message that does not answer the interrupt is rejected, and the task keeps waiting",
  async () => {
    const client = await asked("request_choice", CHOICE);
    const { id: interruptId } = interruptOf(client);
    const right = { interruptId, status: "resolved", payload: { selectedOptionId: "tea" } };
    const message = { id: newId(), role: "user", content: "And coffee?" };
    const refusals = [
      [{ resume: [{ ...right, payload: { selectedOptionId: "gin" } }] }, 400, "does not match"],
      [{ resume: [{ ...right, payload: undefined }] }, 400, "does not match"],
      [{ resume: [{ ...right, payload: 5 }] }, 400, "resume.0.payload"],
      [{ resume: [{ ...right, status: "done" }] }, 400, "resume.0.status"],
      [{ resume: [right, right] }, 400, "one question at a time"],
      [{ resume: "tea" }, 400, "resume"],
      [{ resume: [{ ...right, status: "cancelled" }] }, 400, "choice cannot be cancelled"],
      [{ resume: [{ ...right, interruptId: "other" }] }, 409, "does not wait for this"],
      [{ resume: [right], messages: [...client.messages, message] }, 409, "new message"],
      [{ resume: [right], threadId: newId() }, 404, "Task not found"],
      [{ resume: [right], attempt: 1 }, 400, "resume is not supported here"],
      [{ resume: [right], messages: undefined }, 400, "resume is not supported here"],
    ] as const;
    for (const [fields, status, says] of refusals) {
      const answer = await post(client, fields);
      expect([fields, answer.status, answer.body]).toEqual([fields, status, { error: expect.stringContaining(says) }]);
    }
    expect(await readTask(api, client.threadId)).toMatchObject({ status: "waiting_for_input" });
    const answers = await Promise.all([post(client, { resume: [right] }), post(client, { resume: [right] })]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await post(client, { resume: [right] })).body).toEqual({
      error: "Task is not waiting for input (status: completed)",
    });
    await stopTask(api, client.threadId);
  },
);
