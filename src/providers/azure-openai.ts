import { requireKey } from "./ai-sdk/required.ts";
import { defineProvider } from "./define-provider.ts";
import { gatewayClient } from "./openai-api/client.ts";

const LABEL = "Azure OpenAI";

/**
 * OpenAI's models on Azure. Its v1 API is OpenAI's own, so OpenAI's package calls it: Azure's package would add only the
 * URL. A model's id is the name of a deployment; one that is named after its model has that model's prices and limits.
 * https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
 */
export default defineProvider({
  id: "azure-openai",
  label: LABEL,
  settings: {
    apiKey: { name: "AZURE_OPENAI_API_KEY", help: "Azure OpenAI." },
    baseUrl: {
      name: "AZURE_OPENAI_BASE_URL",
      help: "Its base URL in place of a resource, such as https://name.services.ai.azure.com/openai/v1.",
    },
    resource: { name: "AZURE_OPENAI_RESOURCE", help: "The name of its resource, as in https://name.openai.azure.com." },
    api: {
      name: "AZURE_OPENAI_API",
      help: "The API of its deployments: responses, or chat for Chat Completions; found by each process if not set.",
    },
  },
  keyHelp: "A key of the resource, or an access token of Microsoft Entra ID.",
  requiresKey: true,
  requiresBaseUrl: false,
  alsoServes: ["openai"],
  anyModel: true,
  summaryLengths: true,
  missingField: ({ baseUrl, resource }) => ((baseUrl ?? resource) === undefined ? "resource" : undefined),
  async connect(connection) {
    const apiKey = requireKey(connection, LABEL);
    const { baseUrl = `https://${connection.resource}.openai.azure.com/openai/v1` } = connection;
    return gatewayClient(connection, { apiKey, baseUrl });
  },
});
