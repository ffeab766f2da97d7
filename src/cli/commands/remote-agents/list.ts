import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createRemoteAgentsApi } from "../../remote-agents-api.ts";
import { openSession } from "../../session.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List remote agents, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createRemoteAgentsApi(client).list(limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ id, name, base_url, protocol_version, is_enabled }) => [
        id,
        name,
        protocol_version,
        is_enabled ? "enabled" : "disabled",
        base_url,
      ]);
      tableLines(["ID", "NAME", "A2A", "STATE", "URL"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});
