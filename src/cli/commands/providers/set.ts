import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { UsageError } from "../../errors/cli-error.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { readSecret } from "../../terminal/input.ts";

export default defineCommand({
  summary: "Store a model vendor's key, read from standard input or asked for; never an option, which others can see.",
  args: {
    provider: { type: "positional", description: "openai, anthropic, google, openai-compatible, …" },
    "base-url": {
      type: "string",
      valueHint: "url",
      description: "Where the vendor's API is, if not at its own address",
    },
    ...CONNECTION,
  },
  async run(args) {
    const { provider, "base-url": baseUrl } = args;
    const { api, out } = openSession(args);
    const optional = baseUrl === undefined ? "" : " (empty for none)";
    const key = await readSecret(`API key of ${provider}${optional}: `);
    if (key === "" && baseUrl === undefined) {
      throw new UsageError(`No key came in. Type it, or pipe it: muster providers set ${provider} < key.txt`);
    }
    const saved = await api.saveProviderKey(provider, { api_key: key || undefined, base_url: baseUrl });
    if (args.json) out.json(saved);
    else {
      const what = saved.last4 === null ? `address ${saved.base_url ?? ""}` : `key …${saved.last4}`;
      out.line(`Stored the ${what} for ${saved.provider}`);
    }
    return EXIT.ok;
  },
});
