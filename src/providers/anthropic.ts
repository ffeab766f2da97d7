import { createAnthropic } from "@ai-sdk/anthropic";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { defineProvider } from "./define-provider.ts";

const LABEL = "Anthropic";
const BASE_URL = "https://api.anthropic.com/v1";

/** Anthropic by its Messages API. */
export default defineProvider({
  id: "anthropic",
  label: LABEL,
  settings: {
    apiKey: { name: "ANTHROPIC_API_KEY", help: "Anthropic." },
    baseUrl: { name: "ANTHROPIC_BASE_URL", help: "Another address for Anthropic's API." },
  },
  requiresKey: true,
  requiresBaseUrl: false,
  connect(connection) {
    const apiKey = requireKey(connection, LABEL);
    const anthropic = createAnthropic({ apiKey, baseURL: connection.baseUrl ?? BASE_URL, fetch: fetchFor(connection) });
    return aiSdkClient({ languageModel: (id) => anthropic(id), secret: apiKey });
  },
});
