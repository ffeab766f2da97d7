import { requireKey } from "./ai-sdk/required.ts";
import { OPENAI_MODELS } from "./catalogue/openai-models.ts";
import { defineProvider } from "./define-provider.ts";
import { gatewayClient, responsesClient } from "./openai-api/client.ts";

const LABEL = "OpenAI";
const BASE_URL = "https://api.openai.com/v1";

/** From https://developers.openai.com/api/docs/pricing. */
const EMBEDDING_PRICES = {
  "text-embedding-3-small": 0.02,
  "text-embedding-3-large": 0.13,
  "text-embedding-ada-002": 0.1,
};

/** OpenAI, by its Responses API; a gateway without it by Chat Completions. */
export default defineProvider({
  id: "openai",
  label: LABEL,
  settings: {
    apiKey: { name: "OPENAI_API_KEY", help: "OpenAI." },
    baseUrl: { name: "OPENAI_BASE_URL", help: "Another base URL of OpenAI's API, such as a proxy." },
    api: {
      name: "OPENAI_API",
      help: "The API at that base URL: responses, or chat for Chat Completions; found by each process if not set.",
    },
  },
  testModel: "gpt-6-luna",
  requiresKey: true,
  requiresBaseUrl: false,
  models: OPENAI_MODELS,
  embeddingPrices: EMBEDDING_PRICES,
  summaryLengths: true,
  async connect(connection) {
    const apiKey = requireKey(connection, LABEL);
    const { baseUrl = BASE_URL, api } = connection;
    const connect = baseUrl === BASE_URL && api === undefined ? responsesClient : gatewayClient;
    return connect(connection, { apiKey, baseUrl });
  },
});
