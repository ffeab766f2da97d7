import { expect, test } from "vitest";
import { createCatalogue } from "./model-catalogue.ts";
import { createPriceList } from "./prices.ts";

const model = (id: string, promptPrice: number, completionPrice: number) => ({
  id,
  label: id,
  promptPrice,
  completionPrice,
  contextWindow: 1_000,
});
const models = createCatalogue([
  { id: "one", models: [model("large", 2.5, 10), model("small", 0.15, 0.6)], embeddingPrices: { vectors: 0.02 } },
  { id: "other", models: [model("quick", 0.3, 2.5), model("free", 0, 0)] },
]);
const catalogue = createPriceList(models, {});

test("a call costs its prompt and completion tokens at the model's own prices", () => {
  expect(catalogue.costUsd("large", { promptTokens: 1_000_000, completionTokens: 100_000 })).toBe(3.5);
});

test("a cost is rounded to eight decimals", () => {
  expect(catalogue.costUsd("small", { promptTokens: 1, completionTokens: 1 })).toBe(0.00000075);
  expect(catalogue.costUsd("quick", { promptTokens: 3, completionTokens: 1 })).toBe(0.0000034);
});

test("half of the last decimal is rounded up, whatever binary fractions make of it", () => {
  const { costUsd } = createPriceList(models, { half: { prompt: 0.005, completion: 1.005 } });
  expect(costUsd("half", { promptTokens: 1, completionTokens: 0 })).toBe(0.00000001);
  expect(costUsd("half", { promptTokens: 0, completionTokens: 1 })).toBe(0.00000101);
});

test("a model without a price per token is free", () => {
  expect(catalogue.costUsd("free", { promptTokens: 10, completionTokens: 10 })).toBe(0);
});

test("a model that embeds texts has a price per prompt token", () => {
  expect(catalogue.costUsd("vectors", { promptTokens: 1_000_000, completionTokens: 0 })).toBe(0.02);
});

test("two models of one id are rejected", () => {
  const one = { id: "one", models: [model("same", 1, 1)] };
  expect(() => createCatalogue([one, { ...one, id: "other" }])).toThrow(/same id/);
});

test("the cost of an unknown model is unknown", () => {
  expect(catalogue.costUsd("llama-9", { promptTokens: 10, completionTokens: 10 })).toBeNull();
  expect(catalogue.costUsd("constructor", { promptTokens: 10, completionTokens: 10 })).toBeNull();
});

test("an instance's own prices come first, also for models that the catalogue does not have", () => {
  const { costUsd } = createPriceList(models, {
    large: { prompt: 1, completion: 2 },
    "llama-9": { prompt: 0, completion: 0 },
  });
  expect(costUsd("large", { promptTokens: 1_000_000, completionTokens: 1_000_000 })).toBe(3);
  expect(costUsd("llama-9", { promptTokens: 10, completionTokens: 10 })).toBe(0);
  expect(costUsd("small", { promptTokens: 1_000_000, completionTokens: 0 })).toBe(0.15);
});

/** A model of each vendor's kind, with all prices. */
const billed = createPriceList(
  createCatalogue([
    {
      id: "vendor",
      models: [
        {
          ...model("openai", 2, 10),
          cachedPrice: 0.1,
          cacheWritePrice: 2.5,
          longPrompt: { above: 272_000, prompt: 2, completion: 1.5 },
        },
        { ...model("anthropic", 4, 20), cachedPrice: 0.2, cacheWritePrice: 5 },
        {
          ...model("google", 1.25, 10),
          cachedPrice: 0.125,
          longPrompt: { above: 200_000, prompt: 2, completion: 1.5 },
        },
      ],
    },
  ]),
  {},
);

/** What the vendors bill, in millionths of a dollar, by the counts as they report them. */
const INVOICES = {
  openai: ({ fresh, read, written, said, thought }: Counts) => {
    const long = fresh + read + written > 272_000;
    return (fresh * 2 + read * 0.1 + written * 2.5) * (long ? 2 : 1) + (said + thought) * 10 * (long ? 1.5 : 1);
  },
  anthropic: ({ fresh, read, written, said, thought }: Counts) =>
    fresh * 4 + read * 0.2 + written * 5 + (said + thought) * 20,
  google: ({ fresh, read, said, thought }: Counts) => {
    const long = fresh + read > 200_000;
    return (fresh * 1.25 + read * 0.125) * (long ? 2 : 1) + (said + thought) * 10 * (long ? 1.5 : 1);
  },
};

interface Counts {
  readonly fresh: number;
  readonly read: number;
  readonly written: number;
  readonly said: number;
  readonly thought: number;
}

test("the cost of 200 calls is what three vendors' formulas bill", () => {
  for (let call = 1; call <= 200; call++) {
    const of = (step: number, max: number) => (call * step) % max;
    for (const [vendor, invoice] of Object.entries(INVOICES)) {
      const counts = {
        fresh: of(7_919, 50_001),
        read: of(104_729, 260_003),
        written: vendor === "google" ? 0 : of(1_299_709, 40_009),
        said: of(541, 4_001),
        thought: of(3_571, 9_007),
      };
      const { fresh, read, written, said, thought } = counts;
      const usage = {
        promptTokens: fresh + read + written,
        completionTokens: said + thought,
        cachedTokens: read,
        cacheWriteTokens: written,
        reasoningTokens: thought,
      };
      const difference = Math.abs((billed.costUsd(vendor, usage) ?? NaN) - invoice(counts) / 1_000_000);
      expect(difference).toBeLessThan(1e-8);
    }
  }
});
