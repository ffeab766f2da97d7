import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List the model vendors that your workspace has a key or an address for.",
  args: CONNECTION,
  async run(args) {
    const { api, out } = openSession(args);
    const keys = await api.listProviderKeys();
    if (args.json) out.json(keys);
    else if (keys.length === 0) out.note("No vendor has a key yet. Store one: muster providers set openai");
    else {
      const rows = keys.map(({ provider, last4, base_url, updated_at }) => [
        provider,
        last4 === null ? "none" : `…${last4}`,
        base_url ?? "",
        formatTime(updated_at),
      ]);
      tableLines(["PROVIDER", "KEY", "BASE URL", "CHANGED"], rows).forEach((line) => out.line(line));
    }
    return EXIT.ok;
  },
});
