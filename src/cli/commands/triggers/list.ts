import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { tableLines } from "../../terminal/table.ts";
import { createTriggersApi } from "../../triggers-api.ts";

export default defineCommand({
  summary: "List triggers, newest first.",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createTriggersApi(client).list(limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ id, name, token_prefix, has_secret, is_active }) => [
        id,
        name,
        `${token_prefix}…`,
        has_secret ? "yes" : "no",
        is_active ? "active" : "paused",
      ]);
      tableLines(["ID", "NAME", "TOKEN", "SIGNED", "STATE"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
