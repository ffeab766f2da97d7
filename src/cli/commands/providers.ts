import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { readSecret } from "../terminal/input.ts";

const list = defineCommand({
  summary: "List configured model providers",
  args: CONNECTION,
  async run(args) {
    const { muster, out } = openSession(args);
    const keys = await muster.listProviderKeys();
    if (args.json) out.json(keys);
    else if (keys.length === 0) out.note("No provider has a key yet. Store one: muster providers set openai");
    else {
      const rows = keys.map(({ provider, last4, base_url, updated_at }) => [
        provider,
        last4 === null ? "none" : `…${last4}`,
        base_url ?? "",
        formatTime(updated_at),
      ]);
      out.table(["PROVIDER", "KEY", "BASE URL", "CHANGED"], rows);
    }
    return EXIT.ok;
  },
});

const set = defineCommand({
  summary: "Store a provider key, read from standard input or a prompt so it stays out of shell history",
  args: {
    provider: { type: "positional", description: "openai, anthropic, google, openai-compatible, …" },
    "base-url": {
      type: "string",
      valueHint: "url",
      description: "Base URL of the API",
    },
    ...CONNECTION,
  },
  async run(args) {
    const { provider, "base-url": baseUrl } = args;
    const { muster, out } = openSession(args);
    const optional = baseUrl === undefined ? "" : " (empty for none)";
    const key = await readSecret(`API key of ${provider}${optional}: `);
    if (key === "" && baseUrl === undefined) {
      throw new UsageError(`No key was given. Type it, or pipe it: muster providers set ${provider} < key.txt`);
    }
    const saved = await muster.saveProviderKey(
      { provider: provider },
      { api_key: key || undefined, base_url: baseUrl },
    );
    if (args.json) out.json(saved);
    else {
      const what = saved.last4 === null ? `base URL ${saved.base_url ?? ""}` : `key …${saved.last4}`;
      out.line(`Stored the ${what} for ${saved.provider}`);
    }
    return EXIT.ok;
  },
});

const remove = defineCommand({
  summary: "Delete a provider key and base URL",
  args: { provider: { type: "positional", description: "Provider" }, ...CONNECTION },
  async run(args) {
    const { provider } = args;
    const { muster, out } = openSession(args);
    await muster.deleteProviderKey({ provider: provider });
    if (args.json) out.json({ provider, deleted: true });
    else out.line(`Removed the key for ${provider}`);
    return EXIT.ok;
  },
});

/** `muster providers …` */
export default defineGroup("Manage provider keys", { list, set, remove });
