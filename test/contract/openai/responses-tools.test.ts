import type OpenAI from "openai";
import type { Response, ResponseFunctionToolCall, ResponseStreamEvent } from "openai/resources/responses/responses";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { clientOf } from "../../support/chat-tools.ts";
import { WEATHER, callingScript, callsText } from "../../support/client-tools.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const keys = createKeys();
const bern = { name: "get_weather", args: { city: "Bern" } };
const oslo = { name: "get_weather", args: { city: "Oslo" } };
const tools = [{ type: "function" as const, strict: null, ...WEATHER }];
const input = callsText([bern, oslo]);
const request = { model: "Guide", tools };

let database: TestDatabase;
let provider: ScriptedProvider;
let service: TestService;
let other: TestService;
let client: OpenAI;
let elsewhere: OpenAI;

beforeAll(async () => {
  provider = await startScriptedProvider(callingScript);
  database = await createDatabase();
  const env = { ...provider.env };
  const options = { databaseUrl: database.url, keys, env };
  [service, other] = await Promise.all([startService(options), startPeer(options)]);
  [client, elsewhere] = [clientOf(service, keys.api), clientOf(other, keys.api)];
  await createAgent(apiOf(service, keys.api), { name: "Guide", model: "gpt-4o" });
});
afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
  await provider.close();
  await database.drop();
});

function callsIn({ output }: Response): ResponseFunctionToolCall[] {
  return output.filter((item) => item.type === "function_call");
}

function outputsOf(response: Response, ...results: string[]) {
  return callsIn(response).map(({ call_id }, index) => ({
    type: "function_call_output" as const,
    call_id,
    output: results[index] ?? "",
  }));
}

async function all(stream: AsyncIterable<ResponseStreamEvent>): Promise<ResponseStreamEvent[]> {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

verifies(
  "openai.client-tools.responses",
  "function calls end a response, and their outputs make the next one, on any process",
  async () => {
    const first = await client.responses.create({ ...request, input });
    expect(first).toMatchObject({ status: "completed", output_text: "Let me see." });
    expect(callsIn(first).map((call) => call.arguments)).toEqual(['{"city":"Bern"}', '{"city":"Oslo"}']);
    const next = { ...request, previous_response_id: first.id, input: outputsOf(first, "sunny", "rain") };
    const second = await elsewhere.responses.create(next);
    expect(second).toMatchObject({ status: "completed", output_text: "Results: sunny | rain" });
    expect(second.previous_response_id).toBe(first.id);
    expect([first.usage?.total_tokens, second.usage?.total_tokens]).toEqual([18, 18]);
    for (const response of [first, second]) {
      expect(await client.responses.retrieve(response.id)).toMatchObject({
        id: response.id,
        output: response.output,
        usage: response.usage,
      });
    }
    expect((await client.responses.create(next)).id).toBe(second.id);
    const third = await client.responses.create({ ...request, previous_response_id: second.id, input: "Thanks" });
    expect(third.output_text).toBe("Results: none");
  },
  { tags: "slow" },
);

verifies(
  "openai.client-tools.responses",
  "a client without previous_response_id sends the items back, in full or by reference",
  async () => {
    const first = await client.responses.create({ ...request, input });
    const user = { role: "user", content: input } as const;
    const outputs = outputsOf(first, "sunny", "rain");
    const references = first.output.map(({ id }) => ({ type: "item_reference" as const, id: id ?? "" }));
    const second = await elsewhere.responses.create({ ...request, input: [user, ...references, ...outputs] });
    expect(second.output_text).toBe("Results: sunny | rain");
    const same = await client.responses.create({ ...request, input: [user, ...callsIn(first), ...outputs] });
    expect(same.id).toBe(second.id);
    const items = [user, ...references, ...outputs, { role: "user", content: "And now?" } as const];
    const third = await client.responses.create({ ...request, input: items });
    expect(third.output_text).toBe("Results: none");
    const sent = provider.callsOf("And now?")[0]?.body.messages.map(({ role }) => role);
    expect(sent).toEqual(["system", "user", "assistant", "tool", "assistant", "tool", "user"]);
  },
  { tags: "slow" },
);

verifies("openai.client-tools.responses", "streamed, and read again after any event", async () => {
  const whole = await all(await client.responses.create({ ...request, input, stream: true }));
  const numbers = whole.map(({ sequence_number }) => sequence_number);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  const last = whole.at(-1);
  if (last?.type !== "response.completed") throw new Error("The last event is response.completed.");
  const first = last.response;
  expect(whole.filter(({ type }) => type === "response.function_call_arguments.done")).toMatchObject([
    { name: "get_weather", arguments: '{"city":"Bern"}', output_index: 1 },
    { name: "get_weather", arguments: '{"city":"Oslo"}', output_index: 2 },
  ]);
  const final = await elsewhere.responses
    .stream({ ...request, previous_response_id: first.id, input: outputsOf(first, "sunny", "rain") })
    .finalResponse();
  expect(final.output_text).toBe("Results: sunny | rain");
  for (const seen of [0, 2, 5, numbers.at(-2) ?? 0]) {
    const rest = await all(await elsewhere.responses.retrieve(first.id, { stream: true, starting_after: seen }));
    expect(rest.map(({ sequence_number }) => sequence_number)).toEqual(numbers.filter((number) => number > seen));
  }
});

verifies("openai.client-tools.errors", "outputs without a matching response are rejected", async () => {
  const first = await client.responses.create({ ...request, input });
  const foreign = await client.responses.create({ ...request, input });
  const outputs = outputsOf(first, "a", "b");
  const refusals = [
    [{ input: outputs.slice(1) }, 400, "Results are missing"],
    [{ input: outputs, previous_response_id: foreign.id }, 400, "did not make the call"],
    [{ input: [...outputs, ...outputsOf(foreign, "a", "b")] }, 400, "different replies"],
    [{ input: "Never mind", previous_response_id: first.id }, 409, "send only their outputs"],
    [{ input: [{ type: "function_call_output", call_id: "call_1", output: "x" }] }, 404, "call_1"],
    [
      {
        input: [
          { type: "item_reference", id: "msg_1" },
          { role: "user", content: "x" },
        ],
      },
      404,
      "msg_1",
    ],
    [
      {
        input: [
          { type: "item_reference", id: "fc_1" },
          { role: "user", content: "x" },
        ],
      },
      404,
      "fc_1",
    ],
  ] as const;
  for (const [fields, status, says] of refusals) {
    const failing = client.post("/responses", { body: { ...request, ...fields } });
    await expect(failing).rejects.toMatchObject({ status, message: expect.stringContaining(says) });
  }
});
