import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "#domain/models/model-call.ts";
import { adaptiveThinking } from "./ai-sdk/adaptive-thinking.ts";
import { ANTHROPIC_MARK, markCacheBreakpoints } from "./ai-sdk/cache-breakpoints.ts";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { readAnthropicUsage } from "./ai-sdk/reported-usage.ts";
import { capabilitiesOf } from "./fit/capabilities-of.ts";
import { ANTHROPIC_MODELS } from "./catalogue/anthropic-models.ts";
import { defineProvider } from "./define-provider.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";
import { fitCallIds } from "./fit/names.ts";
import { fitClosedSchema } from "./fit/response-schema.ts";

const LABEL = "Anthropic";
const BASE_URL = "https://api.anthropic.com/v1";

/** "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'". */
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const CALL_ID_LENGTH = 64;

/** Asks for a readable form of the thinking only if it is shown: the SDK asks for one whenever an effort is set. */
function withThinking(options: LanguageModelV4CallOptions, request: ModelRequest): LanguageModelV4CallOptions {
  const thinking = adaptiveThinking(request);
  return thinking === undefined
    ? options
    : { ...options, providerOptions: { ...options.providerOptions, anthropic: { thinking } } };
}

/** Anthropic's Messages API. */
export default defineProvider({
  id: "anthropic",
  label: LABEL,
  settings: {
    apiKey: { name: "ANTHROPIC_API_KEY", help: "Anthropic." },
    baseUrl: { name: "ANTHROPIC_BASE_URL", help: "Another base URL of Anthropic's API." },
  },
  testModel: "claude-haiku-4-5",
  requiresKey: true,
  requiresBaseUrl: false,
  models: ANTHROPIC_MODELS,
  async connect(connection) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const apiKey = requireKey(connection, LABEL);
    const anthropic = createAnthropic({ apiKey, baseURL: connection.baseUrl ?? BASE_URL, fetch: fetchFor(connection) });
    return aiSdkClient({
      languageModel: (id) => anthropic(id),
      capabilities: capabilitiesOf(ANTHROPIC_MODELS),
      readUsage: readAnthropicUsage,
      rules: [...COMMON_RULES, fitClosedSchema, fitCallIds(CALL_ID, CALL_ID_LENGTH)],
      finish: (options, request) =>
        withThinking(request.caching === undefined ? options : markCacheBreakpoints(options, ANTHROPIC_MARK), request),
      secret: apiKey,
    });
  },
});
