import type OpenAI from "openai";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { askedOf, clientOf, ask, bern, tools, callsIn, taskOf, answered, oslo } from "../../support/chat-tools.ts";
import { WEATHER, callingScript } from "../../support/client-tools.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readTask, taskIn } from "../../support/work.ts";

const keys = createKeys();
let database: TestDatabase;
let provider: ScriptedProvider;
let service: TestService;
let other: TestService;
let api: Api;
let client: OpenAI;
let elsewhere: OpenAI;
let guideId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(callingScript);
  database = await createDatabase();
  const env = { ...provider.env };
  [service, other] = await Promise.all([
    startService({ databaseUrl: database.url, keys, env }),
    startPeer({ databaseUrl: database.url, keys, env }),
  ]);
  api = apiOf(service, keys.api);
  client = clientOf(service, keys.api);
  elsewhere = clientOf(other, keys.api);
  guideId = (await createAgent(api, { name: "Guide", model: "gpt-4o", tools: ["current_time"] })).id;
});
afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
  await provider.close();
  await database.drop();
});

verifies(
  "openai.client-tools",
  "a call of the caller's tool ends the reply, and its result continues the same run on another process",
  async () => {
    const messages = ask([bern]);
    const first = await client.chat.completions.create({ model: "Guide", messages, tools });
    expect(first.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: "Let me see.", tool_calls: [{ type: "function", function: { name: "get_weather" } }] },
    });
    const [call] = callsIn(first);
    expect(call?.id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
    expect(JSON.parse(call?.function.arguments ?? "")).toEqual({ city: "Bern" });
    expect(await readTask(api, taskOf(first))).toMatchObject({ status: "waiting_for_input" });
    const next = answered(messages, first, ["sunny"]);
    const second = await elsewhere.chat.completions.create({ model: "Guide", messages: next, tools });
    expect(second.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Results: sunny" } });
    expect([first.usage?.total_tokens, second.usage?.total_tokens]).toEqual([18, 18]);
    expect(second.id).not.toBe(first.id);
    expect(await readTask(api, taskOf(first))).toMatchObject({ status: "completed", attempt: 1 });
  },
  { tags: "slow" },
);

