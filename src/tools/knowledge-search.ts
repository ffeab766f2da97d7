import { z } from "zod";
import { MAX_RESULTS, DEFAULT_RESULTS } from "#domain/knowledge/knowledge.ts";
import type { FoundPassage } from "#domain/knowledge/knowledge.ts";
import { defineTool } from "./define-tool.ts";

/** Lets an agent search the documents of its workspace. */
export default defineTool({
  name: "knowledge_search",
  description:
    "Searches the documents of this workspace and returns the best passages, each with its source. " +
    "Use it before you answer from memory, and name the sources that you use.",
  input: z.strictObject({
    query: z.string().trim().min(1).max(2_000).describe("A question, or keywords."),
    limit: z.int().min(1).max(MAX_RESULTS).default(DEFAULT_RESULTS).describe("The maximum number of passages."),
  }),
  async execute({ query, limit }, { searchKnowledge }) {
    const { results, note } = await searchKnowledge(query, limit);
    const found = results.length === 0 ? ["Nothing was found. Try other words."] : results.map(describe);
    return [...found, ...(note === null ? [] : [note])].join("\n\n");
  },
});

function describe({ content, score, heading, page, document }: FoundPassage, index: number): string {
  const place = [page === null ? [] : `page ${page}`, heading === null ? [] : `"${heading}"`].flat();
  return `[${index + 1}] ${[document.name, ...place].join(", ")} (score ${score.toFixed(2)})\n${content}`;
}
