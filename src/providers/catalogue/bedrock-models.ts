import type { ModelCapabilities, ModelDescription } from "#domain/models/model-catalogue.ts";
import { ANTHROPIC_MODELS } from "./anthropic-models.ts";

/** The ids of Claude's models on Bedrock, by Anthropic's: https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards.html */
const CLAUDE = new Map([
  ["claude-opus-5-5", "anthropic.claude-opus-5-5"],
  ["claude-sonnet-5-5", "anthropic.claude-sonnet-5-5"],
  ["claude-haiku-5-5", "anthropic.claude-haiku-5-5"],
  ["claude-opus-5", "anthropic.claude-opus-5"],
  ["claude-sonnet-5", "anthropic.claude-sonnet-5"],
  ["claude-opus-4-8", "anthropic.claude-opus-4-8"],
  ["claude-sonnet-4-6", "anthropic.claude-sonnet-4-6"],
  ["claude-haiku-4-5", "anthropic.claude-haiku-4-5-20251001-v1:0"],
]);

/**
 * Where an inference profile runs its model. One that stays in a region costs a tenth more:
 * https://platform.claude.com/docs/en/about-claude/pricing
 */
const PROFILES = [
  { prefix: "global.", name: "Bedrock", factor: 1 },
  { prefix: "us.", name: "Bedrock US", factor: 1.1 },
  { prefix: "eu.", name: "Bedrock EU", factor: 1.1 },
] as const;

/** The prefix of an inference profile's id. */
const PREFIX = /^(?:global|us|eu|apac|jp|au)\./;

/** Amazon's own model, with list prices as published in November 2026: https://aws.amazon.com/bedrock/pricing */
const NOVA_2_LITE: ModelDescription = {
  id: "global.amazon.nova-2-lite-v1:0",
  label: "Nova 2 Lite (Bedrock)",
  promptPrice: 0.3,
  cachedPrice: 0.075,
  completionPrice: 2.5,
  contextWindow: 1_000_000,
  maxOutput: 65_536,
  efforts: ["low", "medium", "high"],
  documents: true,
};

/** The models of Bedrock whose prices are known: Claude at Anthropic's prices, by its inference profiles, and Nova. */
export const BEDROCK_MODELS: readonly ModelDescription[] = [
  ...PROFILES.flatMap(({ prefix, name, factor }) =>
    ANTHROPIC_MODELS.flatMap((model) => {
      const id = CLAUDE.get(model.id);
      return id === undefined ? [] : [onBedrock(model, { id: prefix + id, name, factor })];
    }),
  ),
  NOVA_2_LITE,
];

/** What the models of Bedrock accept, by id; the same in all inference profiles. */
export function bedrockCapabilities(modelId: string): ModelCapabilities {
  const global = modelId.replace(PREFIX, "global.");
  const model = BEDROCK_MODELS.find(({ id }) => id === global);
  return model === undefined ? {} : { efforts: [], ...model };
}

/** Bedrock does not hold the newest models of Claude to a schema. */
function onBedrock(
  described: ModelDescription,
  { id, name, factor }: { readonly id: string; readonly name: string; readonly factor: number },
): ModelDescription {
  const { structuredOutput: _, ...model } = described;
  const { cachedPrice, cacheWritePrice } = model;
  const price = (usd: number) => Number((usd * factor).toFixed(6));
  return {
    ...model,
    id,
    label: `${model.label} (${name})`,
    promptPrice: price(model.promptPrice),
    ...(cachedPrice !== undefined && { cachedPrice: price(cachedPrice) }),
    ...(cacheWritePrice !== undefined && { cacheWritePrice: price(cacheWritePrice) }),
    completionPrice: price(model.completionPrice),
  };
}
