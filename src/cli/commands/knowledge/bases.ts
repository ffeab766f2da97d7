import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createKnowledgeApi } from "../../knowledge-api.ts";
import { openSession } from "../../session.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List knowledge bases, newest first.",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createKnowledgeApi(client).listBases(limit);
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No knowledge base yet. Make one: muster knowledge create Handbook");
    else {
      const rows = items.map(({ id, name, documents }) => [id, name, String(documents)]);
      tableLines(["ID", "NAME", "DOCUMENTS"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
