import { expect, test } from "vitest";
import { createUsageTally } from "./usage-tally.ts";

test("usage is summed by provider and model, and cached tokens are parts of the input", () => {
  const tally = createUsageTally([{ provider: "a", model: "m", prompt_tokens: 100, completion_tokens: 10 }]);
  tally.add({ provider: "b", model: "m", prompt_tokens: 7, completion_tokens: 3 });
  tally.add({
    provider: "a",
    model: "m",
    prompt_tokens: 200,
    completion_tokens: 20,
    cached_tokens: 90,
    cache_write_tokens: 50,
    reasoning_tokens: 5,
  });
  expect(tally.field()).toEqual({
    usage: [
      {
        provider: "a",
        model: "m",
        inputTokens: 300,
        outputTokens: 30,
        totalTokens: 330,
        reasoningTokens: 5,
        cachedInputTokens: 90,
        cacheWriteInputTokens: 50,
      },
      { provider: "b", model: "m", inputTokens: 7, outputTokens: 3, totalTokens: 10 },
    ],
  });
});

test("calls without tokens are no usage", () => {
  const tally = createUsageTally([]);
  tally.add({ provider: "a", model: "m", prompt_tokens: 0, completion_tokens: 0 });
  expect(tally.field()).toEqual({});
});
