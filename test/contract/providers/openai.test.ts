import { expect, test } from "vitest";
import openai from "#providers/openai.ts";
import { startRawProvider, writeEvents } from "../../support/providers/raw-provider.ts";
import { collect, question } from "./collect.ts";
import fixture from "./fixtures/openai.ts";

test("a reasoning model gets its limit under the name it takes, and no temperature", async () => {
  const provider = await startRawProvider((response) => {
    writeEvents(response, [...fixture.events.hello, ...fixture.events.end]);
    response.end();
  });
  const client = await openai.connect({ apiKey: "key-of-the-test", baseUrl: `${provider.url}/v1` });
  await collect(client, { ...question("gpt-6-sol", "Hi"), temperature: 0.25, maxTokens: 77 });
  expect(provider.requests[0]?.body).toMatchObject({ max_output_tokens: 77 });
  expect(provider.requests[0]?.body).not.toHaveProperty("temperature");
  await provider.close();
});
