import type { ModelDescription } from "#domain/models/model-catalogue.ts";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { capabilitiesOf } from "./fit/capabilities-of.ts";
import { defineProvider } from "./define-provider.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";

const LABEL = "Google";
const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

/**
 * List prices as published in November 2026, for prompts up to 200,000 tokens (Gemini 1.5 Pro: 128,000):
 * https://ai.google.dev/gemini-api/docs/pricing.
 */
const MODELS: readonly ModelDescription[] = [
  {
    id: "gemini-4-argon",
    label: "Gemini 4 Argon",
    promptPrice: 4,
    completionPrice: 20,
    contextWindow: 1_048_576,
    structuredOutput: true,
  },
  {
    id: "gemini-3.5-flash",
    label: "Gemini 3.5 Flash",
    promptPrice: 1.5,
    completionPrice: 9,
    contextWindow: 1_048_576,
    structuredOutput: true,
  },
  {
    id: "gemini-2.5-pro",
    label: "Gemini 2.5 Pro",
    promptPrice: 1.25,
    completionPrice: 10,
    contextWindow: 1_048_576,
    structuredOutput: true,
  },
  {
    id: "gemini-2.5-flash",
    label: "Gemini 2.5 Flash",
    promptPrice: 0.3,
    completionPrice: 2.5,
    contextWindow: 1_048_576,
    structuredOutput: true,
  },
  {
    id: "gemini-2.0-flash",
    label: "Gemini 2.0 Flash",
    promptPrice: 0.1,
    completionPrice: 0.4,
    contextWindow: 1_048_576,
    maxOutput: 8_192,
  },
  {
    id: "gemini-1.5-pro",
    label: "Gemini 1.5 Pro",
    promptPrice: 1.25,
    completionPrice: 5,
    contextWindow: 2_097_152,
    maxOutput: 8_192,
  },
];
/** For texts; from the same page. */
const EMBEDDING_PRICES = { "gemini-embedding-2": 0.2, "gemini-embedding-001": 0.15 };

/** The shortest length that Google recommends (https://ai.google.dev/gemini-api/docs/embeddings). */
const DIMENSIONS = 768;
/** Google answers 400 to a wrong key. */
const KEY_REJECTED = /API_KEY_INVALID|api key not valid/i;
const TASK_TYPE = { passage: "RETRIEVAL_DOCUMENT", question: "RETRIEVAL_QUERY" } as const;

/** Google's Gemini API (generateContent). */
export default defineProvider({
  id: "google",
  label: LABEL,
  settings: {
    apiKey: { name: "GOOGLE_GENERATIVE_AI_API_KEY", help: "Google Gemini." },
    baseUrl: { name: "GOOGLE_BASE_URL", help: "Another base URL of Gemini's API." },
  },
  testModel: "gemini-2.5-flash",
  requiresKey: true,
  requiresBaseUrl: false,
  models: MODELS,
  embeddingPrices: EMBEDDING_PRICES,
  async connect(connection) {
    const { createGoogle } = await import("@ai-sdk/google");
    const apiKey = requireKey(connection, LABEL);
    const google = createGoogle({ apiKey, baseURL: connection.baseUrl ?? BASE_URL, fetch: fetchFor(connection) });
    return aiSdkClient({
      languageModel: (id) => google(id),
      capabilities: capabilitiesOf(MODELS),
      rules: COMMON_RULES,
      finish: (options, { showReasoning }) =>
        showReasoning === true
          ? { ...options, providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }
          : options,
      embeddingModel: (id, use) => ({
        model: google.embeddingModel(id),
        options: { dimensions: DIMENSIONS, providerOptions: { google: { taskType: TASK_TYPE[use] } } },
      }),
      secret: apiKey,
      keyRejected: KEY_REJECTED,
    });
  },
});
