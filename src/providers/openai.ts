import { aiSdkClient } from "./ai-sdk/client.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { compatibleClient } from "./compatible/client.ts";
import { capabilitiesOf } from "./fit/capabilities-of.ts";
import { OPENAI_MODELS } from "./catalogue/openai-models.ts";
import { defineProvider } from "./define-provider.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";
import { fitCallIds } from "./fit/names.ts";
import { responsesOrChat } from "./compatible/responses-or-chat.ts";

const LABEL = "OpenAI";
const BASE_URL = "https://api.openai.com/v1";

/** From https://developers.openai.com/api/docs/pricing. */
const EMBEDDING_PRICES = {
  "text-embedding-3-small": 0.02,
  "text-embedding-3-large": 0.13,
  "text-embedding-ada-002": 0.1,
};

/** Shorter than the model's default of 1,536: a third of the storage for almost the same results. */
const DIMENSIONS = 512;
/** Older models support only one length. */
const CAN_SHORTEN = /^text-embedding-[3-9]/;

/** "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64". */
const CALL_ID = /^.{1,64}$/;
const CALL_ID_LENGTH = 64;

/**
 * OpenAI's Responses API, which takes tools together with reasoning. It is used stateless, with the reasoning encrypted
 * in the reply, so a call can be repeated after a crash. A gateway without it is called by Chat Completions.
 */
export default defineProvider({
  id: "openai",
  label: LABEL,
  settings: {
    apiKey: { name: "OPENAI_API_KEY", help: "OpenAI." },
    baseUrl: { name: "OPENAI_BASE_URL", help: "Another base URL of OpenAI's API, such as a proxy." },
  },
  testModel: "gpt-6-luna",
  requiresKey: true,
  requiresBaseUrl: false,
  models: OPENAI_MODELS,
  embeddingPrices: EMBEDDING_PRICES,
  async connect(connection) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const apiKey = requireKey(connection, LABEL);
    const { baseUrl = BASE_URL } = connection;
    const fetch = fetchFor(connection);
    const openai = createOpenAI({ apiKey, baseURL: baseUrl, fetch });
    const capabilities = capabilitiesOf(OPENAI_MODELS);
    const responses = aiSdkClient({
      languageModel: (id) => openai.responses(id),
      capabilities,
      rules: [...COMMON_RULES, fitCallIds(CALL_ID, CALL_ID_LENGTH)],
      finish: (options, { caching, showReasoning = false }) => ({
        ...options,
        providerOptions: {
          openai: {
            store: false,
            // Readable summaries need a verified organization.
            reasoningSummary: showReasoning ? "auto" : null,
            // Our schemas have optional fields, which strict schemas cannot have.
            strictJsonSchema: false,
            ...(caching !== undefined && { promptCacheKey: caching.key }),
          },
        },
      }),
      embeddingModel: (id) => ({
        model: openai.embeddingModel(id),
        options: CAN_SHORTEN.test(id) ? { dimensions: DIMENSIONS } : {},
      }),
      secret: apiKey,
    });
    if (baseUrl === BASE_URL) return responses;
    return responsesOrChat(responses, compatibleClient({ baseUrl, apiKey, fetch }, capabilities));
  },
});
