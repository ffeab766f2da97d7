import { expect, test } from "vitest";
import { plainParts } from "#domain/models/reply-parts.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import google from "#providers/google.ts";
import { startRawProvider, writeEvents } from "../../support/providers/raw-provider.ts";
import { callsOf, collect, collectFailure, followUp, question } from "./collect.ts";
import { END, candidate } from "./fixtures/google.ts";

const MODEL = "gemini-2.0-flash";

test("the thought signature of a tool call is returned to Gemini with the call", async () => {
  const signed = { functionCall: { name: "clock", args: {} }, thoughtSignature: "c2lnbmVk" };
  const provider = await startRawProvider((response) => {
    writeEvents(response, [candidate([signed]), END]);
    response.end();
  });
  const client = await google.connect({ apiKey: "key-of-the-test", baseUrl: `${provider.url}/v1beta` });
  const ask = { role: "user", content: "What time is it?" } as const;
  const chunks = await collect(client, followUp(MODEL, [ask]));
  const toolCalls = callsOf(chunks);
  const kept: ToolCall[] = JSON.parse(JSON.stringify(toolCalls)); // as the database keeps them
  await collect(client, followUp(MODEL, [ask, { role: "assistant", parts: plainParts("", kept) }]));
  expect(provider.requests[1]?.body).toMatchObject({
    contents: [{ role: "user" }, { role: "model", parts: [{ thoughtSignature: "c2lnbmVk" }] }],
  });
  await provider.close();
});

test("a wrong key is an auth error although Gemini answers 400", async () => {
  const provider = await startRawProvider((response) => {
    const error = {
      code: 400,
      message: "API key not valid. Please pass a valid API key.",
      status: "INVALID_ARGUMENT",
      details: [{ reason: "API_KEY_INVALID" }],
    };
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  const client = await google.connect({ apiKey: "key-of-the-test", baseUrl: `${provider.url}/v1beta` });
  const { error } = await collectFailure(client, question(MODEL, "Hi"));
  expect(error).toMatchObject({ kind: "auth", status: 400 });
  await provider.close();
});

test("a reply that Gemini aborts as malformed is incomplete", async () => {
  const provider = await startRawProvider((response) => {
    writeEvents(response, [candidate([], { finishReason: "MALFORMED_FUNCTION_CALL" })]);
    response.end();
  });
  const client = await google.connect({ apiKey: "key-of-the-test", baseUrl: `${provider.url}/v1beta` });
  const { error } = await collectFailure(client, question(MODEL, "Hi"));
  expect(error).toMatchObject({
    kind: "cut",
    message: "The provider aborted the answer: MALFORMED_FUNCTION_CALL",
  });
  await provider.close();
});
