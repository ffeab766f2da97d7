import type { ModelDescription } from "#domain/models/model-catalogue.ts";
import { markCacheBreakpoints } from "./ai-sdk/cache-breakpoints.ts";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { capabilitiesOf } from "./fit/capabilities-of.ts";
import { defineProvider } from "./define-provider.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";
import { fitCallIds } from "./fit/names.ts";
import { fitClosedSchema } from "./fit/response-schema.ts";

const LABEL = "Anthropic";
const BASE_URL = "https://api.anthropic.com/v1";

/**
 * List prices as published in November 2026: https://platform.claude.com/docs/en/models/overview, for the 4.x and 3.x
 * models https://platform.claude.com/docs/en/about-claude/pricing.
 */
const MODELS: readonly ModelDescription[] = [
  {
    id: "claude-fable-5-2",
    label: "Claude Fable 5.2",
    promptPrice: 8,
    completionPrice: 40,
    contextWindow: 1_000_000,
    structuredOutput: true,
  },
  {
    id: "claude-opus-5-5",
    label: "Claude Opus 5.5",
    promptPrice: 4,
    completionPrice: 20,
    contextWindow: 1_000_000,
    structuredOutput: true,
  },
  {
    id: "claude-sonnet-5-5",
    label: "Claude Sonnet 5.5",
    promptPrice: 2,
    completionPrice: 10,
    contextWindow: 1_000_000,
    structuredOutput: true,
  },
  {
    id: "claude-haiku-4-5",
    label: "Claude Haiku 4.5",
    promptPrice: 1,
    completionPrice: 5,
    contextWindow: 200_000,
    structuredOutput: true,
  },
  {
    id: "claude-sonnet-4-20250514",
    label: "Claude Sonnet 4",
    promptPrice: 3,
    completionPrice: 15,
    contextWindow: 200_000,
  },
  {
    id: "claude-3-5-haiku-20241022",
    label: "Claude Haiku 3.5",
    promptPrice: 0.8,
    completionPrice: 4,
    contextWindow: 200_000,
    maxOutput: 8_192,
  },
  {
    id: "claude-3-opus-20240229",
    label: "Claude Opus 3",
    promptPrice: 15,
    completionPrice: 75,
    contextWindow: 200_000,
    maxOutput: 4_096,
  },
];

/** "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'". */
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const CALL_ID_LENGTH = 64;

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
  models: MODELS,
  async connect(connection) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const apiKey = requireKey(connection, LABEL);
    const anthropic = createAnthropic({ apiKey, baseURL: connection.baseUrl ?? BASE_URL, fetch: fetchFor(connection) });
    return aiSdkClient({
      languageModel: (id) => anthropic(id),
      capabilities: capabilitiesOf(MODELS),
      rules: [...COMMON_RULES, fitClosedSchema, fitCallIds(CALL_ID, CALL_ID_LENGTH)],
      finish: (options, { caching }) => (caching === undefined ? options : markCacheBreakpoints(options)),
      secret: apiKey,
    });
  },
});
