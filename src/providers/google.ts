import { createGoogle } from "@ai-sdk/google";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { defineProvider } from "./define-provider.ts";

const LABEL = "Google";
const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

/** The shortest of the lengths that Google recommends (https://ai.google.dev/gemini-api/docs/embeddings). */
const DIMENSIONS = 768;
const TASK_TYPE = { passage: "RETRIEVAL_DOCUMENT", question: "RETRIEVAL_QUERY" } as const;

/** Google by its Gemini API (generateContent). */
export default defineProvider({
  id: "google",
  label: LABEL,
  settings: {
    apiKey: { name: "GOOGLE_GENERATIVE_AI_API_KEY", help: "Google Gemini." },
    baseUrl: { name: "GOOGLE_BASE_URL", help: "Another address for Gemini's API." },
  },
  requiresKey: true,
  requiresBaseUrl: false,
  connect(connection) {
    const apiKey = requireKey(connection, LABEL);
    const google = createGoogle({ apiKey, baseURL: connection.baseUrl ?? BASE_URL, fetch: fetchFor(connection) });
    return aiSdkClient({
      languageModel: (id) => google(id),
      embeddingModel: (id, use) => ({
        model: google.embeddingModel(id),
        options: { dimensions: DIMENSIONS, providerOptions: { google: { taskType: TASK_TYPE[use] } } },
      }),
      secret: apiKey,
    });
  },
});
