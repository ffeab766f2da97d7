import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { tableLines } from "../../terminal/table.ts";
import { createToolsApi } from "../../tools-api.ts";

export default defineCommand({
  summary: "List the custom tools of your workspace, newest first.",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createToolsApi(client).list(limit);
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("There is no custom tool yet. Make one: muster tools create tool.json");
    else {
      const rows = items.map(({ id, name, method, url }) => [`custom:${id}`, name, method, url]);
      tableLines(["FOR AGENTS", "NAME", "METHOD", "URL"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
