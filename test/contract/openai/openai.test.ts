import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, idsOf, listOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, createAgent, taskIn } from "../../support/work.ts";

let service: SharedService;
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startScriptedProvider(({ body }, reply) => {
    const said = body.messages
      .filter(({ role }) => role !== "system")
      .map(({ role, content }) => `${role}: ${content}`);
    for (const piece of ["Heard", " ", said.join(" | ")]) reply.say(piece);
    reply.finish();
  });
  service = await useProvider(provider);
});
afterAll(() => provider.close());

/** A new workspace: its API, and the official client with its key. */
async function newWorkspace(): Promise<{ readonly api: Api; readonly client: OpenAI }> {
  const { url, keys } = await useProvider(provider);
  return {
    api: apiOf({ url }, keys.api),
    client: new OpenAI({ baseURL: `${url}/v1`, apiKey: keys.api, maxRetries: 2 }),
  };
}

async function createEcho(api: Api): Promise<void> {
  await createAgent(api, { name: "Echo", model: "gpt-4o" });
}

verifies("openai.models", "agents and teams are models by name, and by id where names collide", async () => {
  const { api, client } = await newWorkspace();
  const { id: first } = await createAgent(api, { name: "Twin" });
  const { id: second } = await createAgent(api, { name: "Twin" });
  await createAgent(api, { name: "Solo" });
  await api.post("/api-teams", { name: "Crew", mode: "pipeline" });
  const models = [];
  for await (const { id, owned_by } of client.models.list()) models.push([id, owned_by]);
  expect(models).toEqual([
    ["Crew", "team"],
    ["Solo", "agent"],
    [second, "agent"],
    [first, "agent"],
  ]);
  expect(await client.models.retrieve(first)).toMatchObject({ id: first, object: "model" });
  await expect(client.models.retrieve("Twin")).rejects.toThrow(/use an id/);
  await expect(client.models.retrieve("Nobody")).rejects.toThrow(/does not exist/);
});

verifies("openai.chat", "a chat completion runs the agent with the whole conversation", async () => {
  const { api, client } = await newWorkspace();
  await createEcho(api);
  const completion = await client.chat.completions.create({
    model: "Echo",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "One" },
      { role: "assistant", content: "1" },
      { role: "user", content: [{ type: "text", text: "Two" }] },
    ],
  });
  const [choice] = completion.choices;
  expect(choice).toMatchObject({ finish_reason: "stop" });
  expect(choice?.message.content).toBe("Heard user: Be brief. | user: One | assistant: 1 | user: Two");
  expect(completion.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 });
  expect(idsOf(await api.get("/api-tasks")).map((id) => `chatcmpl-${id}`)).toEqual([completion.id]);
});

verifies("openai.chat", "a team is a model as well: it gets the conversation as its task", async () => {
  const { api, client } = await newWorkspace();
  const { id } = await createAgent(api, { name: "Echo", model: "gpt-4o" });
  const config = { steps: [{ agent_id: id, step_name: "Only", instructions: "Repeat." }] };
  await api.post("/api-teams", { name: "Crew", mode: "pipeline", config });
  const completion = await client.chat.completions.create({
    model: "Crew",
    messages: [{ role: "user", content: "Do it together" }],
  });
  expect(completion.choices[0]?.message.content).toContain("Do it together");
});

