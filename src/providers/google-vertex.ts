import { ModelError } from "#domain/models/model-call.ts";
import { untilAborted } from "#lib/async/until-aborted.ts";
import { aiSdkClient } from "./ai-sdk/client.ts";
import { withExactArguments } from "./ai-sdk/exact-google-arguments.ts";
import { fetchFor } from "./ai-sdk/fetch-for.ts";
import { readGoogleUsage } from "./ai-sdk/reported-usage.ts";
import { requireKey } from "./ai-sdk/required.ts";
import { GOOGLE_MODELS } from "./catalogue/google-models.ts";
import { defineProvider } from "./define-provider.ts";
import type { ProviderConnection } from "./define-provider.ts";
import { capabilitiesOf } from "./fit/capabilities-of.ts";
import { COMMON_RULES } from "./fit/common-rules.ts";
import { isolateReferences } from "./fit/lone-references.ts";
import { accessTokens } from "./vertex/access-token.ts";
import { GOOGLE_TOKEN_URL, isServiceAccount, parseServiceAccount } from "./vertex/service-account.ts";
import type { ServiceAccount } from "./vertex/service-account.ts";

const LABEL = "Google Vertex AI";
const PUBLISHER = "publishers/google";
/** Google answers 400 to a wrong key. */
const KEY_REJECTED = /API_KEY_INVALID|api key not valid/i;
const NO_ACCOUNT = "must be an API key, or the whole JSON file of a service account's key";

/**
 * Gemini on Google Cloud. Its requests are those of the Gemini API, so Google's package makes them, under the name by
 * which it leaves out what Vertex AI rejects, such as ids of calls. Google's package for Vertex AI would add another
 * client for access tokens, which asks a cloud's metadata service and knows no proxy.
 */
export default defineProvider({
  id: "google-vertex",
  label: LABEL,
  settings: {
    apiKey: {
      name: "GOOGLE_VERTEX_API_KEY",
      help: "Google Vertex AI: an API key (express mode), or the JSON of a service account's key.",
    },
    baseUrl: { name: "GOOGLE_VERTEX_BASE_URL", help: "Another base URL of Vertex AI, up to the version." },
    project: {
      name: "GOOGLE_VERTEX_PROJECT",
      help: "The id of its project; by default that of the service account.",
    },
    region: { name: "GOOGLE_VERTEX_LOCATION", help: "Its location, such as europe-west4; by default global." },
  },
  keyHelp: "The JSON file of a service account's key, or an API key (express mode).",
  keyProblem: (key) => (isServiceAccount(key) && parseServiceAccount(key) === undefined ? NO_ACCOUNT : undefined),
  testModel: "gemini-3.5-flash-lite",
  requiresKey: true,
  requiresBaseUrl: false,
  alsoServes: ["google"],
  anyModel: true,
  async connect(connection) {
    const { createGoogle } = await import("@ai-sdk/google");
    const key = requireKey(connection, LABEL);
    const account = isServiceAccount(key) ? accountOf(key) : undefined;
    const google = createGoogle({
      name: "google.vertex.chat",
      apiKey: account === undefined ? key : "unused",
      baseURL: account === undefined ? expressUrl(connection) : projectUrl(connection, account),
      fetch: withExactArguments(account === undefined ? fetchFor(connection) : withTokens(connection, account)),
    });
    return aiSdkClient({
      languageModel: (id) => google(id),
      capabilities: capabilitiesOf(GOOGLE_MODELS),
      readUsage: readGoogleUsage,
      rules: [...COMMON_RULES, isolateReferences],
      finish: (options, { summary }) =>
        summary !== undefined
          ? { ...options, providerOptions: { googleVertex: { thinkingConfig: { includeThoughts: true } } } }
          : options,
      secret: key,
      keyRejected: KEY_REJECTED,
    });
  },
});

function accountOf(key: string): ServiceAccount {
  const account = parseServiceAccount(key);
  if (account === undefined) throw new ModelError("auth", `The key of ${LABEL} ${NO_ACCOUNT}.`);
  return account;
}

/** Express mode has no projects: https://cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode/overview */
function expressUrl({ baseUrl = "https://aiplatform.googleapis.com/v1" }: ProviderConnection): string {
  return `${baseUrl}/${PUBLISHER}`;
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function projectUrl(connection: ProviderConnection, { project_id: own }: ServiceAccount): string {
  const { region = "global", project = own, baseUrl = `https://${hostOf(region)}/v1beta1` } = connection;
  return `${baseUrl}/projects/${encodeURIComponent(project)}/locations/${region}/${PUBLISHER}`;
}

function hostOf(region: string): string {
  if (region === "global") return "aiplatform.googleapis.com";
  const isLarge = region === "us" || region === "eu";
  return isLarge ? `aiplatform.${region}.rep.googleapis.com` : `${region}-aiplatform.googleapis.com`;
}

/** A `fetch` with an access token in place of the API key. The token comes from Google, or from where the requests go. */
function withTokens(connection: ProviderConnection, account: ServiceAccount): typeof fetch {
  const { token_uri: url } = account;
  const isAllowed = url === GOOGLE_TOKEN_URL || URL.parse(url)?.origin === URL.parse(connection.baseUrl ?? "")?.origin;
  if (!isAllowed) {
    throw new ModelError("auth", `The service account's token_uri must be ${GOOGLE_TOKEN_URL}, or at the base URL.`);
  }
  const fetch = fetchFor(connection);
  const tokenOf = accessTokens(account, fetch);
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.delete("x-goog-api-key");
    headers.set("authorization", `Bearer ${await untilAborted(tokenOf(), init.signal)}`);
    return fetch(input, { ...init, headers: Object.fromEntries(headers) });
  };
}
