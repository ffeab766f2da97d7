import { createOpenAI } from "@ai-sdk/openai";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { defineProvider } from "./define-provider.ts";

const LABEL = "OpenAI";
const BASE_URL = "https://api.openai.com/v1";

/** Shorter vectors than the model's own 1,536: a third of the room for nearly the same finds. */
const DIMENSIONS = 512;
/** Older models have vectors of one length only. */
const CAN_SHORTEN = /^text-embedding-[3-9]/;

/** OpenAI by its Chat Completions API: stateless, so a call can be repeated after a crash. */
export default defineProvider({
  id: "openai",
  label: LABEL,
  settings: {
    apiKey: { name: "OPENAI_API_KEY", help: "OpenAI." },
    baseUrl: { name: "OPENAI_BASE_URL", help: "Another address for OpenAI's API, such as a proxy." },
  },
  requiresKey: true,
  requiresBaseUrl: false,
  connect(connection) {
    const apiKey = requireKey(connection, LABEL);
    const openai = createOpenAI({ apiKey, baseURL: connection.baseUrl ?? BASE_URL, fetch: fetchFor(connection) });
    return aiSdkClient({
      languageModel: (id) => openai.chat(id),
      embeddingModel: (id) => ({
        model: openai.embeddingModel(id),
        options: CAN_SHORTEN.test(id) ? { dimensions: DIMENSIONS } : {},
      }),
      secret: apiKey,
    });
  },
});