verifies("openai.chat.stream", "a streamed completion gives the text as it is written, then the usage", async () => {
  const { api, client } = await newWorkspace();
  await createEcho(api);
  const chunks = await client.chat.completions.create({
    model: "Echo",
    messages: [{ role: "user", content: "One" }],
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  const reasons = [];
  const usages = [];
  for await (const chunk of chunks) {
    text += chunk.choices[0]?.delta.content ?? "";
    reasons.push(chunk.choices[0]?.finish_reason ?? null);
    usages.push(chunk.usage);
  }
  expect(text).toBe("Heard user: One");
  expect(reasons.filter((reason) => reason !== null)).toEqual(["stop"]);
  expect(usages.pop()).toMatchObject({ total_tokens: 18 });
  expect([...new Set(usages)]).toEqual([null]);
});

verifies(
  ["openai.responses", "openai.responses.continue"],
  "a response can be read again, and continued by the next one",
  async () => {
    const { api, client } = await newWorkspace();
    await createEcho(api);
    const first = await client.responses.create({ model: "Echo", input: "One" });
    expect(first).toMatchObject({ status: "completed", output_text: "Heard user: One", model: "Echo" });
    expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id, output_text: "Heard user: One" });
    const next = await client.responses.create({ model: "Echo", input: "Two", previous_response_id: first.id });
    expect(next.output_text).toBe("Heard user: One | assistant: Heard user: One | user: Two");
    expect(next.previous_response_id).toBe(first.id);
    const foreign = (await newWorkspace()).client;
    await expect(foreign.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
  },
);

verifies("openai.responses.stream", "a stream that was cut continues by the response's id", async () => {
  const { api, client } = await newWorkspace();
  await createEcho(api);
  const whole = [];
  const stream = await client.responses.create({ model: "Echo", input: "One", stream: true });
  for await (const event of stream) whole.push(event);
  const [created] = whole;
  if (created?.type !== "response.created") throw new Error("The first event is response.created.");
  const numbers = whole.map(({ sequence_number }) => sequence_number);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  const text = whole.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("");
  expect(text).toBe("Heard user: One");
  expect(whole.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
  for (const seen of [0, 3, numbers[5] ?? 0, numbers.at(-2) ?? 0]) {
    const rest = [];
    const again = await client.responses.retrieve(created.response.id, { stream: true, starting_after: seen });
    for await (const event of again) rest.push(event.sequence_number);
    expect(rest).toEqual(numbers.filter((number) => number > seen));
  }
});

verifies("openai.responses.cancel", "a response in the background is cancelled with its task", async () => {
  const { api, client } = await newWorkspace();
  await createAgent(api, { name: "Slow" });
  const { id } = await client.responses.create({ model: "Slow", input: ENDLESS, background: true });
  await taskIn(api, id.slice("resp_".length), "running");
  expect(await client.responses.cancel(id)).toMatchObject({ status: "cancelled" });
  await taskIn(api, id.slice("resp_".length), "cancelled");
});

verifies("openai.idempotency", "a request sent again under its key starts no second run", async () => {
  const { api, client } = await newWorkspace();
  await createEcho(api);
  const ask = (content: string) =>
    client.chat.completions.create(
      { model: "Echo", messages: [{ role: "user", content }] },
      { headers: { "Idempotency-Key": "once" } },
    );
  const [first, second] = await Promise.all([ask("One"), ask("One")]);
  expect(second).toMatchObject({ id: first.id, choices: first.choices });
  await expect(ask("Two")).rejects.toMatchObject({ status: 409 });
  expect(idsOf(await api.get("/api-tasks"))).toHaveLength(1);
});

verifies("openai.errors", "errors have OpenAI's form, and clients do not retry a failed run", async () => {
  const { api, client } = await newWorkspace();
  await createAgent(api, { name: "Clumsy" });
  const failing = client.chat.completions.create({ model: "Clumsy", messages: [{ role: "user", content: FAILING }] });
  const error: unknown = await failing.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(APIError);
  expect(error).toMatchObject({ status: 400, type: "invalid_request_error" });
  expect(listOf(await api.get("/api-tasks")).map(({ status }) => status)).toEqual(["failed"]);
  const wrong = [
    [{ model: "Clumsy", messages: [] }, 400, "messages"],
    [{ model: "Clumsy", messages: [{ role: "assistant", content: "x" }] }, 400, "messages"],
    [{ model: "Clumsy", messages: [{ role: "user", content: 7 }] }, 400, "messages.0.content"],
    [{ model: "Nobody", messages: [{ role: "user", content: "x" }] }, 404, "model"],
    [{ model: "Clumsy", n: 2, messages: [{ role: "user", content: "x" }] }, 400, "n"],
    [{ model: "Clumsy", tools: [{}], messages: [{ role: "user", content: "x" }] }, 400, "tools.0.type"],
  ] as const;
  for (const [body, status, param] of wrong) {
    const answer = await send("POST", `${service.url}/v1/chat/completions`, {
      headers: { authorization: `Bearer ${client.apiKey}` },
      body,
    });
    expect([answer.status, answer.body]).toMatchObject([status, { error: { param, message: expect.any(String) } }]);
  }
});

verifies("openai.auth", "an envelope key is accepted; no key and other keys are 401", async () => {
  const listed = (key: string) =>
    send("GET", `${service.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  expect((await listed(service.keys.api)).status).toBe(200);
  for (const key of ["nonsense", service.keys.mcp, service.keys.table]) {
    const answer = await listed(key);
    expect([answer.status, answer.body]).toMatchObject([401, { error: { type: "authentication_error" } }]);
  }
});
