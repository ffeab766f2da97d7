import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "#domain/models/model-call.ts";
import { markCacheBreakpoints } from "./ai-sdk/cache-breakpoints.ts";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
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

/** Models that think as much as they need; the first of them only if an effort is set, newer ones in any case. */
const ADAPTIVE = /^claude-(?:opus-4-[6-9]|sonnet-4-6|(?:opus|sonnet|haiku|fable)-[5-9])/;
const ALWAYS_ADAPTIVE = /^claude-(?:opus|sonnet|haiku|fable)-[5-9]/;

/**
 * Asks for a readable form of the thinking only if it is shown: the SDK asks for one whenever an effort is set.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
function withThinking(
  options: LanguageModelV4CallOptions,
  { model, effort, showReasoning = false }: ModelRequest,
): LanguageModelV4CallOptions {
  const isThinking = effort === undefined ? showReasoning && ALWAYS_ADAPTIVE.test(model) : ADAPTIVE.test(model);
  if (!isThinking || effort === "none") return options;
  const thinking = { type: "adaptive", display: showReasoning ? "summarized" : "omitted" };
  return { ...options, providerOptions: { ...options.providerOptions, anthropic: { thinking } } };
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
      rules: [...COMMON_RULES, fitClosedSchema, fitCallIds(CALL_ID, CALL_ID_LENGTH)],
      finish: (options, request) =>
        withThinking(request.caching === undefined ? options : markCacheBreakpoints(options), request),
      secret: apiKey,
    });
  },
});
