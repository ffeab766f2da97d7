import { expect, test } from "vitest";
import { createPriceList } from "./prices.ts";

const catalogue = createPriceList({});

test("a call costs its prompt and completion tokens at the model's own prices", () => {
  expect(catalogue.costUsd("gpt-4o", { promptTokens: 1_000_000, completionTokens: 100_000 })).toBe(3.5);
});

test("a cost is rounded to eight decimals", () => {
  expect(catalogue.costUsd("gpt-4o-mini", { promptTokens: 1, completionTokens: 1 })).toBe(0.00000075);
  expect(catalogue.costUsd("gemini-2.5-flash", { promptTokens: 3, completionTokens: 1 })).toBe(0.0000034);
});

test("half of the last decimal is rounded up, whatever binary fractions make of it", () => {
  const { costUsd } = createPriceList({ half: { prompt: 0.005, completion: 1.005 } });
  expect(costUsd("half", { promptTokens: 1, completionTokens: 0 })).toBe(0.00000001);
  expect(costUsd("half", { promptTokens: 0, completionTokens: 1 })).toBe(0.00000101);
});

test("the demo model is free", () => {
  expect(catalogue.costUsd("demo", { promptTokens: 10, completionTokens: 10 })).toBe(0);
});

test("the cost of an unknown model is unknown", () => {
  expect(catalogue.costUsd("llama-9", { promptTokens: 10, completionTokens: 10 })).toBeNull();
  expect(catalogue.costUsd("constructor", { promptTokens: 10, completionTokens: 10 })).toBeNull();
});

test("an instance's own prices come first, also for models that the catalogue does not have", () => {
  const { costUsd } = createPriceList({
    "gpt-4o": { prompt: 1, completion: 2 },
    "llama-9": { prompt: 0, completion: 0 },
  });
  expect(costUsd("gpt-4o", { promptTokens: 1_000_000, completionTokens: 1_000_000 })).toBe(3);
  expect(costUsd("llama-9", { promptTokens: 10, completionTokens: 10 })).toBe(0);
  expect(costUsd("gpt-4o-mini", { promptTokens: 1_000_000, completionTokens: 0 })).toBe(0.15);
});
