import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveAgent } from "../../resolve-agent.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";
import { createVersionsApi } from "../../versions-api.ts";

export default defineCommand({
  summary: "List the versions of an agent, newest first.",
  args: { agent: { type: "positional", description: "Its id or exact name" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { api, client, out } = openSession(args);
    const id = await resolveAgent(api, args.agent);
    const { items, hasMore } = await createVersionsApi(client).list(id, limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ version, created_at, changed, changed_by }) => [
        String(version),
        formatTime(created_at),
        changed.join(", "),
        changed_by ?? "",
      ]);
      tableLines(["VERSION", "SINCE", "CHANGED", "BY"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
