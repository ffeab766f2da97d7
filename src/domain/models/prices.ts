import { z } from "zod";
import type { TokenUsage } from "./model-call.ts";
import type { ModelCatalogue } from "./model-catalogue.ts";

const MAX_PRICE = 1_000_000;
/** Prices are counted in millionths of a dollar, so that a token of a model is a whole number of picodollars. */
const MICRO = 1_000_000;
/** Costs are kept to a hundred-millionth of a dollar: so many picodollars. */
const PICO_PER_UNIT = 10_000n;
const UNITS_PER_USD = 100_000_000;

const price = z.number().min(0).max(MAX_PRICE);

/** Prices of models by their ids, in place of the catalogue's: USD per million prompt and completion tokens. */
export const modelPrices = z.record(z.string().min(1), z.strictObject({ prompt: price, completion: price }).readonly());

/** One of {@link modelPrices}. */
export type ModelPrices = Readonly<z.output<typeof modelPrices>>;

/** USD per million tokens of a model. */
export interface ModelPrice {
  readonly prompt: number;
  readonly completion: number;
}

/** What calls of models cost. */
export interface PriceList {
  /** What a model's tokens cost; undefined when it has no price. */
  priceOf(modelId: string): ModelPrice | undefined;
  /**
   * The price of a call in USD, rounded to 8 decimals without an error of binary fractions.
   * Null when the model has no price: unknown is not the same as free.
   */
  costUsd(modelId: string, usage: TokenUsage): number | null;
}

/** The catalogue's prices, with an instance's own in their place. */
export function createPriceList(catalogue: ModelCatalogue, own: ModelPrices): PriceList {
  const prices = new Map(Object.entries(own));
  const priceOf: PriceList["priceOf"] = (modelId) => prices.get(modelId) ?? listPrice(catalogue, modelId);
  return {
    priceOf,
    costUsd(modelId, { promptTokens, completionTokens }) {
      const price = priceOf(modelId);
      if (price === undefined) return null;
      const { prompt, completion } = price;
      const pico = micro(prompt) * BigInt(promptTokens) + micro(completion) * BigInt(completionTokens);
      return Number((pico + PICO_PER_UNIT / 2n) / PICO_PER_UNIT) / UNITS_PER_USD;
    },
  };
}

function listPrice(catalogue: ModelCatalogue, modelId: string): ModelPrice | undefined {
  const model = catalogue.find(modelId);
  if (model !== undefined) return { prompt: model.promptPrice, completion: model.completionPrice };
  const embedding = catalogue.embeddingPrice(modelId);
  return embedding === undefined ? undefined : { prompt: embedding, completion: 0 };
}

function micro(usdPerMillion: number): bigint {
  return BigInt(Math.round(usdPerMillion * MICRO));
}
