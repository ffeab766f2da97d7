import { requireBaseUrl } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { compatibleClient } from "./compatible/client.ts";
import { defineProvider } from "./define-provider.ts";

const LABEL = "OpenAI-compatible endpoint";

/** Any server with OpenAI's Chat Completions API: Ollama, vLLM, OpenRouter and many more. */
export default defineProvider({
  id: "openai-compatible",
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
  anyModel: true,
  async connect(connection) {
    const { apiKey } = connection;
    return compatibleClient({ baseUrl: requireBaseUrl(connection, LABEL), apiKey, fetch: fetchFor(connection) });
  },
});
