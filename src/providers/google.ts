import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { withExactArguments } from "./ai-sdk/exact-google-arguments.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { readGoogleUsage } from "./ai-sdk/reported-usage.ts";
import { capabilitiesOf } from "./fit/capabilities-of.ts";
import { GOOGLE_MODELS } from "./catalogue/google-models.ts";
import { defineProvider } from "./define-provider.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";
import { isolateReferences } from "./fit/lone-references.ts";

const LABEL = "Google";
const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

/** For texts; from https://ai.google.dev/gemini-api/docs/pricing. */
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
  testModel: "gemini-3.5-flash-lite",
  requiresKey: true,
  requiresBaseUrl: false,
  models: GOOGLE_MODELS,
  embeddingPrices: EMBEDDING_PRICES,
  async connect(connection) {
    const { createGoogle } = await import("@ai-sdk/google");
    const apiKey = requireKey(connection, LABEL);
    const google = createGoogle({
      apiKey,
      baseURL: connection.baseUrl ?? BASE_URL,
      fetch: withExactArguments(fetchFor(connection)),
    });
    return aiSdkClient({
      languageModel: (id) => google(id),
      capabilities: capabilitiesOf(GOOGLE_MODELS),
      readUsage: readGoogleUsage,
      rules: [...COMMON_RULES, isolateReferences],
      finish: (options, { summary }) =>
        summary !== undefined
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
