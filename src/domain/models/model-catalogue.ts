/**
 * One model: the id that the vendor's API takes, the name shown to people, USD per million
 * prompt tokens, USD per million completion tokens, the context window in tokens and,
 * where it is 16,384 or less, the longest answer in tokens.
 */
export type CatalogueRow = readonly [
  id: string,
  label: string,
  promptPrice: number,
  completionPrice: number,
  contextWindow: number,
  maxOutput?: number,
];

/**
 * USD per million tokens of the models that embed texts, by their ids: list prices as published in November 2026.
 * OpenAI: https://developers.openai.com/api/docs/pricing (embeddings);
 * Google: https://ai.google.dev/gemini-api/docs/pricing (Gemini Embedding, text).
 */
export const EMBEDDING_PRICES: ReadonlyMap<string, number> = new Map([
  ["text-embedding-3-small", 0.02],
  ["text-embedding-3-large", 0.13],
  ["text-embedding-ada-002", 0.1],
  ["gemini-embedding-2", 0.2],
  ["gemini-embedding-001", 0.15],
]);

/** Those of them that see no pictures. */
export const BLIND_MODELS: ReadonlySet<string> = new Set(["gpt-3.5-turbo", "demo"]);

/**
 * The models we know, by provider id; the newest first. Prices are the vendors' list prices of the standard
 * tier as published in November 2026. Where an introductory price runs out, the lasting one stands
 * here. Cached input, batches and very long prompts have prices of their own that are left out, so a cost
 * computed from this table is an estimate.
 */
export const CATALOGUE: Readonly<Record<string, readonly CatalogueRow[]>> = {
  // https://platform.claude.com/docs/en/models/overview; the 4.x and 3.x models: https://platform.claude.com/docs/en/about-claude/pricing
  anthropic: [
    ["claude-fable-5-2", "Claude Fable 5.2", 8, 40, 1_000_000],
    ["claude-opus-5-5", "Claude Opus 5.5", 4, 20, 1_000_000],
    ["claude-sonnet-5-5", "Claude Sonnet 5.5", 2, 10, 1_000_000],
    ["claude-haiku-4-5", "Claude Haiku 4.5", 1, 5, 200_000],
    ["claude-sonnet-4-20250514", "Claude Sonnet 4", 3, 15, 200_000],
    ["claude-3-5-haiku-20241022", "Claude Haiku 3.5", 0.8, 4, 200_000, 8_192],
    ["claude-3-opus-20240229", "Claude Opus 3", 15, 75, 200_000, 4_096],
  ],

  // https://ai.google.dev/gemini-api/docs/pricing (prompts up to 200k tokens; Gemini 1.5 Pro up to 128k)
  google: [
    ["gemini-4-argon", "Gemini 4 Argon", 4, 20, 1_048_576],
    ["gemini-3.5-flash", "Gemini 3.5 Flash", 1.5, 9, 1_048_576],
    ["gemini-2.5-pro", "Gemini 2.5 Pro", 1.25, 10, 1_048_576],
    ["gemini-2.5-flash", "Gemini 2.5 Flash", 0.3, 2.5, 1_048_576],
    ["gemini-2.0-flash", "Gemini 2.0 Flash", 0.1, 0.4, 1_048_576, 8_192],
    ["gemini-1.5-pro", "Gemini 1.5 Pro", 1.25, 5, 2_097_152, 8_192],
  ],

  // https://developers.openai.com/api/docs/pricing (prompts up to 272k tokens)
  openai: [
    ["gpt-6-sol", "GPT-6 Sol", 2, 10, 1_050_000],
    ["gpt-6-luna", "GPT-6 Luna", 0.1, 0.5, 1_050_000],
    ["gpt-5.6-luna", "GPT-5.6 Luna", 0.2, 1.2, 1_050_000],
    ["gpt-4.1", "GPT-4.1", 2, 8, 1_047_576],
    ["gpt-4o", "GPT-4o", 2.5, 10, 128_000, 16_384],
    ["gpt-4o-mini", "GPT-4o mini", 0.15, 0.6, 128_000, 16_384],
    ["gpt-4-turbo", "GPT-4 Turbo", 10, 30, 128_000, 4_096],
    ["gpt-3.5-turbo", "GPT-3.5 Turbo", 0.5, 1.5, 16_385, 4_096],
  ],

  // Built in: src/providers/demo.ts
  demo: [["demo", "Demo model (no AI, offline)", 0, 0, 1_000_000]],
};
