import { chatBody } from "./chat-body.ts";
import { contentsBody } from "./contents-body.ts";
import { converseBody } from "./converse-body.ts";
import { messagesBody } from "./messages-body.ts";
import { responsesBody } from "./responses-body.ts";
import type { SentRequest } from "./sent-request.ts";

/** A request to a provider: its URL and headers for a shell, which fills in the variables. */
export interface ProviderRequest {
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: object;
}

/**
 * A recorded request in the form of its provider's API, with variables in place of the key and of the base URL.
 * Pictures are not recorded, so they are placeholders. Undefined for providers without an API, such as the demo model.
 */
export function providerRequestOf(provider: string, request: SentRequest): ProviderRequest | undefined {
  const { model } = request.parameters;
  switch (provider) {
    case "openai":
      return {
        url: "${OPENAI_BASE_URL:-https://api.openai.com/v1}/responses",
        headers: ["Authorization: Bearer $OPENAI_API_KEY"],
        body: responsesBody(request),
      };
    case "openai-compatible":
      return {
        url: "$OPENAI_COMPATIBLE_BASE_URL/chat/completions",
        headers: ["Authorization: Bearer $OPENAI_COMPATIBLE_API_KEY"],
        body: chatBody(request),
      };
    case "anthropic":
      return {
        url: "${ANTHROPIC_BASE_URL:-https://api.anthropic.com/v1}/messages",
        headers: ["x-api-key: $ANTHROPIC_API_KEY", "anthropic-version: 2023-06-01"],
        body: messagesBody(request),
      };
    case "google":
      return {
        url: `\${GOOGLE_BASE_URL:-https://generativelanguage.googleapis.com/v1beta}/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
        headers: ["x-goog-api-key: $GOOGLE_GENERATIVE_AI_API_KEY"],
        body: contentsBody(request, "google"),
      };
    case "azure-openai":
      return {
        url: "${AZURE_OPENAI_BASE_URL:-https://$AZURE_OPENAI_RESOURCE.openai.azure.com/openai/v1}/responses",
        headers: ["Authorization: Bearer $AZURE_OPENAI_API_KEY"],
        body: responsesBody(request),
      };
    case "amazon-bedrock":
      return {
        url: `\${BEDROCK_BASE_URL:-https://bedrock-runtime.$BEDROCK_REGION.amazonaws.com}/model/${encodeURIComponent(model)}/converse-stream`,
        headers: ["Authorization: Bearer $BEDROCK_API_KEY"],
        body: converseBody(request),
      };
    case "google-vertex":
      return {
        url: `\${GOOGLE_VERTEX_BASE_URL:-https://aiplatform.googleapis.com/v1}/publishers/google/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
        headers: ["x-goog-api-key: $GOOGLE_VERTEX_API_KEY"],
        body: contentsBody(request, "googleVertex"),
      };
    default:
      return undefined;
  }
}

/** A request as a command. The body is read from the lines below it, so that nothing in it needs quotes. */
export function curlOf({ url, headers, body }: ProviderRequest): string {
  return [
    `curl -sN "${url}" \\`,
    ...["Content-Type: application/json", ...headers].map((header) => `  -H "${header}" \\`),
    `  --data-binary @- <<'JSON'`,
    JSON.stringify(body, null, 2),
    "JSON",
  ].join("\n");
}
