import { expect, test } from "vitest";
import compatible from "#providers/openai-compatible.ts";
import { startRawProvider, writeEvents } from "../../support/providers/raw-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { collect, collectFailure, question } from "./collect.ts";
import { CHAT_EVENTS } from "./chat-completions.ts";
import { sseEvent } from "./provider-fixture.ts";

verifies("providers.compatible.no-key", "an endpoint without a key gets no Authorization header", async () => {
  const provider = await startRawProvider((response) => {
    writeEvents(response, [...CHAT_EVENTS.hello, ...CHAT_EVENTS.end]);
    response.end();
  });
  const chunks = await collect(await compatible.connect({ baseUrl: `${provider.url}/v1` }), question("llama-9", "Hi"));
  expect(chunks.at(-1)).toEqual({
    type: "finish",
    parts: [{ type: "text", text: "Hello" }],
    end: { reason: "stop", raw: "stop" },
    usage: { promptTokens: 0, completionTokens: 0 }, // such servers may leave the usage out
  });
  expect(provider.requests[0]?.headers).not.toHaveProperty("authorization");
  await provider.close();
});

for (const [said, counted] of [
  [-5, 0],
  [1.5, 2],
  [3e9, 10_000_000],
]) {
  verifies("providers.stream.usage", `${said} tokens count as ${counted}`, async () => {
    const provider = await startRawProvider((response) => {
      const usage = { prompt_tokens: said, completion_tokens: said, total_tokens: said };
      const end = { id: "c", created: 1, model: "llama-9", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      writeEvents(response, [...CHAT_EVENTS.hello, sseEvent({ ...end, usage }), "data: [DONE]"]);
      response.end();
    });
    const chunks = await collect(
      await compatible.connect({ baseUrl: `${provider.url}/v1` }),
      question("llama-9", "Hi"),
    );
    expect(chunks.at(-1)).toMatchObject({ usage: { promptTokens: counted, completionTokens: counted } });
    await provider.close();
  });
}

test.each([
  [404, { error: "model 'llama-9' not found" }, "model", "model 'llama-9' not found"],
  [400, { error: { message: "Unknown model: llama-9" } }, "model", "Unknown model: llama-9"],
  [400, { message: "Bad tools" }, "request", "Bad tools"],
  [422, { detail: "Too many messages" }, "request", "Too many messages"],
])("a %i with the body %j is an error of kind %s", async (status, body, kind, message) => {
  const provider = await startRawProvider((response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const client = await compatible.connect({ baseUrl: provider.url });
  const { error } = await collectFailure(client, question("llama-9", "Hi"));
  expect(error).toMatchObject({ kind, status, message });
  await provider.close();
});

test("the headers of answers and rejections are passed on, because they say how much room is left", async () => {
  const seen: (string | undefined)[] = [];
  let status = 200;
  const provider = await startRawProvider((response) => {
    response.setHeader("x-ratelimit-remaining-requests", String(status));
    if (status !== 200) return void response.writeHead(status).end();
    writeEvents(response, [...CHAT_EVENTS.hello, ...CHAT_EVENTS.end]);
    response.end();
  });
  const client = await compatible.connect({ baseUrl: provider.url });
  const onHeaders = (headers: Readonly<Record<string, string>>) =>
    void seen.push(headers["x-ratelimit-remaining-requests"]);
  await collect(client, { ...question("llama-9", "Hi"), onHeaders });
  status = 429;
  await collectFailure(client, { ...question("llama-9", "Hi"), onHeaders });
  expect(seen).toEqual(["200", "429"]);
  await provider.close();
});

test("a rejection without a readable body keeps its status", async () => {
  const provider = await startRawProvider((response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
  });
  const client = await compatible.connect({ baseUrl: provider.url });
  const { error } = await collectFailure(client, question("llama-9", "Hi"));
  expect(error).toMatchObject({ kind: "unavailable", status: 502, message: "Bad Gateway" });
  await provider.close();
});

test.each([
  [{ error: { message: "No credits are left", code: 402 } }, "request", 402, "No credits are left"],
  [{ error: { message: "Slow down", code: 429 } }, "rate_limit", 429, "Slow down"],
  [{ error: { message: "Upstream failed", code: "upstream" } }, "unavailable", 502, "Upstream failed"],
  [{ error: "Upstream failed" }, "unavailable", 502, "Upstream failed"],
])("the error %j at status 200 is one of kind %s", async (body, kind, status, message) => {
  const provider = await startRawProvider((response) => {
    // Letter case has no meaning in a media type.
    response.writeHead(200, { "content-type": "Application/JSON; charset=utf-8" }).end(JSON.stringify(body));
  });
  const client = await compatible.connect({ baseUrl: provider.url });
  const { error } = await collectFailure(client, question("llama-9", "Hi"));
  expect(error).toMatchObject({ kind, status, message });
  await provider.close();
});

test("a page or a document at status 200 is named as such", async () => {
  for (const type of ["text/html", "application/json"]) {
    const provider = await startRawProvider((response) => {
      response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end("{}");
    });
    const client = await compatible.connect({ baseUrl: provider.url });
    const { error } = await collectFailure(client, question("llama-9", "Hi"));
    expect(error).toMatchObject({ kind: "cut", message: expect.stringContaining(`: ${type} instead of a stream`) });
    await provider.close();
  }
});

test("a connection without a base URL is rejected with a message that says so", async () => {
  await expect(compatible.connect({})).rejects.toThrow("OpenAI-compatible endpoint needs a base URL.");
});
