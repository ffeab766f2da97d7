import OpenAI from "openai";
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { WEATHER, callingScript, callsText } from "../../support/client-tools.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startPeer, startProcess, startService } from "../../support/service.ts";
import type { StartOptions, TestDatabase, TestProcess, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const keys = createKeys();
let database: TestDatabase;
let provider: ScriptedProvider;
const services: TestService[] = [];
let survivor: TestService;

beforeAll(async () => {
  provider = await startScriptedProvider(async (call, reply) => {
    if (call.task !== "Held") return callingScript(call, reply);
    for (const piece of call.nth === 1 ? ["one ", "two "] : ["once ", "more"]) reply.say(piece);
    if (call.nth === 1) await call.gone;
    reply.finish();
  });
  database = await createDatabase();
  survivor = await startService(options());
  services.push(survivor);
  await createAgent(apiOf(survivor, keys.api), { name: "Guide", model: "gpt-4o" });
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await provider.close();
  await database.drop();
});

function options(): StartOptions {
  const env = { ...provider.env, LEASE_MS: "2000" };
  return { databaseUrl: database.url, keys, env };
}

async function startVictim(): Promise<TestProcess> {
  const service = await startProcess(options());
  services.push(service);
  return service;
}

function clientOf({ url }: TestService): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: keys.api, maxRetries: 0 });
}

function textOf(events: readonly ResponseStreamEvent[]): string {
  return events.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("");
}

verifies(
  "openai.cut-stream",
  "a stream whose process is killed continues at another one, after the last event that the client has",
  async () => {
    const victim = await startVictim();
    const seen: ResponseStreamEvent[] = [];
    const stream = await clientOf(victim).responses.create({ model: "Guide", input: "Held", stream: true });
    try {
      for await (const event of stream) {
        seen.push(event);
        if (textOf(seen) === "one two ") await victim.kill();
      }
    } catch {
      // The connection broke.
    }
    const [created] = seen;
    if (created?.type !== "response.created") throw new Error("The first event is response.created.");
    const read = async (starting_after?: number) => {
      const events: ResponseStreamEvent[] = [];
      const query = { stream: true, ...(starting_after !== undefined && { starting_after }) } as const;
      const again = await clientOf(survivor).responses.retrieve(created.response.id, query);
      for await (const event of again) events.push(event);
      return events;
    };
    const rest = await read(seen.at(-1)?.sequence_number);
    expect(textOf([...seen, ...rest])).toBe("one two \n\nonce more");
    expect(rest.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
    const numbers = [...seen, ...rest].map(({ sequence_number }) => sequence_number);
    expect((await read()).map(({ sequence_number }) => sequence_number)).toEqual(numbers);
    expect(provider.callsOf("Held")).toHaveLength(2);
  },
);

verifies(
  "openai.client-tools.durable",
  "calls of the client's tools outlive their process, and an Idempotency-Key holds across processes",
  async () => {
    const victim = await startVictim();
    const messages = [{ role: "user", content: callsText([{ name: "get_weather", args: { city: "Bern" } }]) }] as const;
    const request = { model: "Guide", tools: [{ type: "function", function: WEATHER }] } as const;
    const once = { headers: { "Idempotency-Key": "durable" } };
    const body = { ...request, messages: [...messages], tools: [...request.tools] };
    const first = await clientOf(victim).chat.completions.create(body, once);
    await victim.kill();
    expect((await clientOf(survivor).chat.completions.create(body, once)).choices).toEqual(first.choices);
    const said = first.choices[0]?.message;
    const [call] = said?.tool_calls ?? [];
    if (said === undefined || call === undefined) throw new Error("The reply has a call.");
    const result = { role: "tool", tool_call_id: call.id, content: "sunny" } as const;
    const next = { ...body, messages: [...messages, said, result] };
    const second = await clientOf(survivor).chat.completions.create(next);
    expect(second.choices[0]?.message.content).toBe("Results: sunny");
    const later = await startPeer(options());
    services.push(later);
    expect((await clientOf(later).chat.completions.create(next)).id).toBe(second.id);
  },
);
