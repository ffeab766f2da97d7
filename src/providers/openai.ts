import type { ModelDescription } from "#domain/models/model-catalogue.ts";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { capabilitiesOf } from "./fit/capabilities-of.ts";
import { defineProvider } from "./define-provider.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";
import { fitCallIds } from "./fit/names.ts";

const LABEL = "OpenAI";
const BASE_URL = "https://api.openai.com/v1";

/**
 * List prices as published in November 2026, for prompts up to 272,000 tokens:
 * https://developers.openai.com/api/docs/pricing.
 */
const MODELS: readonly ModelDescription[] = [
  {
    id: "gpt-6-sol",
    label: "GPT-6 Sol",
    promptPrice: 2,
    completionPrice: 10,
    contextWindow: 1_050_000,
    structuredOutput: true,
  },
  {
    id: "gpt-6-luna",
    label: "GPT-6 Luna",
    promptPrice: 0.1,
    completionPrice: 0.5,
    contextWindow: 1_050_000,
    structuredOutput: true,
  },
  {
    id: "gpt-5.6-luna",
    label: "GPT-5.6 Luna",
    promptPrice: 0.2,
    completionPrice: 1.2,
    contextWindow: 1_050_000,
    structuredOutput: true,
  },
  {
    id: "gpt-4.1",
    label: "GPT-4.1",
    promptPrice: 2,
    completionPrice: 8,
    contextWindow: 1_047_576,
    structuredOutput: true,
  },
  {
    id: "gpt-4o",
    label: "GPT-4o",
    promptPrice: 2.5,
    completionPrice: 10,
    contextWindow: 128_000,
    structuredOutput: true,
    maxOutput: 16_384,
  },
  {
    id: "gpt-4o-mini",
    label: "GPT-4o mini",
    promptPrice: 0.15,
    completionPrice: 0.6,
    contextWindow: 128_000,
    structuredOutput: true,
    maxOutput: 16_384,
  },
  {
    id: "gpt-4-turbo",
    label: "GPT-4 Turbo",
    promptPrice: 10,
    completionPrice: 30,
    contextWindow: 128_000,
    maxOutput: 4_096,
  },
  {
    id: "gpt-3.5-turbo",
    label: "GPT-3.5 Turbo",
    promptPrice: 0.5,
    completionPrice: 1.5,
    contextWindow: 16_385,
    maxOutput: 4_096,
    images: false,
  },
];
/** From the same page. */
const EMBEDDING_PRICES = {
  "text-embedding-3-small": 0.02,
  "text-embedding-3-large": 0.13,
  "text-embedding-ada-002": 0.1,
};

/** Shorter than the model's default of 1,536: a third of the storage for almost the same results. */
const DIMENSIONS = 512;
/** Older models support only one length. */
const CAN_SHORTEN = /^text-embedding-[3-9]/;

/** "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64". */
const CALL_ID = /^.{1,64}$/;
const CALL_ID_LENGTH = 64;

/**
 * OpenAI's Responses API, which takes tools together with reasoning. It is used stateless, with the reasoning encrypted
 * in the reply, so a call can be repeated after a crash.
 */
export default defineProvider({
  id: "openai",
  label: LABEL,
  settings: {
    apiKey: { name: "OPENAI_API_KEY", help: "OpenAI." },
    baseUrl: { name: "OPENAI_BASE_URL", help: "Another base URL of OpenAI's API, such as a proxy." },
  },
  testModel: "gpt-6-luna",
  requiresKey: true,
  requiresBaseUrl: false,
  models: MODELS,
  embeddingPrices: EMBEDDING_PRICES,
  async connect(connection) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const apiKey = requireKey(connection, LABEL);
    const openai = createOpenAI({ apiKey, baseURL: connection.baseUrl ?? BASE_URL, fetch: fetchFor(connection) });
    return aiSdkClient({
      languageModel: (id) => openai.responses(id),
      capabilities: capabilitiesOf(MODELS),
      rules: [...COMMON_RULES, fitCallIds(CALL_ID, CALL_ID_LENGTH)],
      finish: (options, { caching, showReasoning = false }) => ({
        ...options,
        providerOptions: {
          openai: {
            store: false,
            // Readable summaries need a verified organization.
            reasoningSummary: showReasoning ? "auto" : null,
            // Our schemas have optional fields, which strict schemas cannot have.
            strictJsonSchema: false,
            ...(caching !== undefined && { promptCacheKey: caching.key }),
          },
        },
      }),
      embeddingModel: (id) => ({
        model: openai.embeddingModel(id),
        options: CAN_SHORTEN.test(id) ? { dimensions: DIMENSIONS } : {},
      }),
      secret: apiKey,
    });
  },
});
