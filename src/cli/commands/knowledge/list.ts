import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createKnowledgeApi } from "../../knowledge-api.ts";
import { resolveKnowledgeBase } from "../../resolve-knowledge-base.ts";
import { openSession } from "../../session.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List documents, newest first.",
  args: {
    base: { type: "string", valueHint: "name", description: "Only those of this knowledge base" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const api = createKnowledgeApi(client);
    const baseId = args.base === undefined ? undefined : await resolveKnowledgeBase(api, args.base);
    const { items, hasMore } = await api.list({ limit, baseId });
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No documents yet. Add one: muster knowledge add handbook.pdf");
    else {
      const rows = items.map(({ id, name, status, progress, passages, tags, error, warning }) => [
        id,
        name,
        status === "processing" ? `${status} ${progress} %` : status,
        String(passages),
        tags.join(", "),
        error ?? warning ?? "",
      ]);
      tableLines(["ID", "NAME", "STATUS", "PASSAGES", "TAGS", "NOTE"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