verifies(
  "openai.client-tools",
  "streamed, the calls come as chunks, and the continuation as well",
  async () => {
    const messages = ask([bern, oslo]);
    const stream = elsewhere.chat.completions.stream({
      model: "Guide",
      messages,
      tools,
      stream_options: { include_usage: true },
    });
    const deltas: string[] = [];
    stream.on("content", (delta) => deltas.push(delta));
    const first = await stream.finalChatCompletion();
    expect(deltas.join("")).toBe("Let me see.");
    expect(first.choices[0]?.finish_reason).toBe("tool_calls");
    expect(first.usage).toMatchObject({ total_tokens: 18 });
    expect(callsIn(first).map((call) => call.function.arguments)).toEqual(['{"city":"Bern"}', '{"city":"Oslo"}']);
    const next = answered(messages, first, ["sunny", "rain"]);
    const second = await client.chat.completions
      .stream({ model: "Guide", messages: next, tools })
      .finalChatCompletion();
    expect(second.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Results: sunny | rain" } });
  },
  { tags: "slow" },
);

verifies("openai.client-tools.node", "the helper runTools of the official client drives a run to its end", async () => {
  const asked: string[] = [];
  const runner = client.chat.completions.runTools({
    model: "Guide",
    messages: ask([bern], [oslo]),
    tools: [
      {
        type: "function",
        function: {
          ...WEATHER,
          parse: (text: string): { city: string } => JSON.parse(text),
          function: ({ city }: { city: string }) => {
            asked.push(city);
            return `fine in ${city}`;
          },
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe("Results: fine in Bern | fine in Oslo");
  expect(asked).toEqual(["Bern", "Oslo"]);
  const ids = new Set(runner.allChatCompletions().map(taskOf));
  expect(ids.size).toBe(1);
});

verifies("openai.client-tools", "the agent runs its own tools of the same reply itself", async () => {
  const messages = ask([{ name: "current_time", args: {} }, bern]);
  const first = await client.chat.completions.create({ model: "Guide", messages, tools });
  expect(callsIn(first).map((call) => call.function.name)).toEqual(["get_weather"]);
  const next = answered(messages, first, ["sunny"]);
  const second = await client.chat.completions.create({ model: "Guide", messages: next, tools });
  expect(second.choices[0]?.message.content).toMatch(/^Results: .*\d{4}-\d\d-\d\d.* \| sunny$/);
  const offered = JSON.stringify(askedOf(provider, messages)[0]?.body["tools"]);
  expect(offered).toContain("current_time");
  expect(offered).toContain("get_weather");
});

verifies("openai.client-tools.repeat", "repeated results get the same reply, also concurrently", async () => {
  const messages = ask([bern]);
  const first = await client.chat.completions.create({ model: "Guide", messages, tools });
  const next = answered(messages, first, ["sunny"]);
  const send2 = (from: OpenAI) => from.chat.completions.create({ model: "Guide", messages: next, tools });
  const replies = await Promise.all([send2(client), send2(elsewhere), send2(client)]);
  replies.push(await send2(elsewhere));
  expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
  for (const { choices } of replies) expect(choices[0]?.message.content).toBe("Results: sunny");
  expect(askedOf(provider, messages)).toHaveLength(2);
  const changed = answered(messages, first, ["snow"]);
  await expect(client.chat.completions.create({ model: "Guide", messages: changed, tools })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining("Other results"),
  });
  const keyed = { headers: { "Idempotency-Key": "again" } };
  const again = () => client.chat.completions.create({ model: "Guide", messages: next, tools }, keyed);
  expect([(await again()).id, (await again()).id]).toEqual([replies[0]?.id, replies[0]?.id]);
});

verifies("openai.client-tools.choice", "tool_choice holds for the model's first call of a request", async () => {
  const choose = async (choice: "none" | "required" | object, parallel?: boolean) => {
    const messages = ask([bern]);
    const body = { model: "Guide", messages, tools, tool_choice: choice, parallel_tool_calls: parallel };
    const { status } = await send("POST", `${service.url}/v1/chat/completions`, {
      headers: { authorization: `Bearer ${keys.api}` },
      body,
    });
    expect(status).toBe(200);
    return askedOf(provider, messages);
  };
  const named = { type: "function", function: { name: "get_weather" } };
  expect((await choose("required"))[0]?.body["tool_choice"]).toBe("required");
  expect((await choose(named))[0]?.body["tool_choice"]).toEqual(named);
  const none = await choose("none");
  expect(JSON.stringify(none[0]?.body["tools"])).not.toContain("get_weather");
  expect(none[1]?.body.messages.at(-1)?.content).toContain("There is no tool");
});

verifies("openai.client-tools.choice", "after a call of its own tool the model decides how to continue", async () => {
  const messages = ask([{ name: "current_time", args: {} }], [bern]);
  await client.chat.completions.create({ model: "Guide", messages, tools, tool_choice: "required" });
  const made = askedOf(provider, messages);
  expect(made.map(({ body }) => body["tool_choice"])).toEqual(["required", undefined]);
});

verifies("openai.client-tools.choice", "without parallel calls the model is asked to make one at a time", async () => {
  const messages = ask([bern, oslo], [oslo]);
  const request = { model: "Guide", tools, parallel_tool_calls: false };
  const first = await client.chat.completions.create({ ...request, messages });
  expect(callsIn(first).map((call) => call.function.arguments)).toEqual(['{"city":"Bern"}']);
  const next = answered(messages, first, ["sunny"]);
  const second = await client.chat.completions.create({ ...request, messages: next });
  expect(callsIn(second).map((call) => call.function.arguments)).toEqual(['{"city":"Oslo"}']);
});

verifies("openai.client-tools.person", "a person can answer in place of the client", async () => {
  const messages = ask([bern]);
  const first = await client.chat.completions.create({ model: "Guide", messages, tools });
  const { interaction } = await readTask(api, taskOf(first));
  expect(interaction).toMatchObject({ interactionType: "form", fields: [{ key: "call_0", type: "textarea" }] });
  const { interactionId } = Object(interaction);
  const { status } = await send("POST", `${other.url}/ag-ui/${guideId}/respond`, {
    headers: { authorization: `Bearer ${keys.agui}` },
    body: { threadId: taskOf(first), interactionId, values: { call_0: "fog" } },
  });
  expect(status).toBe(200);
  expect(await taskIn(api, taskOf(first), "completed")).toMatchObject({ result: "Results: fog" });
});

verifies("openai.client-tools.history", "calls of earlier replies are part of a new conversation", async () => {
  const messages = ask([bern]);
  const first = await client.chat.completions.create({ model: "Guide", messages, tools });
  const next = answered(messages, first, ["sunny"]);
  const more = [...next, { role: "assistant", content: "It is sunny." } as const, ...ask()];
  const reply = await client.chat.completions.create({ model: "Guide", messages: more, tools });
  expect(reply.choices[0]?.message.content).toBe("Results: none");
  const [sent] = askedOf(provider, more);
  const roles = sent?.body.messages.map(({ role }) => role);
  expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
  expect(sent?.body.messages[3]).toMatchObject({ tool_call_id: callsIn(first)[0]?.id, content: "sunny" });
});
