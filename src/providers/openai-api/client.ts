import type { ModelClient } from "#domain/models/model-call.ts";
import { aiSdkClient } from "../ai-sdk/client.ts";
import { fetchFor } from "../ai-sdk/fetch-for.ts";
import { OPENAI_MODELS } from "../catalogue/openai-models.ts";
import { compatibleClient } from "../compatible/client.ts";
import { responsesOrChat } from "../compatible/responses-or-chat.ts";
import type { ProviderConnection } from "../define-provider.ts";
import { capabilitiesOf } from "../fit/capabilities-of.ts";
import { COMMON_RULES } from "../fit/common-rules.ts";
import { fitCallIds } from "../fit/names.ts";

/** Shorter than the model's default of 1,536: a third of the storage for almost the same results. */
const DIMENSIONS = 512;
/** Older models support only one length. */
const CAN_SHORTEN = /^text-embedding-[3-9]/;

/** "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64". */
const CALL_ID = /^.{1,64}$/;
const CALL_ID_LENGTH = 64;

/** Where OpenAI's API is called, and with which key. */
export interface OpenAiAddress {
  readonly apiKey: string;
  readonly baseUrl: string;
}

/**
 * Creates a client of OpenAI's Responses API, which takes tools together with reasoning. It is used stateless, with the
 * reasoning encrypted in the reply, so a call can be repeated after a crash.
 */
export async function responsesClient(
  connection: ProviderConnection,
  { apiKey, baseUrl }: OpenAiAddress,
): Promise<ModelClient> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const openai = createOpenAI({ apiKey, baseURL: baseUrl, fetch: fetchFor(connection) });
  return aiSdkClient({
    languageModel: (id) => openai.responses(id),
    capabilities: capabilitiesOf(OPENAI_MODELS),
    rules: [...COMMON_RULES, fitCallIds(CALL_ID, CALL_ID_LENGTH)],
    finish: (options, { caching, summary = null }) => ({
      ...options,
      providerOptions: {
        openai: {
          store: false,
          // Readable summaries need a verified organization.
          reasoningSummary: summary,
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
}

/** Creates a client of an endpoint with OpenAI's API, which may have only Chat Completions. */
export async function gatewayClient(connection: ProviderConnection, address: OpenAiAddress): Promise<ModelClient> {
  const { api, onChatOnly } = connection;
  const chat = compatibleClient({ ...address, fetch: fetchFor(connection) }, capabilitiesOf(OPENAI_MODELS));
  return responsesOrChat({ responses: await responsesClient(connection, address), chat, api, onChatOnly });
}
