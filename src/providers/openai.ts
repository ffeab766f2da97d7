import { createOpenAI } from "@ai-sdk/openai";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { vendorFetch } from "./ai-sdk/vendor-fetch.ts";
import { defineProvider } from "./define-provider.ts";

const LABEL = "OpenAI";
const BASE_URL = "https://api.openai.com/v1";

/** OpenAI by its Chat Completions API: stateless, so a call can be repeated after a crash. */
export default defineProvider({
  id: "openai",
  label: LABEL,
  requiresKey: true,
  requiresBaseUrl: false,
  connect(connection) {
    const apiKey = requireKey(connection, LABEL);
    const openai = createOpenAI({ apiKey, baseURL: connection.baseUrl ?? BASE_URL, fetch: vendorFetch });
    return aiSdkClient({ languageModel: (id) => openai.chat(id), secret: apiKey });
  },
});
