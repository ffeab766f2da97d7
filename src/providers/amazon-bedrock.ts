import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { adaptiveThinking } from "./ai-sdk/adaptive-thinking.ts";
import { markCacheBreakpoints } from "./ai-sdk/cache-breakpoints.ts";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { BEDROCK_MODELS, bedrockCapabilities } from "./catalogue/bedrock-models.ts";
import { defineProvider } from "./define-provider.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";
import { fitCallIds } from "./fit/names.ts";

const LABEL = "Amazon Bedrock";

/** An access key as `ID:SECRET`, or `ID:SECRET:TOKEN` for one that is valid for a time. */
const ACCESS_KEY = /^(A[A-Z]{3}[A-Z0-9]{12,124}):([^:\s]+)(?::(\S+))?$/;
/** The begin of one, which is no API key. */
const ACCESS_KEY_ID = /^A(?:KIA|SIA)[A-Z0-9]{12,}/;

/** "Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+". */
const CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const CALL_ID_LENGTH = 64;

/** The models whose prompts are cached at the marks; others reject them. */
const CACHES = /anthropic\.claude|amazon\.nova/;
const MARK: SharedV4ProviderOptions = { amazonBedrock: { cachePoint: { type: "default" } } };

/** Amazon Bedrock's Converse API. */
export default defineProvider({
  id: "amazon-bedrock",
  label: LABEL,
  settings: {
    apiKey: { name: "BEDROCK_API_KEY", help: "Amazon Bedrock: an API key, or an access key as ID:SECRET." },
    baseUrl: { name: "BEDROCK_BASE_URL", help: "Another base URL of Bedrock's runtime, such as a VPC endpoint." },
    region: { name: "BEDROCK_REGION", help: "Its AWS region, such as eu-central-1." },
  },
  keyHelp: "An API key of Bedrock, or an access key of AWS as ID:SECRET, or ID:SECRET:TOKEN if it is temporary.",
  keyProblem: (key) =>
    ACCESS_KEY_ID.test(key) && !ACCESS_KEY.test(key)
      ? "must be ID:SECRET, or ID:SECRET:TOKEN, if it is an access key of AWS"
      : undefined,
  testModel: "global.amazon.nova-2-lite-v1:0",
  requiresKey: true,
  requiresBaseUrl: false,
  models: BEDROCK_MODELS,
  anyModel: true,
  missingField({ apiKey = "", baseUrl, region }) {
    const isSigned = ACCESS_KEY.test(apiKey);
    return region === undefined && (baseUrl === undefined || isSigned) ? "region" : undefined;
  },
  async connect(connection) {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    const key = requireKey(connection, LABEL);
    const { region = "", baseUrl: baseURL = urlOf(region) } = connection;
    const [, accessKeyId, secretAccessKey, sessionToken] = ACCESS_KEY.exec(key) ?? [];
    // All is given, because what is missing would be read from the environment of the process.
    const credentials =
      accessKeyId === undefined || secretAccessKey === undefined
        ? { apiKey: key }
        : { apiKey: "", accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
    const bedrock = createAmazonBedrock({ ...credentials, region, baseURL, fetch: fetchFor(connection) });
    return aiSdkClient({
      languageModel: (id) => bedrock(id),
      capabilities: bedrockCapabilities,
      rules: [...COMMON_RULES, fitCallIds(CALL_ID, CALL_ID_LENGTH)],
      finish(options, request) {
        const isCached = request.caching !== undefined && CACHES.test(request.model);
        const marked = isCached ? markCacheBreakpoints(options, MARK) : options;
        const reasoningConfig = adaptiveThinking(request);
        return reasoningConfig === undefined
          ? marked
          : { ...marked, providerOptions: { amazonBedrock: { reasoningConfig } } };
      },
      secret: secretAccessKey ?? key,
    });
  },
});

/** The endpoint of a region; China's is elsewhere. */
function urlOf(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}
