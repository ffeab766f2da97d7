import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, send } from "../../support/api.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import { stepOf, stepsOf } from "../../support/run-steps.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { asked, startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream, messagesIn, ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";

const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, people: { type: "integer" } },
  required: ["city", "people"],
};
const VALID = '{"city": "Ulm", "people": 1198765432109876543}';
const INVALID = '{"city": 7}';
const MISSING = "must have required property 'people'";
/** What the model says in the calls for a task, by its title; otherwise it says what is valid. */
const REPLIES: Readonly<Record<string, readonly string[]>> = {
  "in a block": [`Here you are:\n\n\`\`\`json\n${VALID}\n\`\`\``],
  repaired: [INVALID],
  continued: [INVALID],
  "in prose": ["Ulm has many people."],
  "never valid": [INVALID, INVALID],
};

let provider: ScriptedProvider;
let service: SharedService;

beforeAll(async () => {
  provider = await startScriptedProvider(({ task, turn, nth }, reply) => {
    // A call that is made again, because the task was tried again.
    reply.say((nth === 1 ? REPLIES[task]?.[turn] : undefined) ?? VALID);
    reply.finish();
  });
  service = await useProvider(provider);
});
afterAll(() => provider.close());

/** Lets an agent with the schema do a task. */
async function run(title: string, fields: object = {}) {
  const agentId = await openAiAgent(service, { tools: [], output_schema: SCHEMA, ...fields });
  const taskId = await startTask(service, agentId, { title });
  return { agentId, taskId, end: await taskEnd(service, taskId), calls: provider.callsOf(title) };
}

verifies(
  ["agents.output-schema.native", "agents.output-schema.result"],
  "the provider gets the schema, and the result is the JSON as the model wrote it",
  async () => {
    const { end, calls } = await run("native");
    expect(end).toMatchObject({ status: "completed", result: VALID });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.body["text"]).toMatchObject({ format: { type: "json_schema", schema: SCHEMA } });
    expect(calls[0]?.body.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
    expect((await run("in a block")).end).toMatchObject({ status: "completed", result: VALID });
  },
);

const NOT_NATIVE = [
  { model: "gpt-4-turbo" },
  { provider: "openai", model: "gpt-99-omega" },
  { output_schema: { anyOf: [SCHEMA] } },
] as const;

for (const fields of NOT_NATIVE) {
  const title = JSON.stringify(fields).slice(0, 50);
  verifies("agents.output-schema.native", `the schema is only in the prompt for ${title}`, async () => {
    const { taskId, end, calls } = await run(title, fields);
    expect(end).toMatchObject({ status: "completed", result: VALID });
    expect(calls[0]?.body["text"]).toBeUndefined();
    expect(calls[0]?.body.messages[0]?.content).toContain("JSON Schema");
    const { reply } = await stepOf(service, taskId, "model:0");
    expect(reply?.notes).toContainEqual(expect.stringContaining("The output schema is only in the prompt"));
  });
}

for (const [title, issues] of [
  ["repaired", [`the result ${MISSING}`, "city must be string"]],
  ["in prose", ["the result is not JSON"]],
] as const) {
  verifies("agents.output-schema.repair", `a result is corrected in a step of its own: ${title}`, async () => {
    const template = { type: "Custom", body: "<{{task_result}}>" };
    const { agentId, taskId, end, calls } = await run(title, { output_template: template });
    expect(end).toMatchObject({ status: "completed", result: `<${VALID}>`, usage: { total_tokens: 36 } });
    expect(calls).toHaveLength(2);
    for (const issue of issues) expect(asked(calls[1])).toContain(issue);
    expect(calls[1]?.body.messages.at(-2)).toMatchObject({ role: "assistant", content: REPLIES[title]?.[0] });
    expect((await stepsOf(service, taskId)).map(({ key, status }) => [key, status])).toEqual([
      ["model:0", "completed"],
      ["model:1", "completed"],
    ]);
    const events = await readToEnd(service, { agentId, taskId });
    await expectWholeStream(events);
    expect(messagesIn(events)).toEqual([REPLIES[title]?.[0], VALID]);
  });
}

verifies("agents.output-schema.repair", "a continued conversation contains the correction", async () => {
  const { agentId, taskId } = await run("continued");
  const answer = await send("POST", `${service.url}/v1/responses`, {
    headers: { authorization: `Bearer ${service.keys.api}` },
    body: { model: agentId, previous_response_id: `resp_${taskId}`, input: "And now?" },
  });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("Ulm")]);
  const said = provider.calls
    .at(-1)
    ?.body.messages.slice(2)
    .map(({ content }) => content);
  expect(said).toEqual([INVALID, expect.stringContaining(MISSING), VALID, "And now?"]);
});

verifies(
  ["agents.output-schema.invalid", "agents.output-schema.retry"],
  "a result that stays invalid fails the task with the paths, and a retry repeats only the correction",
  async () => {
    const title = "never valid";
    const { agentId, taskId, end, calls } = await run(title);
    const message = `The result of gpt-4o does not satisfy the agent's output schema: the result ${MISSING}; city must be string.`;
    expect(end).toMatchObject({ status: "failed", result: null, error: message, usage: { total_tokens: 36 } });
    expect(calls).toHaveLength(2);
    const events = await readToEnd(service, { agentId, taskId });
    await expectWholeStream(events);
    expect(ofType(events, "RUN_ERROR")).toMatchObject([{ code: "OUTPUT_INVALID", message }]);
    const retried = await consoleOf(service, service.keys.api).post(`/runs/${taskId}/retry`, {});
    const { id } = z.looseObject({ id: z.string() }).parse(retried.body);
    expect(await taskEnd(service, id)).toMatchObject({ status: "completed", result: VALID });
    expect(provider.callsOf(title)).toHaveLength(3);
  },
);
