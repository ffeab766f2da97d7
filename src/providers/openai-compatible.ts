import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireBaseUrl } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { defineProvider } from "./define-provider.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";

const ID = "openai-compatible";
const LABEL = "OpenAI-compatible endpoint";

/** Any server with OpenAI's Chat Completions API: Ollama, vLLM, OpenRouter and many more. */
export default defineProvider({
  id: ID,
  label: LABEL,
  settings: {
    apiKey: {
      name: "OPENAI_COMPATIBLE_API_KEY",
      help: "Any endpoint that speaks OpenAI's chat API (Ollama, vLLM, OpenRouter).",
    },
    baseUrl: { name: "OPENAI_COMPATIBLE_BASE_URL", help: "Its base URL, such as http://localhost:11434/v1." },
  },
  requiresKey: false,
  requiresBaseUrl: true,
  async connect(connection) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const { apiKey } = connection;
    const endpoint = createOpenAICompatible({
      name: ID,
      baseURL: requireBaseUrl(connection, LABEL),
      fetch: fetchFor(connection),
      includeUsage: true, // without it these servers stream no token counts
      ...(apiKey !== undefined && { apiKey }),
    });
    return aiSdkClient({
      languageModel: (id) => endpoint.chatModel(id),
      capabilities: () => ({}),
      rules: COMMON_RULES,
      embeddingModel: (id) => ({ model: endpoint.embeddingModel(id), options: {} }),
      secret: apiKey,
    });
  },
});
