import { OPENAI_APIS } from "#domain/models/connection-fields.ts";
import { defineGroup } from "../arguments/define-command.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { UsageError } from "../errors/cli-error.ts";
import { formatTime } from "../terminal/format.ts";
import { readSecret } from "../terminal/input.ts";

const list = defineRequest({
  summary: "List configured model providers",
  args: {},
  send: ({ muster }) => muster.listProviderKeys(),
  print({ out }, keys) {
    const rows = keys.map(({ provider, last4, base_url, resource, region, project, updated_at }) => [
      provider,
      last4 === null ? "none" : `…${last4}`,
      [base_url, resource, region, project].filter((part) => part !== null).join(" "),
      formatTime(updated_at),
    ]);
    if (rows.length === 0) out.note("No provider has a key yet. Store one: muster providers set openai");
    else out.table(["PROVIDER", "KEY", "ADDRESS", "CHANGED"], rows);
  },
});

const set = defineRequest({
  summary: "Store a provider key, read from standard input or a prompt so it stays out of shell history",
  args: {
    provider: { type: "positional", description: "openai, anthropic, google, amazon-bedrock, openai-compatible, …" },
    "base-url": {
      type: "string",
      valueHint: "url",
      description: "Base URL of the API",
    },
    resource: { type: "string", valueHint: "name", description: "Resource of Azure OpenAI" },
    region: { type: "string", valueHint: "name", description: "Region of Amazon Bedrock or Google Vertex AI" },
    project: { type: "string", valueHint: "id", description: "Project of Google Vertex AI" },
    api: { type: "enum", options: OPENAI_APIS, description: "API of a base URL of OpenAI; found by the first call" },
  },
  async send({ muster }, { provider, "base-url": baseUrl, resource, region, project, api }) {
    const optional = baseUrl === undefined ? "" : " (empty for none)";
    const key = await readSecret(`API key of ${provider}${optional}: `);
    if (key === "" && baseUrl === undefined) {
      throw new UsageError(`No key was given. Type it, or pipe it: muster providers set ${provider} < key.txt`);
    }
    return muster.saveProviderKey(
      { provider },
      { api_key: key || undefined, base_url: baseUrl, resource, region, project, api },
    );
  },
  print({ out }, { provider, last4, base_url }) {
    const what = last4 === null ? `base URL ${base_url ?? ""}` : `key …${last4}`;
    out.line(`Stored the ${what} for ${provider}`);
  },
});

const remove = defineRequest({
  summary: "Delete a provider key and base URL",
  args: { provider: { type: "positional", description: "Provider" } },
  async send({ muster }, { provider }) {
    await muster.deleteProviderKey({ provider });
    return { provider, deleted: true };
  },
  print: ({ out }, { provider }) => out.line(`Removed the key for ${provider}`),
});

/** `muster providers …` */
export default defineGroup("Manage provider keys", { list, set, remove });
