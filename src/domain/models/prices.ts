import { z } from "zod";
import type { TokenUsage } from "./model-call.ts";
import type { LongPrompt, ModelCatalogue } from "./model-catalogue.ts";

const MAX_PRICE = 1_000_000;
/** Prices are counted in millionths of a dollar, so that a token's price is a whole number of picodollars. */
const MICRO = 1_000_000;
/** Costs are stored in units of a hundred-millionth of a dollar: this many picodollars. */
const PICO_PER_UNIT = 10_000n;
const UNITS_PER_USD = 100_000_000;

const NO_FACTOR = { prompt: 1, completion: 1 };

const price = z.number().min(0).max(MAX_PRICE);

const modelPrice = z
  .strictObject({
    prompt: price,
    /** Prompt tokens read from the provider's cache; absent: as `prompt`. */
    cached: price.optional(),
    /** Prompt tokens written to the provider's cache; absent: as `prompt`. */
    cache_write: price.optional(),
    completion: price,
    /** Completion tokens of reasoning; absent: as `completion`. */
    reasoning: price.optional(),
  })
  .readonly();

/** Prices of models by id that override the catalogue's: USD per million tokens of each kind. */
export const modelPrices = z.record(z.string().min(1), modelPrice);

/** One of {@link modelPrices}. */
export type ModelPrices = Readonly<z.output<typeof modelPrices>>;

/** USD per million tokens of a model. */
export type ModelPrice = z.output<typeof modelPrice> & { readonly longPrompt?: LongPrompt | undefined };

/** The costs of model calls. */
export interface PriceList {
  /** Returns the price of a model's tokens; undefined without one. */
  priceOf(modelId: string): ModelPrice | undefined;
  /**
   * Returns the cost of a call in USD, rounded to 8 decimals without binary rounding errors. Null when the model has no
   * price: unknown is not free.
   */
  costUsd(modelId: string, usage: TokenUsage): number | null;
  /**
   * Returns the cost of several calls in USD like {@link costUsd}. @param largest the tokens of their largest prompt;
   * all prompts are on the same side of the model's limit for long ones
   */
  sumUsd(modelId: string, usage: TokenUsage, largest: number): number | null;
}

/** Creates a price list: the catalogue's prices, overridden by the instance's own. */
export function createPriceList(catalogue: ModelCatalogue, own: ModelPrices): PriceList {
  const prices = new Map(Object.entries(own));
  const priceOf: PriceList["priceOf"] = (modelId) => prices.get(modelId) ?? listPrice(catalogue, modelId);
  const sumUsd: PriceList["sumUsd"] = (modelId, usage, largest) => {
    const price = priceOf(modelId);
    if (price === undefined) return null;
    return Number((picoUsd(price, usage, largest) + PICO_PER_UNIT / 2n) / PICO_PER_UNIT) / UNITS_PER_USD;
  };
  return { priceOf, sumUsd, costUsd: (modelId, usage) => sumUsd(modelId, usage, usage.promptTokens) };
}

/** The formula of the providers' invoices: each kind of token at its own price, and each token once. */
function picoUsd(price: ModelPrice, usage: TokenUsage, largestPrompt: number): bigint {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const {
    prompt,
    completion,
    cached = prompt,
    cache_write: write = prompt,
    reasoning = completion,
    longPrompt,
  } = price;
  const factor = longPrompt !== undefined && largestPrompt > longPrompt.above ? longPrompt : NO_FACTOR;
  const micro = (usdPerMillion: number, by: number) => BigInt(Math.round(usdPerMillion * by * MICRO));
  return (
    micro(prompt, factor.prompt) * BigInt(Math.max(0, promptTokens - cachedTokens - cacheWriteTokens)) +
    micro(cached, factor.prompt) * BigInt(cachedTokens) +
    micro(write, factor.prompt) * BigInt(cacheWriteTokens) +
    micro(completion, factor.completion) * BigInt(Math.max(0, completionTokens - reasoningTokens)) +
    micro(reasoning, factor.completion) * BigInt(reasoningTokens)
  );
}

function listPrice(catalogue: ModelCatalogue, modelId: string): ModelPrice | undefined {
  const model = catalogue.find(modelId);
  if (model !== undefined) {
    return {
      prompt: model.promptPrice,
      cached: model.cachedPrice,
      cache_write: model.cacheWritePrice,
      completion: model.completionPrice,
      reasoning: model.reasoningPrice,
      longPrompt: model.longPrompt,
    };
  }
  const embedding = catalogue.embeddingPrice(modelId);
  return embedding === undefined ? undefined : { prompt: embedding, completion: 0 };
}
