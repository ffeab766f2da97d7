import { CONNECTION, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createKnowledgeApi } from "../../knowledge-api.ts";
import { resolveKnowledgeBase } from "../../resolve-knowledge-base.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Find the passages that answer a question.",
  args: {
    question: { type: "positional", description: "A question, or the words to look for" },
    base: { type: "string", valueHint: "name", description: "Only in this knowledge base" },
    tags: { type: "string", valueHint: "a,b", description: "Only in documents that have all of these tags" },
    limit: { type: "string", default: "5", description: "How many passages, at most 20" },
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const api = createKnowledgeApi(client);
    const found = await api.search({
      q: args.question,
      limit: String(limit),
      ...(args.base !== undefined && { knowledge_base_ids: await resolveKnowledgeBase(api, args.base) }),
      ...(args.tags !== undefined && { tags: args.tags }),
    });
    if (args.json) {
      out.json(found);
      return EXIT.ok;
    }
    if (found.note !== null) out.note(safeText(found.note));
    if (found.results.length === 0) out.note("Nothing was found.");
    else {
      for (const { document, page, heading, score, content } of found.results) {
        const place = [document.name, page === null ? [] : `page ${page}`, heading ?? []].flat().join(", ");
        out.line(safeText(`${place} (${score.toFixed(2)})`));
        out.line(`${safeText(content)}\n`);
      }
    }
    return EXIT.ok;
  },
});
