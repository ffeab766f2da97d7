import { z } from "zod";
import type { ModelCatalogue } from "./model-catalogue.ts";
import type { PriceList } from "./prices.ts";

/** The number of calls that are priced: the newest. */
export const MAX_PRICED_CALLS = 100_000;

/** What recorded calls cost, and what they would have cost with each model of the catalogue. */
export const whatIf = z.strictObject({
  calls: z.int().describe(`The model calls that are priced: up to the newest ${MAX_PRICED_CALLS}; embeddings are not.`),
  is_cut: z.boolean().describe("Older calls of the period are left out."),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int(),
  cache_write_tokens: z.int(),
  reasoning_tokens: z.int(),
  cost_usd: z.number().describe("What the calls cost."),
  models: z
    .array(
      z.strictObject({
        provider: z.string(),
        model: z.string(),
        label: z.string(),
        cost_usd: z.number().describe("The same tokens at this model's prices, its cache and long prompts included."),
      }),
    )
    .describe("Cheapest first. Another model may need other tokens for the same work."),
});

/** See {@link whatIf}. */
export type WhatIf = z.output<typeof whatIf>;

/** The tokens of calls whose prompts are between the same two limits. */
export interface TokenBand {
  readonly calls: number;
  readonly largest_prompt: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost_usd: number;
}

/** The numbers of tokens above which some model asks other prices for a prompt, ascending. */
export function promptLimits({ models }: Pick<ModelCatalogue, "models">): readonly number[] {
  return [...new Set(models.flatMap(({ longPrompt }) => longPrompt?.above ?? []))].toSorted((a, b) => a - b);
}

/** Prices calls with every model of the catalogue. @param bands of {@link promptLimits} */
export function priceBands(bands: readonly TokenBand[], catalogue: ModelCatalogue, prices: PriceList): WhatIf {
  const sum = (field: keyof TokenBand) => bands.reduce((total, band) => total + band[field], 0);
  const models = catalogue.models
    .filter(({ promptPrice, completionPrice }) => promptPrice + completionPrice > 0)
    .map(({ provider, id, label }) => ({ provider, model: id, label, cost_usd: costOf(bands, id, prices) }))
    .toSorted((a, b) => a.cost_usd - b.cost_usd);
  return {
    calls: sum("calls"),
    is_cut: sum("calls") >= MAX_PRICED_CALLS,
    prompt_tokens: sum("prompt_tokens"),
    completion_tokens: sum("completion_tokens"),
    cached_tokens: sum("cached_tokens"),
    cache_write_tokens: sum("cache_write_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
    cost_usd: sum("cost_usd"),
    models,
  };
}

function costOf(bands: readonly TokenBand[], model: string, prices: PriceList): number {
  const costs = bands.map((band) => {
    const usage = {
      promptTokens: band.prompt_tokens,
      completionTokens: band.completion_tokens,
      cachedTokens: band.cached_tokens,
      cacheWriteTokens: band.cache_write_tokens,
      reasoningTokens: band.reasoning_tokens,
    };
    return prices.sumUsd(model, usage, band.largest_prompt) ?? 0;
  });
  return costs.reduce((total, cost) => total + cost, 0);
}
